//! The macros that read a declaration.

/// The macro that reads a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MacroKind {
    World,
    Set,
}
