//! Where entities and values lie: rows, pages, limits, and the strategies of storage.

mod alignment;
mod by_archetype;
mod chunks;
mod limits;
mod pages_move_down;
mod past_archetypes;
mod places;
mod slots_after_a_peak;
mod stale_handles;
mod storage_limits;
mod storages;
