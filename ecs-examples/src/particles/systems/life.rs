//! The life of discs, and the fading of their colors.

use ecs_core::{Data, System};

use crate::particles::FRAME_SECONDS;
use crate::particles::world::Particles;

/// `l -= dt`; at 0 the disc is despawned.
#[derive(Debug, Default)]
pub struct Age;

impl System<Particles> for Age {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.life.0 -= FRAME_SECONDS;
            if e.life.0 <= 0.0 {
                effects.despawn(e.entity);
            }
        });
    }
}

/// `alpha = l * 10`, from 0 to 255.
#[derive(Debug, Default)]
pub struct Fade;

impl System<Particles> for Fade {
    fn process(&self, data: &mut Data<'_, Particles, Self>) {
        data.own.for_entities(|e| e.color.0[3] = (e.life.0 * 10.0) as u8);
    }
}
