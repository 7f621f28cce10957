//! Entities: opaque handles, places within a step, and the metadata behind them (thesis, 9.2 and 12.3).

mod allot;
mod allotted;
mod gaps;
mod handle;
mod kinds;
mod locate;
mod marks;
mod masks;
mod metadata;
mod newborn;
mod place;
mod slots;
mod spare;
mod spawned;
mod withheld;

pub(crate) use allot::{Lengths, Tables};
pub(crate) use allotted::{Allotted, Berths};
pub use handle::Entity;
pub use locate::Locate;
pub(crate) use marks::Marks;
pub(crate) use masks::Masks;
pub use metadata::LimitReached;
pub(crate) use metadata::{Entities, advice};
pub use place::Place;
pub(crate) use slots::Handles;
pub use spawned::Spawned;
