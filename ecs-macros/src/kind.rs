//! Kinds: of the things that names stand for, and of the macros.

use std::fmt;

/// The kinds of things that a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Component,
    Resource,
    System,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Component => "component",
            Self::Resource => "resource",
            Self::System => "system",
        })
    }
}

/// The macro that reads a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MacroKind {
    World,
    Set,
}
