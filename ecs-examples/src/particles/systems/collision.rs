//! Finding the discs that touch.

use ecs_core::{Data, Place, System};

use crate::particles::cell::Shape;
use crate::particles::components::{Circle, Position};
use crate::particles::contact::Search;
use crate::particles::world::{Particles, SpatialPartition};

/// Finds the contacts of each disc with those created before it that share the cell of its centre.
#[derive(Debug, Default)]
pub struct Collide;

impl System<Particles> for Collide {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let (own, effects) = data.split();
        let mut search = Search::new(effects.sorted::<SpatialPartition>(), effects.output());
        own.query::<(Place, &Position, &Circle)>().for_each(|(place, position, circle)| {
            let ([x, y], radius) = (position.0, circle.0);
            search.put(place, Shape { x, y, radius });
        });
        search.finish();
    }
}
