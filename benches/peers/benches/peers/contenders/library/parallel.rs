//! Systems on several threads: in parallel with each other, and split.

use super::frame;
use crate::data::letters::{A, B, C, D, E};
use crate::data::{Position, Rotation, Transform, Velocity, bundle, turn};
use crate::rows::{Contender, Summary, steady};
use ecs_core::settings::Settings;
use ecs_core::{Bundle, Declaration, HasComponent, Threads, World, world};
use std::mem::swap;

world! {
    /// Entities whose numbers are swapped.
    pub(super) world Swaps;
    component A, B, C, D, E;
    system SwapAb { each: |a: &mut A, b: &mut B| swap(&mut a.0, &mut b.0) }
    system SwapCd { each: |c: &mut C, d: &mut D| swap(&mut c.0, &mut d.0) }
    system SwapCe { each: |c: &mut C, e: &mut E| swap(&mut c.0, &mut e.0), dependencies: [SwapCd] }
}

mod flat {
    use super::{A, B, C, D, E, swap, world};

    world! {
        /// Entities whose numbers are swapped by loops over slices.
        pub(in super::super) world FlatSwaps;
        component A, B, C, D, E;
        system SwapAb {
            write: [A, B],
            run: |data| data.own.for_runs::<(&mut A, &mut B)>(|(ones, others)| {
                for (one, other) in ones.iter_mut().zip(others) {
                    swap(&mut one.0, &mut other.0);
                }
            }),
        }
        system SwapCd {
            write: [C, D],
            run: |data| data.own.for_runs::<(&mut C, &mut D)>(|(ones, others)| {
                for (one, other) in ones.iter_mut().zip(others) {
                    swap(&mut one.0, &mut other.0);
                }
            }),
        }
        system SwapCe {
            write: [C, E],
            dependencies: [SwapCd],
            run: |data| data.own.for_runs::<(&mut C, &mut E)>(|(ones, others)| {
                for (one, other) in ones.iter_mut().zip(others) {
                    swap(&mut one.0, &mut other.0);
                }
            }),
        }
    }
}

pub(super) use flat::FlatSwaps;

/// A declaration of the five letters.
pub(super) trait Five:
    Declaration<Settings: Settings>
    + HasComponent<A>
    + HasComponent<B>
    + HasComponent<C>
    + HasComponent<D>
    + HasComponent<E>
{
}

impl Five for Swaps {}
impl Five for FlatSwaps {}

pub(super) fn scheduling<W: Five>(each: usize, threads: Threads) -> impl Contender
where
    (A, B): Bundle<W>,
    (A, B, C): Bundle<W>,
    (A, B, C, D): Bundle<W>,
    (A, B, C, E): Bundle<W>,
{
    let mut world = World::<W>::on(threads);
    let filled = world.step(|step| {
        step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0))));
        step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0))));
        step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), D(3.0))));
        step.spawn_batch((0..each).map(|_| (A(0.0), B(1.0), C(2.0), E(4.0))));
    });
    filled.expect("nothing is staged");
    let summary = |world: &mut World<W>| {
        let mut values = Vec::new();
        world.iter::<&A>().for_each(|a| values.push(a.0));
        world.iter::<&B>().for_each(|b| values.push(b.0));
        world.iter::<&C>().for_each(|c| values.push(c.0));
        world.iter::<&D>().for_each(|d| values.push(d.0));
        world.iter::<&E>().for_each(|e| values.push(e.0));
        Summary::of(values)
    };
    steady(world, frame, summary)
}

/// Declares a world of entities that turn, by a system that is split in this way.
macro_rules! turning {
    ($module:ident: $strategy:ident($($count:tt)*)) => {
        pub(super) mod $module {
            use super::{Position, Rotation, Transform, Velocity, turn, world};

            world! {
                /// Entities that turn.
                pub(in super::super) world Turning;
                component Transform, Position, Rotation, Velocity;
                system Turn {
                    parallelism: $strategy($($count)*),
                    each: |transform: &mut Transform, position: &mut Position| turn(transform, position),
                }
            }

            impl super::Turned for Turning {}
        }
    };
}

turning!(evenly: split_evenly(cores));
// So short that a thread which other programs of the machine have held up is left less to do.
turning!(by_blocks: split_every(64));

/// A declaration of entities that turn.
pub(super) trait Turned:
    Declaration<Settings: Settings>
    + HasComponent<Transform>
    + HasComponent<Position>
    + HasComponent<Rotation>
    + HasComponent<Velocity>
{
}

pub(super) fn heavy<D: Turned>(entities: usize, threads: Threads) -> impl Contender
where
    (Transform, Position, Rotation, Velocity): Bundle<D>,
{
    let mut world = World::<D>::on(threads);
    world.spawn_batch((0..entities).map(bundle));
    let summary = |world: &mut World<D>| {
        let mut summary = Summary::default();
        for (t, p, r, v) in world.iter::<(&Transform, &Position, &Rotation, &Velocity)>() {
            summary.add_bundle(t, p, r, v);
        }
        summary
    };
    steady(world, frame, summary)
}
