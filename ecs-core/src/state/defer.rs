//! The proxy of deferred functions, as a type. Its methods are in `proxy/defer.rs`.

use super::Core;
use crate::signature::Declaration;

/// Every operation on the world except executing systems, with immediate effect.
///
/// A deferred function gets it at the refresh. A step gets it through [`Step`](crate::Step), while it runs.
/// `get` sees changes immediately; systems are subscribed to new and changed entities at the end of the
/// refresh.
#[derive(Debug)]
pub struct Defer<'w, D: Declaration> {
    pub(crate) core: &'w mut Core<D>,
}
