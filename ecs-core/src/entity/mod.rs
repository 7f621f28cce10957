//! Entities: opaque handles, places within a step, and the metadata behind them (thesis, 9.2 and 12.3).

mod allocate;
mod archetypes;
mod despawn_marks;
mod gaps;
mod handle;
mod limit;
mod map_entities;
mod metadata;
mod pending;
mod place;
mod row_ranges;
mod slots;
mod spare;
mod spawned;
mod withheld;

pub(crate) use allocate::{Lengths, Tables};
pub(crate) use despawn_marks::DespawnMarks;
pub use handle::Entity;
pub use limit::EntityLimit;
pub(crate) use limit::{
    on_limit, refused, refused_growth, reserve_or_refuse, try_reserve, unlimited,
};
pub use map_entities::MapEntities;
pub use metadata::LimitReached;
#[cfg(feature = "serde")]
pub(crate) use metadata::bytes::{NotLoaded, entity as entity_from, put as put_entity};
pub(crate) use metadata::{Entities, advice};
pub use pending::{EffectTarget, PendingBatch, PendingEntity, Resolve};
pub(crate) use pending::{HasKeys, Keys, PendingKey};
pub(crate) use place::Row;
pub use place::{Locate, Place};
pub(crate) use row_ranges::{AllocatedRows, RowRanges};
pub(crate) use slots::{Handles, MAX_ENTITIES};
pub use spawned::Spawned;

/// The number of random cases of a test whose cases are slow: that of `PROPTEST_CASES`, else 40.
#[cfg(test)]
fn few_cases() -> proptest::prelude::ProptestConfig {
    use proptest::prelude::ProptestConfig;
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 40 };
    ProptestConfig { cases, ..default }
}
