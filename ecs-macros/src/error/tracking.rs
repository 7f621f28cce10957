//! Faults about tracked components, and their messages.

use std::fmt;

use super::parts::write_order;

/// A fault about a component that a system asks about, or should.
#[derive(Clone, Debug)]
pub(crate) enum TrackingFault {
    /// Code takes a component by the wrong type of reference. `asking` is a system that asks about it: then the reference
    /// leaves no mark, and otherwise it leaves one that no system sees.
    Reference { system: String, component: String, asking: Option<String> },
    /// A system asks about a component that it does not access.
    NotAccessed { system: String, component: String, list: &'static str },
    /// Two unordered systems meet at the marks of a component.
    OverMarks {
        first: String,
        second: String,
        component: String,
        asking: String,
        remote: bool,
        producer: Option<String>,
    },
    /// A system asks about a component, and its code is called for every entity.
    BesideEach { system: String, component: String, list: &'static str },
}

impl fmt::Display for TrackingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference { system, component, asking: Some(asking) } => write!(
                f,
                "the system `{system}` takes `&mut {component}`, which would leave no mark of a change, and `{asking}` asks \
                 for changes of `{component}`\n\
                 help: take `Mut<{component}>`, which marks when it is written through: `mut name: Mut<{component}>`"
            ),
            Self::Reference { system, component, asking: None } => write!(
                f,
                "the system `{system}` takes `Mut<{component}>`, but no system asks for changes of `{component}`\n\
                 help: take `&mut {component}`, or let a system have `changed: [{component}]`"
            ),
            Self::NotAccessed { system, component, list } => write!(
                f,
                "the system `{system}` asks by `{list}` about `{component}`, which it does not access\n\
                 help: add `{component}` to `read`"
            ),
            Self::OverMarks { first, second, component, asking, remote, producer } => {
                write!(
                    f,
                    "the systems `{first}` and `{second}` are not ordered, and meet at the marks of `{component}`, of which \
                     `{asking}` asks for changes"
                )?;
                write_order(f, [first, second], *remote, producer.as_ref())?;
                f.write_str("\nnote: filters do not help, because 64 entities share the marks")
            }
            Self::BesideEach { system, component, list: "removed" } => write!(
                f,
                "the system `{system}` asks by `removed` about `{component}`, but its code in `each` is called for every \
                 entity\n\
                 help: write `run: |data| …`, and loop over `data.own.removed::<{component}>()`"
            ),
            Self::BesideEach { system, component, list } => write!(
                f,
                "the system `{system}` asks by `{list}` about `{component}`, but its code in `each` is called for every \
                 entity\n\
                 help: write `run: |data| …`, and loop over `data.own.{list}::<{component}, &{component}>()`"
            ),
        }
    }
}
