//! Faults about states, and their messages.

use std::fmt;

/// A fault about a state, or about a system that names one.
#[derive(Clone, Debug)]
pub(crate) enum StateFault {
    /// A state, or a variant of one, is declared twice. `of` is the state of the variant.
    Twice { name: String, of: Option<String> },
    /// A key names something that is no state, or no variant. `known` says what is.
    Unknown { name: String, system: String, key: &'static str, of: Option<String>, help: String },
    /// A state in the place of a component or a resource.
    AsValue { name: String, system: String, key: &'static str },
    /// Two keys say when a system runs, and exclude each other.
    Beside { system: String, first: &'static str, second: &'static str },
}

impl fmt::Display for StateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice { name, of: None } => {
                write!(f, "the state `{name}` is declared twice\nhelp: remove one, or rename it")
            }
            Self::Twice { name, of: Some(of) } => write!(
                f,
                "the state `{of}` has the variant `{name}` twice\nhelp: remove one, or rename it"
            ),
            Self::Unknown { name, system, key, of: Some(of), help } => write!(
                f,
                "`{key}` of the system `{system}` names `{name}`, which is no variant of the state `{of}`\n\
                 help: {help}"
            ),
            Self::Unknown { name, system, key, of: None, help } => {
                let what = if *key == "set_state" { "no state" } else { "no variant of a state" };
                write!(
                    f,
                    "`{key}` of the system `{system}` names `{name}`, which is {what}\nhelp: {help}"
                )
            }
            Self::AsValue { name, system, key } => write!(
                f,
                "`{key}` of the system `{system}` names the state `{name}`, which is neither a component nor a resource\n\
                 help: read it by `effects.state::<{name}>()`, without a declaration; to change it, write `set_state: [{name}]`"
            ),
            Self::Beside { system, first, second: "every" } => write!(
                f,
                "the system `{system}` has `every` beside `{first}`: a transition is no execution that is counted\n\
                 help: remove `every`"
            ),
            Self::Beside { system, first, second } => write!(
                f,
                "the system `{system}` has `{first}` and `{second}`, and would never run\n\
                 help: declare a system for each"
            ),
        }
    }
}
