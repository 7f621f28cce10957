//! Entities: opaque handles, and the metadata behind them (thesis, 9.2 and 12.3).

mod handle;
mod metadata;

pub use handle::Entity;
pub(crate) use metadata::Entities;
pub use metadata::LimitReached;
