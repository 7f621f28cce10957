//! The spatial partition: the discs by cell.

use ecs_core::{Data, Place, System};

use crate::particles::components::{Circle, Position};
use crate::particles::world::Particles;

/// Sorts the discs into the cells of the grid. Each subtask sorts its own discs into a shard of
/// its own; the concatenated shards are the grid.
#[derive(Debug, Default)]
pub struct SpatialPartition;

impl System<Particles> for SpatialPartition {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let (own, effects) = data.split();
        let shard = effects.output();
        own.query::<(Place, &Position, &Circle)>()
            .for_each(|(place, position, circle)| shard.measure(place, position.0, circle.0));
        shard.reserve();
        let mut ordinal = 0;
        own.query::<(&Position, &Circle)>().for_each(|(position, circle)| {
            shard.fill(ordinal, position.0, circle.0);
            ordinal += 1;
        });
    }
}
