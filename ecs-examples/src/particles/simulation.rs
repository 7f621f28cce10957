//! The particle world for the program's interface [`ParticleWorld`].

use std::sync::Arc;

use ecs_core::settings::Settings;
use ecs_core::{Entity, Threads, World};
use rayon::ThreadPool;

use super::Disc;
use super::components::{Acceleration, Circle, Color, Life, Position, Velocity};
use super::world::Collide;
use super::world::Particles;
use crate::simulation::{FrameReport, ParticleWorld, Simulation, SimulationError};

/// A world of discs with the settings `S`.
#[derive(Debug)]
pub struct DiscWorld<S: Settings> {
    world: World<Particles, S>,
}

impl<S: Settings> DiscWorld<S> {
    /// A world with the given discs, on the threads of `pool`.
    ///
    /// # Errors
    /// If there are more discs than the limit of the settings.
    pub fn new(
        pool: &Arc<ThreadPool>,
        discs: impl Iterator<Item = Disc>,
    ) -> Result<Self, SimulationError> {
        let mut world = World::on(Threads::Pool(Arc::clone(pool)));
        let bundles = discs.map(|disc| {
            (
                Acceleration(disc.acceleration),
                Velocity(disc.velocity),
                Position(disc.position),
                Life(disc.life),
                Color(disc.color),
                Circle(disc.radius),
            )
        });
        let created = world.step(|step| {
            step.spawn_batch(bundles);
        });
        match created {
            Ok(()) => Ok(Self { world }),
            Err(limit) => Err(error(limit)),
        }
    }
}

impl<S: Settings> DiscWorld<S> {
    /// The discs of a world.
    #[must_use]
    pub const fn of(world: World<Particles, S>) -> Self {
        Self { world }
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World<Particles, S> {
        &self.world
    }
}

fn error(error: impl std::error::Error) -> SimulationError {
    SimulationError::new(error.to_string())
}

impl<S: Settings> Simulation for DiscWorld<S> {
    fn frame(&mut self) -> Result<FrameReport, SimulationError> {
        self.world
            .step(|step| {
                step.execute_systems();
                let mut contacts = 0;
                step.output_parts_of::<Collide>().for_each(|found| {
                    contacts += found.len() as u64;
                });
                FrameReport { contacts }
            })
            .map_err(error)
    }

    fn alive(&self) -> usize {
        self.world.entity_count()
    }
}

impl<S: Settings> ParticleWorld for DiscWorld<S> {
    fn for_each_disc(&self, visit: &mut dyn FnMut(u32, &Disc)) {
        type Terms<'a> =
            (Entity, &'a Acceleration, &'a Velocity, &'a Position, &'a Life, &'a Color, &'a Circle);
        // No disc is created after the first frame, so the entity's index is the creation index.
        for (entity, a, v, p, life, color, circle) in self.world.iter::<Terms<'_>>() {
            let disc = Disc {
                position: p.0,
                velocity: v.0,
                acceleration: a.0,
                color: color.0,
                radius: circle.0,
                life: life.0,
            };
            visit(entity.index(), &disc);
        }
    }
}
