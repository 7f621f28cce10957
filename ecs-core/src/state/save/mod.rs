//! *Saves*: worlds as bytes, for files and for other machines. They need the feature `serde`.
//!
//! [`World::save`](crate::World::save) writes a world. [`World::load`](crate::World::load) replaces the state of a world by a saved one. The loaded
//! world goes on with the same bits, on any number of threads and with any settings, with one exception: with
//! [rows by archetype](crate::settings::ByArchetype), later entities have another order than without.
//!
//! A save has all that a [snapshot](crate::snapshot) has, except for outputs: entities with their ids and those of future ones, rows, components,
//! resources, events, relations, states of systems and of the world, subscriptions by hand, marks of changes, removed values,
//! and the seed and position of random numbers. [`transient`](crate::snapshot) parts are not saved.
//!
//! A declaration can be saved if all of its parts have bytes. The values of a type are written
//!
//! | the type | as |
//! | --- | --- |
//! | is plain old data: it implements `NoUninit` and `CheckedBitPattern` of [`bytemuck`](https://docs.rs/bytemuck) | its bytes in memory |
//! | has no size, and a `Default` | nothing |
//! | implements `Serialize` and `DeserializeOwned` of [`serde`](https://docs.rs/serde) | [`postcard`](https://docs.rs/postcard) |
//!
//! The first row that applies decides. A save can be loaded only on machines with the byte order of the machine that has written it; its header
//! names that order.
//!
//! # Saves of older and newer programs
//! Components, resources and systems are found by their names; their order in the declaration does not matter. What a save lacks is as in a new
//! world. A [`SaveFormat`] declares all other changes: versions, former names, migrations, and parts that are left out. A change that it does not
//! declare is a [`LoadError`], which names the part and the change.
//!
//! A program can keep the parts that only another program knows, for example a newer one or one with more modules, and write them back:
//! [`SaveFormat::with_lengths`], [`SaveFormat::keep`] and [`UnknownParts`].
//!
//! # Text
//! `TextFormat`, with the feature `ron`, writes worlds and prefabs as text for people and tests.
//!
//! # Prefabs
//! The bytes of a [`Prefab`](crate::Prefab) are a save with its entities, their components and the links between them, and nothing else:
//! [`Prefab::save`](crate::Prefab::save), [`World::load_prefab`](crate::World::load_prefab). So former names, versions and migrations
//! apply to prefabs, too, and the save of a world can be loaded as a prefab.
//!
//! # Deltas
//! [`delta`] gives the difference between two saves as bytes, and [`apply_delta`] makes the later save out of the earlier one. A peer that joins a
//! running game gets a save first, and then deltas.
//!
//! # Untrusted bytes
//! Any bytes give a world or an error, and an error leaves the world unchanged. A length in a save takes no memory before the bytes for it are there.
//! A forged save can put any values into a world, and no more than that: handles may be those of no entity, and
//! components may have values that the program never gives them. `Deserialize` and `CheckedBitPattern` are the place for checks of values.
//! The checksum at the end finds damage, not forgery.
//!
//! Three limits remain. `Deserialize` of a type that contains itself, like a list of boxes, recurses as deep as
//! the bytes say, and may overflow the stack. `Deserialize` of a list of values without bytes, like `Vec<()>`, takes any length. With rows
//! [by archetype](crate::settings::ByArchetype), a page without entities takes 9 bytes in the save, and up to 64 KiB of memory after the load.
//!
//! # The format
//! Numbers are little endian. Names and lists have their lengths (`u64`) before them. A handle is its generation, then its index; by `serde` the index
//! is first. A row without an index has the handle whose index and generation are both 2³² − 1. A save is, in this order:
//!
//! - `ecsworld`, the number of the format (`u32`, now 1), a byte for the order of bytes (1: little endian, 2: big endian), and the name of the declaration;
//! - *parts*: a byte for the kind (1: the world, 2: entities, 3: a component, 4: a resource, 5: a system, 6: a state), the name, a byte for the form of
//!   the values (0: `postcard`, 1: bytes of memory, 2 and 3: none; 4 more for those of events, 8 more for those of links), the version (`u32`), the
//!   size of a value in memory (`u64`, for form 1), and frames. Each frame has its length (`u64`) before it, and the last one is empty;
//! - a byte of 0, which ends the parts;
//! - the 64-bit XXH3 of all bytes before it.
//!
//! The first byte of a component's frame says what is in the frame:
//!
//! - 0: a page of 4 096 rows. It has the number of the page (`u32`), a bit for each row (in words of 64, up to that of the last entity), which says whether
//!   the row has the component, and the values;
//! - 1, 2: marks of changes;
//! - 3: removed values;
//! - 4: the lengths of the values of the page before, which are by `postcard`, if a format asks for them. It has the number of the page, and the number
//!   of bytes of each value, or one number if all are equal; these are seven bits in a byte, the lowest first.
//!
//! Saves are not compressed. A writer can compress: `world.save(FrameEncoder::new(file))` with `lz4_flex`, for example.

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
