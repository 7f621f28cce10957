//! Finding the discs that touch.

use ecs_core::{Data, Place, System};

use super::SpatialPartition;
use crate::particles::world::Particles;

/// Finds the contacts of each disc with those created before it that share the cell of its centre.
///
/// The partition is a grid for each of its subtasks, and all of them are looked at: so it declares
/// `slice_dependent`. Still the contacts do not depend on how many there are. A subtask does not look for contacts of its own
/// entities, but of as many discs that follow one another by cell; it merges the grids for that, as far as it needs them, and each cell's
/// discs are in the order of creation. So the contacts of all subtasks together are those that one would find in one
/// grid. (The largest radius, up to which cells are looked at, is that of all discs.)
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
