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
    /// A template has children in a relation that is not declared.
    UnknownRelation { name: String, similar: Option<String> },
    /// A template has children in something that is not a relation.
    NotARelation { name: String },
    /// A template has children in a relation of many to many.
    NoParents { name: String },
    /// A child is not a template of the declaration.
    UnknownTemplate { name: String, similar: Option<String>, is_bundle: bool },
    /// A template is among its descendants: the first and the last name are the same.
    Cycle { names: Vec<String> },
}

impl BundleFault {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Taken { .. } => "ECS0010",
            Self::Unknown { .. } => "ECS0011",
            Self::TooMany { .. } => "ECS0018",
            Self::Twice { .. } => "ECS0020",
            Self::UnknownRelation { .. } => "ECS0160",
            Self::NotARelation { .. } => "ECS0161",
            Self::NoParents { .. } => "ECS0144",
            Self::UnknownTemplate { .. } => "ECS0168",
            Self::Cycle { .. } => "ECS0169",
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
            Self::UnknownRelation { name, similar } => {
                write!(
                    f,
                    "the template `{bundle}` has children in an unknown relation `{name}`\nhelp: "
                )?;
                did_you_mean(f, similar.as_ref(), |f| {
                    write!(f, "declare it: `relation {name}: one_to_many, on_despawn: despawn;`")
                })
            }
            Self::NotARelation { name } => write!(
                f,
                "the template `{bundle}` has children in `{name}`, which is not a relation\nhelp: declare one: \
                 `relation ChildOf: one_to_many, on_despawn: despawn;`"
            ),
            Self::NoParents { name } => write!(
                f,
                "the template `{bundle}` has children in `{name}`, which is many-to-many, so that there are no \
                 parents\nhelp: name a relation that is declared as `one_to_many`, or link the entities after the \
                 spawn with `insert_link`"
            ),
            Self::UnknownTemplate { name, similar, is_bundle } => {
                write!(
                    f,
                    "the template `{bundle}` has a child `{name}`, which is not a template of the declaration\nhelp: "
                )?;
                did_you_mean(f, similar.as_ref(), |f| {
                    if *is_bundle {
                        return write!(
                            f,
                            "`{name}` is a bundle: give its components values, as in `template {name} {{ Health(10) }}`"
                        );
                    }
                    write!(f, "declare it: `template {name} {{ Health(10) }}`")
                })
            }
            Self::Cycle { names } => {
                write!(f, "the template `{bundle}` is one of its own descendants: ")?;
                for (number, name) in names.iter().enumerate() {
                    write!(f, "{}`{name}`", if number == 0 { "" } else { " has the child " })?;
                    // Each name but the ends is the child of one and the parent of the next.
                    let is_between = number > 0 && number + 1 < names.len();
                    f.write_str(if is_between { ", which" } else { "" })?;
                }
                write!(
                    f,
                    "\nhelp: remove one of these children: a template is spawned with all its descendants"
                )
            }
        }
    }
}
