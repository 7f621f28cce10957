//! A frame of a game: 40 components, 59 systems, and about one entity in a hundred that is despawned while another is spawned.
//!
//! Units look for targets, think, walk, fight and are animated; projectiles follow what they were shot at; particles fall
//! and fade; scenery and pickups are drawn. All but eight bosses, a player and a camera are many.
//!
//! - [`components`] and [`events`]: the data. Handles of entities differ from library to library, so the components
//!   `Target` and `Owner` are declared where a library is used, and [`events`] are generic over the handle.
//! - [`rules`]: what each system does to one entity, or with one event.
//! - [`start`]: the entities of the first frame, and those that are spawned later.
//! - [`summary`]: a number for a state that does not depend on the order of entities or on their handles.
//! - [`library`]: the game in this library. `benches/peers` has it in other libraries, with the rest of this folder.
//!
//! All arithmetic is per entity, or over whole numbers, so that no result depends on an order that libraries choose.
//! Entities appear, disappear and change their components at the end of a frame.

pub mod components;
pub mod events;
pub mod library;
pub mod rules;
pub mod start;
pub mod summary;
