//! Finding the discs that touch.

use ecs_core::{Data, Place, System};

use super::SpatialPartition;
use crate::particles::world::Particles;

/// Finds the contacts of each disc with those created before it that share the cell of its centre.
#[derive(Debug, Default)]
pub struct Collide;

impl System<Particles> for Collide {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let (own, effects) = data.split();
        let mut discs = own.query::<Place>().into_iter();
        let Some(first) = discs.next() else { return };
        let count = 1 + discs.count();
        let shards = effects.previous_outputs::<SpatialPartition>();
        effects.output().find(&shards, first, count);
    }
}
