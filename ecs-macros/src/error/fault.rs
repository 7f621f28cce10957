//! The catalogue: every fault that a declaration can have, its code and its wording.
//!
//! `ERRORS.md` has a section on each code.

use std::fmt;

/// What a name can stand for.
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

/// A component or resource over which two systems conflict, and how each accesses it.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) first: &'static str,
    pub(crate) second: &'static str,
}

/// One fault of a declaration.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The parser expected something else.
    Syntax(String),
    /// There is no `world Name` header.
    NoWorld,
    /// There is a second `world Name` header.
    SecondWorld,
    /// An item begins with a word that no item begins with.
    UnknownItem { word: String, similar: Option<String> },
    /// A key that `place` doesn't have.
    UnknownKey { place: String, key: String, similar: Option<String>, known: String },
    /// A key that `place` has already.
    SecondKey { place: String, key: String },
    /// A `cfg` attribute.
    Conditional,
    /// A visibility on something other than the world.
    Visibility,
    /// A name declared twice.
    SecondName { kind: Kind, name: String },
    /// A list names what isn't declared. `other` is what the name stands for instead.
    UnknownName {
        kind: Kind,
        name: String,
        system: String,
        list: &'static str,
        similar: Option<String>,
        other: Option<Kind>,
    },
    /// A component is to be stored in an unknown way.
    UnknownStorage { word: String, component: String },
    /// A setting has an unknown value.
    UnknownSetting { setting: &'static str, word: String, similar: Option<String>, known: String },
    /// A system is to be split in an unknown way.
    UnknownStrategy { word: String, similar: Option<String> },
    /// A number that makes no sense.
    OutOfRange { what: &'static str, least: u128, most: u128 },
    /// More components, resources or systems than there can be.
    TooMany { kind: Kind, most: usize },
    /// A list names something twice.
    ListedTwice { name: String, system: String, list: &'static str },
    /// Two lists that exclude each other name the same thing.
    Contradiction {
        name: String,
        system: String,
        first: &'static str,
        second: &'static str,
        help: &'static str,
    },
    /// Several subtasks would write one resource.
    SharedResource { resource: String, system: String },
    /// `exclusive` together with inner parallelism.
    ParallelExclusive { system: String },
    /// A system ordered with itself.
    SelfDependency { system: String, list: &'static str },
    /// Systems that wait for each other. The names are in order, without the first repeated.
    Cycle { systems: Vec<String> },
    /// Two unordered systems access the same data. `filters_help` says whether filters could
    /// tell them apart, and if not, why.
    Conflict { first: String, second: String, over: Vec<Clash>, filters: Result<String, String> },
}

impl Fault {
    /// The code: 0-9 are about syntax, 10-19 about names and values, 20-29 about one system,
    /// 30-39 about systems among each other.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "E0001",
            Self::NoWorld => "E0002",
            Self::SecondWorld => "E0003",
            Self::UnknownItem { .. } => "E0004",
            Self::UnknownKey { .. } => "E0005",
            Self::SecondKey { .. } => "E0006",
            Self::Conditional => "E0007",
            Self::Visibility => "E0008",
            Self::SecondName { .. } => "E0010",
            Self::UnknownName { kind: Kind::Component, .. } => "E0011",
            Self::UnknownName { kind: Kind::System, .. } => "E0012",
            Self::UnknownName { kind: Kind::Resource, .. } => "E0013",
            Self::UnknownStorage { .. } => "E0014",
            Self::UnknownSetting { .. } => "E0015",
            Self::UnknownStrategy { .. } => "E0016",
            Self::OutOfRange { .. } => "E0017",
            Self::TooMany { .. } => "E0018",
            Self::ListedTwice { .. } => "E0020",
            Self::Contradiction { .. } => "E0021",
            Self::SharedResource { .. } => "E0022",
            Self::ParallelExclusive { .. } => "E0023",
            Self::SelfDependency { .. } => "E0030",
            Self::Cycle { .. } => "E0031",
            Self::Conflict { .. } => "E0032",
        }
    }

    /// What to say at the other token of a fault that has two.
    pub(crate) fn other_side(&self) -> Option<String> {
        let Self::Conflict { first, second, over, .. } = self else { return None };
        let Clash { kind, name, first: by_first, second: by_second } = over.first()?;
        Some(format!("`{first}` {by_first} the {kind} `{name}` here, which `{second}` {by_second}"))
    }
}

/// The message: what is wrong, and after `help:` the line to add or to change.
impl fmt::Display for Fault {
    #[expect(clippy::too_many_lines, reason = "one arm per fault: the wording is in one place")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(message) => f.write_str(message),
            Self::NoWorld => f.write_str(
                "the declaration has no world\n\
                 help: begin it with `world Name;` or `world Name { … }`",
            ),
            Self::SecondWorld => f.write_str(
                "the declaration has a second world\n\
                 help: write one `world!` for each world",
            ),
            Self::UnknownItem { word, similar } => {
                write!(f, "no item begins with `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| {
                    f.write_str("the items are `world`, `component`, `resource` and `system`")
                })
            }
            Self::UnknownKey { place, key, similar, known } => {
                write!(f, "{place} has no key `{key}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| write!(f, "the keys are {known}"))
            }
            Self::SecondKey { place, key } => {
                write!(f, "{place} has `{key}` twice\nhelp: join the two into one `{key}`")
            }
            Self::Conditional => f.write_str(
                "`cfg` cannot decide about a part of a declaration, because indices and the \
                 order of systems depend on all parts\n\
                 help: put `#[cfg(…)]` on the whole `world!`, or on types that it names",
            ),
            Self::Visibility => f.write_str(
                "only the world has a visibility\n\
                 help: remove it; what is generated here is as visible as the world",
            ),
            Self::SecondName { kind, name } => {
                write!(f, "the {kind} `{name}` is declared twice\nhelp: ")?;
                match kind {
                    Kind::System => write!(
                        f,
                        "give one of the two another name: `system Other: {name} {{ … }}`"
                    ),
                    Kind::Component => f.write_str(
                        "remove one of the two: a component is in one buffer. Two components of \
                         one type need two types",
                    ),
                    Kind::Resource => f.write_str("remove one of the two"),
                }
            }
            Self::UnknownName { kind, name, system, list, similar, other } => {
                write!(f, "the system `{system}` names an unknown {kind} `{name}` in `{list}`")?;
                f.write_str("\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| match (other, kind) {
                    (Some(other), _) => write!(f, "`{name}` is a {other}"),
                    (None, Kind::Component) => {
                        write!(f, "declare it: `component {name}: contiguous_buffer;`")
                    }
                    (None, Kind::Resource) => write!(f, "declare it: `resource {name};`"),
                    (None, Kind::System) => write!(f, "declare it: `system {name} {{ … }}`"),
                })
            }
            Self::UnknownStorage { word, component } => write!(
                f,
                "the component `{component}` has an unknown storage strategy `{word}`\n\
                 help: write `contiguous_buffer`"
            ),
            Self::UnknownSetting { setting, word, similar, known } => {
                write!(f, "`{setting}` cannot be `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| write!(f, "it can be {known}"))
            }
            Self::UnknownStrategy { word, similar } => {
                write!(f, "there is no inner-parallelism strategy `{word}`\nhelp: ")?;
                did_you_mean(f, similar.as_ref(), |f| {
                    f.write_str(
                        "use `none`, `split_evenly(n)`, `split_evenly(cores)`, `split_every(n)`, \
                         `none_below_threshold(n, s)`, `fixed_threshold(n, s, t)` or the path of a \
                         type that implements `Strategy`",
                    )
                })
            }
            Self::OutOfRange { what, least, most } => {
                write!(f, "{what} must be at least {least}")?;
                if *most < u128::MAX {
                    write!(f, " and at most {most}")?;
                }
                Ok(())
            }
            Self::TooMany { kind, most } => {
                write!(f, "a world has at most {most} {kind}s, and this is one more")
            }
            Self::ListedTwice { name, system, list } => write!(
                f,
                "the system `{system}` names `{name}` twice in `{list}`\n\
                 help: remove one of the two"
            ),
            Self::Contradiction { name, system, first, second, help } => write!(
                f,
                "the system `{system}` names `{name}` in `{first}` and in `{second}`\nhelp: {help}"
            ),
            Self::SharedResource { resource, system } => write!(
                f,
                "the system `{system}` writes the resource `{resource}` from several subtasks\n\
                 help: declare `parallelism: none` for `{system}`, or put the result into its \
                 `output` and let a system with `inputs: [{system}]` write the resource"
            ),
            Self::ParallelExclusive { system } => write!(
                f,
                "the system `{system}` is exclusive, so it runs as one subtask\n\
                 help: remove `parallelism`, or remove `exclusive`"
            ),
            Self::SelfDependency { system, list } => write!(
                f,
                "the system `{system}` names itself in `{list}`\n\
                 help: remove it; a system can reach its own state and output anyway"
            ),
            Self::Cycle { systems } => {
                f.write_str("these systems wait for each other: ")?;
                for system in systems {
                    write!(f, "{system} -> ")?;
                }
                write!(f, "{}\nhelp: ", systems[0])?;
                f.write_str("remove one of these from `dependencies`, `before` or `inputs`")
            }
            Self::Conflict { first, second, over, filters } => {
                write!(f, "the systems `{first}` and `{second}` are not ordered")?;
                for (i, clash) in over.iter().enumerate() {
                    let and = if i == 0 { ", but" } else { ", and" };
                    let Clash { kind, name, first: by_first, second: by_second } = clash;
                    write!(f, "{and} `{first}` {by_first} and `{second}` {by_second} ")?;
                    write!(f, "the {kind} `{name}`")?;
                }
                write!(
                    f,
                    "\nhelp: order them: add `dependencies: [{first}]` to `system {second}`, or \
                     the other way round"
                )?;
                match filters {
                    Ok(how) => write!(f, "\nhelp: {how}"),
                    Err(why) => write!(f, "\nnote: {why}"),
                }
            }
        }
    }
}

/// Offers the similar word, or else what the fallback says.
fn did_you_mean(
    f: &mut fmt::Formatter<'_>,
    similar: Option<&String>,
    fallback: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    match similar {
        Some(similar) => write!(f, "did you mean `{similar}`?"),
        None => fallback(f),
    }
}
