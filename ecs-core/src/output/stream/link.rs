//! The connection of a running system to another one that runs at the same time.

use super::Sink;

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
