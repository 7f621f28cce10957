//! Finding the discs that touch.

use ecs_core::{Data, Place, System};

use super::SpatialPartition;
use crate::particles::world::Particles;

/// Finds the contacts of each disc with those created before it that share the cell of its centre.
///
/// The partition has one grid per subtask, and this system reads all of them, so it declares `slice_dependent`. The
/// contacts still do not depend on the number of grids. A subtask does not search contacts of its own entities, but of
/// the same number of discs that are consecutive by cell. It merges the parts of the grids that it needs, with the
/// discs of each cell in the order of creation. So all subtasks together find the contacts that a search in one grid
/// finds. (The largest radius, which limits the cells to visit, is that of all discs.)
#[derive(Debug, Default)]
pub struct Collide;

impl System<Particles> for Collide {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let (own, effects) = data.split();
        let count = own.entity_count();
        let Some(first) = own.query::<Place>().into_iter().next() else { return };
        let shards = effects.output_parts_of::<SpatialPartition>();
        effects.output().find(&shards, first, count);
    }
}
