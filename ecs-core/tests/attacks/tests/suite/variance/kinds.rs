//! The types of the table, their parameters, and the variance that each may have.

/// A public generic type.
pub(super) struct Type {
    pub(super) name: &'static str,
    /// The source text of the type, with each parameter in braces.
    pub(super) written: &'static str,
    pub(super) parameters: &'static [Parameter],
}

/// A parameter of a type.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) expected: Expected,
}

/// The variance that a type may have in a parameter.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    Invariant,
    /// Covariant, and why that is harmless.
    Covariant(&'static str),
    /// Contravariant, and why that is harmless.
    Contravariant(&'static str),
    /// No program can write the type with this parameter free; and why.
    Unprobed(&'static str),
}

impl Expected {
    pub(super) fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Invariant => None,
            Self::Covariant(reason) | Self::Contravariant(reason) | Self::Unprobed(reason) => {
                Some(reason)
            }
        }
    }
}

/// The role of a parameter.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Lifetime,
    Constant,
    /// Any type, a component among them.
    Any,
    Declaration,
    /// The name of a system.
    Name,
    Settings,
    Scheduler,
    /// Terms of a query.
    Terms,
    /// A storage strategy.
    Strategy,
    Index,
    Atomics,
}

impl Kind {
    /// The argument while another parameter varies.
    pub(super) fn fixed(self) -> &'static str {
        match self {
            Self::Lifetime => "'x",
            Self::Constant => "1",
            Self::Any => "u8",
            Self::Declaration => "W<()>",
            Self::Name => "Name<()>",
            Self::Settings => "Set<()>",
            Self::Scheduler => "Order<()>",
            Self::Terms => "&'static u8",
            Self::Strategy => "Keep<()>",
            Self::Index => "ByKey<()>",
            Self::Atomics => "Atoms<()>",
        }
    }

    /// A subtype and its supertype.
    pub(super) fn pair(self) -> (&'static str, &'static str) {
        match self {
            Self::Lifetime => ("'long", "'short"),
            Self::Constant => ("1", "1"),
            Self::Any => ("Sub", "Sup"),
            Self::Declaration => ("W<Sub>", "W<Sup>"),
            Self::Name => ("Name<Sub>", "Name<Sup>"),
            Self::Settings => ("Set<Sub>", "Set<Sup>"),
            Self::Scheduler => ("Order<Sub>", "Order<Sup>"),
            Self::Terms => ("&'static Sub", "&'static Sup"),
            Self::Strategy => ("Keep<Sub>", "Keep<Sup>"),
            Self::Index => ("ByKey<Sub>", "ByKey<Sup>"),
            Self::Atomics => ("Atoms<Sub>", "Atoms<Sup>"),
        }
    }
}

/// A parameter in which the type must be invariant.
pub(super) const fn invariant(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, expected: Expected::Invariant }
}

/// A parameter in which the type may be covariant, because of `reason`.
pub(super) const fn covariant(name: &'static str, kind: Kind, reason: &'static str) -> Parameter {
    Parameter { name, kind, expected: Expected::Covariant(reason) }
}

/// A parameter that no program can vary, because of `reason`.
pub(super) const fn unprobed(name: &'static str, kind: Kind, reason: &'static str) -> Parameter {
    Parameter { name, kind, expected: Expected::Unprobed(reason) }
}

/// A constant, which cannot vary.
pub(super) const fn constant(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Constant, expected: Expected::Invariant }
}
