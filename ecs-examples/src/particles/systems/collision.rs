//! Finding the discs that touch.

use ecs_core::{Data, System};

use crate::particles::contact::Search;
use crate::particles::world::{Particles, SpatialPartition};

/// Finds the contacts of each disc with those created before it that share the cell of its centre.
///
/// It visits the discs cell by cell, so that those around are in the cache. The contacts are in the order of discs.
#[derive(Debug, Default)]
pub struct Collide;

impl System<Particles> for Collide {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let mut search = Search::default();
        data.effects.for_sorted::<SpatialPartition, _>(&data.own, |disc, discs, contacts| {
            search.find(disc, discs, contacts);
        });
    }
}
