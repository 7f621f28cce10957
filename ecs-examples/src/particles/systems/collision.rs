//! Finding the discs that touch.

use ecs_core::Data;

use crate::particles::contact::Search;
use crate::particles::world::{Collide, Particles, SpatialPartition};

/// Visits the discs cell by cell, so that those around are in the cache. The contacts are in the order of discs.
pub(in crate::particles) fn collide(data: &mut Data<'_, Particles, Collide>) {
    let mut search = Search::default();
    data.effects.for_sorted::<SpatialPartition, _>(&data.own, |disc, discs, contacts| {
        search.find(disc, discs, contacts);
    });
}
