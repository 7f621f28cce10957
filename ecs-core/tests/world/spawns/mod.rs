//! Entities that are spawned: one by one, in batches, from templates, together with others.

mod one_by_one;
mod spawn_batches;
mod templates;
mod together;
