//! Types of the standard library with known variance, which the probes must find.

use super::kinds::{Expected, Kind, Parameter, Type, covariant, invariant};

const KNOWN: &str = "documented in the reference of the language";

/// One type of each variance.
pub(super) static TYPES: &[Type] = &[
    Type {
        name: "ControlShared",
        written: "&{'a} {T}",
        parameters: &[covariant("'a", Kind::Lifetime, KNOWN), covariant("T", Kind::Any, KNOWN)],
    },
    Type {
        name: "ControlExclusive",
        written: "&'static mut Option<{T}>",
        parameters: &[invariant("T", Kind::Any)],
    },
    Type {
        name: "ControlCell",
        written: "std::cell::Cell<&{'a} ()>",
        parameters: &[invariant("'a", Kind::Lifetime)],
    },
    Type {
        name: "ControlTaker",
        written: "fn({T})",
        parameters: &[Parameter {
            name: "T",
            kind: Kind::Any,
            expected: Expected::Contravariant(KNOWN),
        }],
    },
    // These show that each pair has a subtype and a supertype.
    Type {
        name: "ControlDeclaration",
        written: "Option<{D}>",
        parameters: &[covariant("D", Kind::Declaration, KNOWN)],
    },
    Type {
        name: "ControlName",
        written: "Option<{N}>",
        parameters: &[covariant("N", Kind::Name, KNOWN)],
    },
    Type {
        name: "ControlSettings",
        written: "Option<{S}>",
        parameters: &[covariant("S", Kind::Settings, KNOWN)],
    },
    Type {
        name: "ControlScheduler",
        written: "Option<{S}>",
        parameters: &[covariant("S", Kind::Scheduler, KNOWN)],
    },
    Type {
        name: "ControlTerms",
        written: "Option<{Q}>",
        parameters: &[covariant("Q", Kind::Terms, KNOWN)],
    },
    Type {
        name: "ControlStrategy",
        written: "Option<{S}>",
        parameters: &[covariant("S", Kind::Strategy, KNOWN)],
    },
    Type {
        name: "ControlIndex",
        written: "Option<{I}>",
        parameters: &[covariant("I", Kind::Index, KNOWN)],
    },
    Type {
        name: "ControlAtomics",
        written: "Option<{A}>",
        parameters: &[covariant("A", Kind::Atomics, KNOWN)],
    },
];
