//! What a system is executed with.

use super::Core;
use crate::output::stream::Link;
use crate::parallel::Workers;
use crate::signature::Declaration;

/// Executes a system by its own body.
pub(crate) type RunBody<D> = fn(&Context<'_, D>);

/// The arguments of the execution of systems.
pub(crate) struct Context<'a, D: Declaration> {
    pub(crate) core: &'a Core<D>,
    pub(crate) workers: &'a Workers,
    pub(crate) link: Option<&'a Link<'a>>,
}
