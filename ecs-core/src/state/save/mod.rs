//! *Saves*: worlds as bytes, for files and for other machines. They need the feature `serde`.
//!
//! [`World::save`](crate::World::save) writes a world, [`World::load`](crate::World::load) makes a world go on from there, with
//! the same bits, on any number of threads and with any settings (but [rows by archetype](crate::settings::ByArchetype) give later entities another
//! order). A save has all that a
//! [snapshot](crate::snapshot) has, except for outputs: entities with their ids and those of future ones, rows, components,
//! resources, events, relations, states of systems and of the world, subscriptions by hand, marks of changes, removed values,
//! and where systems draw random numbers. What is [`transient`](crate::snapshot) is not saved.
//!
//! A declaration can be saved if all of its parts have bytes. The values of a type are written
//!
//! | the type | as |
//! | --- | --- |
//! | is plain old data: it implements `NoUninit` and `CheckedBitPattern` of [`bytemuck`](https://docs.rs/bytemuck) | its bytes in memory |
//! | has no size, and a `Default` | nothing |
//! | implements `Serialize` and `DeserializeOwned` of [`serde`](https://docs.rs/serde) | [`postcard`](https://docs.rs/postcard) |
//!
//! in this order. A save can be loaded on machines of the same byte order only, which its header names.
//!
//! # Programs change, and saves stay
//! Each component, resource and system is found by its name. Their order does not matter. What the save has not is as in a new
//! world. For all else that has changed, a [`SaveFormat`] says what becomes of it; without that, [`LoadError`] says which part
//! is meant, and what is missing.
//!
//! Parts that only another program knows, a newer one or one with more modules, can be kept and written back:
//! [`SaveFormat::with_lengths`], [`SaveFormat::keep`] and [`UnknownParts`].
//!
//! `TextFormat`, with the feature `ron`, writes worlds as text for people and tests.
//!
//! # Parts of worlds
//! A [`Prefab`](crate::Prefab) is saved as a world that has its entities, their components and the links between them, and nothing else:
//! [`Prefab::save`](crate::Prefab::save), [`World::load_prefab`](crate::World::load_prefab). So former names, versions and migrations
//! hold for it, too, and a whole save can be loaded as a prefab. `TextFormat::save_prefab` writes one as people do.
//!
//! # Saves that follow one another
//! [`delta`] gives the bytes that make one save out of the one before, and [`apply_delta`] makes it: a peer that joins a running game gets a
//! save, and from then on deltas.
//!
//! # Bytes of strangers
//! Any bytes give a world or an error, and an error leaves the world as it was. No count is believed before there are bytes for
//! it. Whoever can write a save can put any values into a world, but no more than that: handles may be those of no entity, and
//! components may have values that the program never gives them. Checks of values are the matter of `Deserialize` and of
//! `CheckedBitPattern`. The checksum at the end finds damage, not forgery.
//!
//! Two things depend on the types of the program. `Deserialize` of a type that contains itself, like a list of boxes, goes as deep as
//! the bytes say, and may overflow the stack; and that of a list of values without bytes, like `Vec<()>`, believes any length. Where rows
//! lie [by archetype](crate::settings::ByArchetype), a page without entities takes 9 bytes of the save, and up to 64 KiB of memory later.
//!
//! # The format
//! Numbers are little endian; a handle is its generation, then its index. A save begins with `ecsworld`, the number of the format (`u32`, now 1), a byte for the order of
//! bytes (1: little endian, 2: big endian), and the name of the declaration. Then follow *parts*: a byte for the kind (1: the
//! world, 2: entities, 3: a component, 4: a resource, 5: a system, 6: a state), the name, the form of the values (0: `postcard`,
//! 1: bytes of memory, 2 and 3: none; 4 more for those of events, 8 more for those of links), the version (`u32`), the size of a
//! value in memory, if that is its form (`u64`), and frames: each has its length (`u64`) before it, the last one is empty. A byte of 0 ends the parts, and the 64-bit XXH3 of all
//! bytes before it ends the save. Names and lists have their lengths (`u64`) before them.
//!
//! The frames of a component begin with a byte for what they have. 0: the number of a page of 4 096 rows (`u32`), the rows that have the component, a bit
//! for each, as far as there are entities, and the values. 1, 2: marks of changes. 3: removed values. 4, behind a page by `postcard`, if a format asks for it: the number of the
//! page, and the number of bytes of each value, seven bits in a byte, the lowest first; once if all are the same.
//!
//! Compression is the writer's matter: `world.save(FrameEncoder::new(file))` with `lz4_flex`, for example.

pub(crate) mod bounds;
mod delta;
mod error;
mod format;
mod load;
pub(crate) mod parts;
mod prefab;
#[cfg(feature = "ron")]
mod prefab_text;
#[cfg(feature = "ron")]
pub(crate) mod text;
mod unknown;
mod write;

pub use bounds::Saveable;
pub use delta::{DeltaError, apply_delta, delta};
pub use error::{ChangedPart, LoadError, PartKind, SaveError};
pub use format::{PartFormat, SaveFormat};
pub(crate) use load::outline;
#[cfg(feature = "ron")]
pub use text::{TextError, TextFormat};
pub use unknown::UnknownParts;

/// The first bytes of a save.
const MAGIC: &[u8; 8] = b"ecsworld";

/// The number of the format.
const FORMAT: u32 = 1;

/// The byte for the order of bytes of this machine.
const BYTE_ORDER: u8 = if cfg!(target_endian = "little") { 1 } else { 2 };

/// Kinds of parts.
const END: u8 = 0;
const OF_WORLD: u8 = 1;
const ENTITIES: u8 = 2;
const COMPONENT: u8 = 3;
const RESOURCE: u8 = 4;
const SYSTEM: u8 = 5;
const STATE: u8 = 6;

/// Added to the form of values, if they are those of events or links.
const EVENTS: u8 = 4;
const LINKS: u8 = 8;
