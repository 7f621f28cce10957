//! What a system is executed with.

use super::Core;
use crate::output::stream::Sink;
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

/// How a running system is connected to another one that runs at the same time.
#[derive(Clone, Copy)]
pub(crate) struct Link<'a> {
    /// The producer whose stream it consumes.
    pub(crate) upstream: Option<Upstream<'a>>,
    /// The consumer of its stream.
    pub(crate) sink: Option<&'a dyn Sink>,
}

/// A producer that its consumer must execute.
#[derive(Clone, Copy)]
pub(crate) struct Upstream<'a> {
    /// Executes it. Returns whether it has returned without a panic. The node stores its panic, so that the
    /// consumer cannot suppress it.
    pub(crate) run: &'a (dyn Fn(Option<&dyn Sink>) -> bool + Sync),
}
