//! Systems on several threads: in parallel with each other, and split.

use super::{frame, threads};
use crate::data::letters::{A, B, C, D, E};
use crate::data::{Position, Rotation, Transform, Velocity, bundle, turn};
use crate::rows::{Form, Summary, form, steady};
use ecs_core::{Data, System, World, world};
use std::mem::swap;

world! {
    /// Entities whose numbers are swapped.
    pub(super) world Swaps {
        entity_limit: dynamic(40_000),
    }
    component A: contiguous_buffer;
    component B: contiguous_buffer;
    component C: contiguous_buffer;
    component D: contiguous_buffer;
    component E: contiguous_buffer;
    system SwapAb { write: [A, B] }
    system SwapCd { write: [C, D] }
    system SwapCe { write: [C, E], dependencies: [SwapCd] }
}

/// Declares a system that swaps two components.
macro_rules! swapping {
    ($system:ident, $one:ident, $other:ident) => {
        /// Swaps two components.
        #[derive(Default)]
        pub(super) struct $system;

        impl System<Swaps> for $system {
            fn process(&self, data: &mut Data<'_, Swaps, Self>) {
                data.own.for_runs::<(&mut $one, &mut $other)>(|(ones, others)| {
                    for (one, other) in ones.iter_mut().zip(others) {
                        swap(&mut one.0, &mut other.0);
                    }
                });
            }
        }
    };
}

swapping!(SwapAb, A, B);
swapping!(SwapCd, C, D);
swapping!(SwapCe, C, E);

pub(super) fn scheduling(each: usize) -> Vec<Form> {
    let run_as = |is_single| {
        let (name, threads) = threads(is_single);
        let mut world = World::<Swaps>::on(threads);
        let filled = world.step(|step| {
            step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0))));
            step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
            step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
            step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
        });
        filled.expect("nothing is staged");
        let summary = |world: &mut World<Swaps>| {
            let mut values = Vec::new();
            for a in world.iter::<&A>() {
                values.push(a.0);
            }
            for b in world.iter::<&B>() {
                values.push(b.0);
            }
            for c in world.iter::<&C>() {
                values.push(c.0);
            }
            for d in world.iter::<&D>() {
                values.push(d.0);
            }
            for e in world.iter::<&E>() {
                values.push(e.0);
            }
            Summary::of(values)
        };
        form(name, steady(world, frame, summary))
    };
    vec![run_as(false), run_as(true)]
}

world! {
    /// Entities that turn.
    pub(super) world Turning {
        entity_limit: dynamic(1_000),
    }
    component Transform: contiguous_buffer;
    component Position: contiguous_buffer;
    component Rotation: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Turn { parallelism: split_evenly(cores), write: [Transform, Position] }
}

/// Turns entities.
#[derive(Default)]
pub(super) struct Turn;

impl System<Turning> for Turn {
    fn process(&self, data: &mut Data<'_, Turning, Self>) {
        data.own.for_entities(|e| turn(e.transform, e.position));
    }
}

pub(super) fn heavy(entities: usize) -> Form {
    let (name, threads) = threads(false);
    let mut world = World::<Turning>::on(threads);
    let filled = world.step(|step| {
        (0..entities).for_each(|i| {
            step.spawn(bundle(i));
        })
    });
    filled.expect("nothing is staged");
    let summary = |world: &mut World<Turning>| {
        let mut summary = Summary::default();
        for (t, p, r, v) in world.iter::<(&Transform, &Position, &Rotation, &Velocity)>() {
            summary.add_bundle(t, p, r, v);
        }
        summary
    };
    form(name, steady(world, frame, summary))
}
