//! Entities: opaque handles, places within a step, and the metadata behind them (thesis, 9.2 and 12.3).

mod allocate;
mod archetypes;
mod gaps;
mod handle;
mod locate;
mod marks;
mod masks;
mod metadata;
mod place;
mod relocate;
mod row_ranges;
mod slots;
mod spare;
mod spawned;
mod withheld;

pub(crate) use allocate::{Lengths, Tables};
pub use handle::Entity;
pub use locate::Locate;
pub(crate) use marks::Marks;
pub(crate) use masks::Masks;
pub use metadata::LimitReached;
pub(crate) use metadata::{Entities, advice};
pub use place::Place;
pub(crate) use row_ranges::{AllocatedRows, RowRanges};
pub(crate) use slots::Handles;
pub use spawned::Spawned;
