//! The bodies, for any world that includes the set.

use ecs_core::{Data, System};

use crate::{Gravity, Landed, MotionWorld, Moves, Rest, Velocity};

/// Makes things faster.
#[derive(Debug, Default)]
pub struct Accelerate;

/// Moves things, down to the ground.
#[derive(Debug)]
pub struct Advance {
    /// The lowest place.
    pub ground: f32,
}

/// Counts moves.
#[derive(Debug, Default)]
pub struct Census;

/// Sends heights.
#[derive(Debug, Default)]
pub struct Report;

/// Takes speed away.
#[derive(Debug, Default)]
pub struct Slow;

impl<D: MotionWorld> System<D> for Accelerate {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let gravity = data.resources.get::<Gravity>().0;
        data.own.for_entities(|e| e.velocity.0 += gravity);
    }
}

impl<D: MotionWorld> System<D> for Advance {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            e.position.0 = (e.position.0 + e.velocity.0).max(self.ground);
            effects.output().push(e.entity);
            if e.position.0 <= self.ground {
                effects.insert(e.entity, Landed);
            }
        });
    }
}

impl<D: MotionWorld> System<D> for Census {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let moved = data.effects.outputs_of::<Advance>().flatten().count();
        data.resources.get_mut::<Moves>().0 += moved;
    }
}

impl<D: MotionWorld> System<D> for Report {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        let mut heights = effects.stream();
        own.for_entities(|e| heights.send(e.position.0));
    }
}

impl<D: MotionWorld> System<D, Rest> for Slow {
    fn process(&self, data: &mut Data<'_, D, Rest>) {
        data.own.query::<&mut Velocity>().for_each(|velocity| velocity.0 = 0.0);
    }
}
