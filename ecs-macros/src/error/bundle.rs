//! Faults of a named bundle, and their wording.

use std::fmt;

use ecs_rules::Kind;

use super::parts::did_you_mean;

/// What is wrong with a named bundle.
#[derive(Clone, Debug)]
pub(crate) enum BundleFault {
    /// Its name is that of `other`.
    Taken { other: &'static str },
    /// It names something that is not a component. `other` is what the name stands for instead.
    Unknown { name: String, similar: Option<String>, other: Option<Kind> },
    /// It names a component twice.
    Twice { name: String },
    /// It has more components than a bundle can have.
    TooMany { most: usize },
}

impl BundleFault {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Taken { .. } => "ECS0010",
            Self::Unknown { .. } => "ECS0011",
            Self::TooMany { .. } => "ECS0018",
            Self::Twice { .. } => "ECS0020",
        }
    }

    pub(super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        noun: &str,
        bundle: &str,
    ) -> fmt::Result {
        match self {
            Self::Taken { other } if *other == noun => write!(
                f,
                "the {noun} `{bundle}` is declared twice\nhelp: give one of the two another name"
            ),
            Self::Taken { other } => write!(
                f,
                "the {noun} `{bundle}` has the name of a {other}\nhelp: give it another name: a {noun} is a \
                 type of its own"
            ),
            Self::Unknown { name, similar, other } => {
                write!(f, "the {noun} `{bundle}` has an unknown component `{name}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| match other {
                    Some(other) => write!(f, "`{name}` is a {other}"),
                    None => write!(f, "declare it: `component {name};`"),
                })
            }
            Self::Twice { name } => write!(
                f,
                "the {noun} `{bundle}` has the component `{name}` twice\nhelp: remove one of the two: an entity \
                 has one `{name}`"
            ),
            Self::TooMany { most } => write!(
                f,
                "a {noun} has at most {most} components, and this is one more of `{bundle}`\nhelp: remove it, \
                 and insert it after the spawn, or implement `Bundle` for a type of your own"
            ),
        }
    }
}
