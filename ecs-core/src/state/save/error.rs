//! What can go wrong.

use core::{error, fmt};
use std::io;

use super::{COMPONENT, ENTITIES, RESOURCE, STATE, SYSTEM};
use crate::entity::LimitReached;

/// A part of a save.
///
/// ```
/// use ecs_core::PartKind;
///
/// assert_eq!(PartKind::Component.to_string(), "component");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// What belongs to the world as a whole, like the seed of its random numbers.
    Whole,
    /// The entities.
    Entities,
    /// A component.
    Component,
    /// A resource, an event or a relation.
    Resource,
    /// The state of a system, and who is subscribed to it by hand.
    System,
    /// A state of the world.
    State,
}

impl PartKind {
    pub(super) fn of(byte: u8) -> Self {
        match byte {
            ENTITIES => Self::Entities,
            COMPONENT => Self::Component,
            RESOURCE => Self::Resource,
            SYSTEM => Self::System,
            STATE => Self::State,
            _ => Self::Whole,
        }
    }
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "world",
            Self::Entities => "entities",
            Self::Component => "component",
            Self::Resource => "resource",
            Self::System => "system",
            Self::State => "state",
        })
    }
}

/// Why a world is not saved.
///
/// ```
/// use ecs_core::{SaveError, World, world};
///
/// world! { world Empty; }
///
/// let mut too_small = [0; 10];
/// let error = World::<Empty>::new().save(&mut too_small[..]).unwrap_err();
/// assert!(matches!(error, SaveError::Write(_)));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The writer does not take the bytes.
    Write(io::Error),
    /// A value has no bytes: its `Serialize` says so.
    Value {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What `Serialize` says.
        fault: String,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "the save cannot be written: {error}"),
            Self::Value { kind, name, fault } => {
                write!(f, "a value of the {kind} `{name}` cannot be saved: {fault}")
            }
        }
    }
}

impl error::Error for SaveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::Value { .. } => None,
        }
    }
}

/// Why a save is not loaded. The world is unchanged.
///
/// ```
/// use ecs_core::{LoadError, World, world};
///
/// world! { world Empty; }
///
/// let mut world = World::<Empty>::new();
/// assert!(matches!(world.load(b"no save"), Err(LoadError::NotASave)));
/// let mut save = Vec::new();
/// world.save(&mut save)?;
/// save[20] ^= 1;
/// let error = world.load(&save).unwrap_err();
/// assert_eq!(error.to_string(), "the save is damaged: its checksum is not that of its bytes");
/// # Ok::<_, ecs_core::SaveError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes cannot be read.
    Read(io::Error),
    /// The bytes are no save of a world.
    NotASave,
    /// The save is of another format than this version of the library knows.
    Format {
        /// The number of its format.
        found: u32,
    },
    /// The save is of a machine with another order of bytes.
    ByteOrder,
    /// The bytes have changed since they were written, or some are missing.
    Checksum,
    /// The bytes of a part are not what they should be.
    Damaged {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// The save has a part that the declaration has not.
    Unknown {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
    },
    /// The save has a part that the declaration has not, and that is to be kept, but cannot be.
    NotKept {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// A part is not saved as the declaration says.
    Changed {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What has changed.
        change: ChangedPart,
    },
    /// The world's fixed limit leaves no room for the entities.
    LimitReached(LimitReached),
}

/// In what a part of a save differs from the declaration.
///
/// ```
/// # use ecs_core::{ChangedPart, LoadError, SaveFormat, World, world};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)]
/// # struct Age(u32);
/// # world! { world Village; component Age; }
/// let mut world = World::<Village>::new();
/// let mut save = Vec::new();
/// SaveFormat::new().component::<Age>(|age| age.version(2)).save(&world, &mut save)?;
/// let Err(LoadError::Changed { change, .. }) = world.load(&save) else { panic!("it has") };
/// assert_eq!(change, ChangedPart::Version { saved: 2, declared: 1 });
/// # Ok::<_, ecs_core::SaveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangedPart {
    /// It has another version, from which there is no migration.
    Version {
        /// The version in the save.
        saved: u32,
        /// The version of the format.
        declared: u32,
    },
    /// Its values are written in another form: as plain old data, by `serde`, as events, as links, or not at all. If the form
    /// before was one of the first two, or the values were not written, another version and a migration help.
    Form,
    /// It is plain old data of another size.
    Size {
        /// The size in the save, in bytes.
        saved: u64,
        /// The size of the type.
        declared: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the save cannot be read: {error}"),
            Self::NotASave => f.write_str("the bytes are no save of a world"),
            Self::Format { found } => write!(
                f,
                "the save has format {found}, and this version of the library knows format {}",
                super::FORMAT
            ),
            Self::ByteOrder => f.write_str("the save is of a machine with another order of bytes"),
            Self::Checksum => {
                f.write_str("the save is damaged: its checksum is not that of its bytes")
            }
            Self::Damaged { kind, name, fault } => {
                write!(f, "the {kind} `{name}` of the save is damaged: {fault}")
            }
            Self::Unknown { kind, name } => write!(
                f,
                "the save has a {kind} `{name}`, which the declaration has not; give its new name by \
                 `PartFormat::renamed_from`, leave it out by `SaveFormat::without`, or keep it by `SaveFormat::keep`"
            ),
            Self::NotKept { kind, name, reason } => {
                write!(f, "the {kind} `{name}` of the save cannot be kept: {reason}")
            }
            Self::Changed { kind, name, change } => {
                write!(f, "the {kind} `{name}` has changed since it was saved: ")?;
                match change {
                    ChangedPart::Version { saved, declared } => write!(
                        f,
                        "it has version {saved} in the save and {declared} now, and `SaveFormat` has no \
                         migration from version {saved}"
                    ),
                    ChangedPart::Form => f.write_str(
                        "its values are written in another form: as plain old data, by `serde`, as events, as \
                         links, or not at all",
                    ),
                    ChangedPart::Size { saved, declared } => write!(
                        f,
                        "a value had {saved} bytes and has {declared} now; give it another version, and a \
                         migration"
                    ),
                }
            }
            Self::LimitReached(error) => write!(f, "the save does not fit: {error}"),
        }
    }
}

impl error::Error for LoadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::LimitReached(error) => Some(error),
            _ => None,
        }
    }
}
