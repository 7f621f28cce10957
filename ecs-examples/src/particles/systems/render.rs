//! Rendering: discs become triangles.

use ecs_core::{Data, Entity, System};

use crate::particles::components::{Circle, Color, Position};
use crate::particles::vertex::Fan;
use crate::particles::world::Particles;

/// Makes five triangles of each disc.
#[derive(Debug, Default)]
pub struct Render {
    fan: Fan,
}

impl System<Particles> for Render {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let Data { own, effects, .. } = data;
        let count = own.query::<Entity>().into_iter().count();
        let mut discs = effects.output().for_discs(count).iter_mut();
        own.query::<(&Position, &Circle, &Color)>().for_each(|(position, circle, color)| {
            if let Some(corners) = discs.next() {
                self.fan.write(corners, position.0, circle.0, color.0);
            }
        });
    }
}
