//! A library of two sets: where things are, and how they move.

mod systems;

pub use systems::{Accelerate, Advance, Census, Report, Slow};

use ecs_core::Stream;
use ecs_core::storage::SparseSetStorage;

/// Things have a place.
pub mod space {
    /// Where a thing is, on a line.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Position(pub f32);

    ecs_core::set! {
        /// Positions, without a system that changes them.
        pub set Space;
        component self::Position: contiguous_buffer;
    }
}

/// Length per step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocity(pub f32);

/// Speed per step.
#[derive(Debug)]
pub struct Gravity(pub f32);

/// How many things moved in all steps.
#[derive(Debug, Default)]
pub struct Moves(pub usize);

/// A thing that has landed.
#[derive(Clone, Copy, Debug)]
pub struct Landed;

/// The lowest place.
const GROUND: f32 = 0.0;

ecs_core::set! {
    /// Things fall until they land.
    pub set Motion;

    include space::Space;

    component Velocity: contiguous_buffer;
    component Landed: storage(SparseSetStorage<Landed>);
    resource Gravity = Gravity(-1.0);
    resource Moves;

    system Accelerate { write: [Velocity], read_resources: [Gravity], without: [Landed] }
    system Advance {
        read: [Velocity],
        write: [Position],
        without: [Landed],
        dependencies: [Accelerate],
        insert: [Landed],
        output: Vec<ecs_core::Entity>,
        parallelism: split_evenly(cores),
        state: Advance { ground: GROUND },
    }
    system Census { inputs: [Advance], write_resources: [Moves] }
    /// Streams the heights of things while it runs.
    system Report {
        read: [Position],
        output: Stream<f32>,
        parallelism: split_every(64),
        dependencies: [Advance],
    }
    /// Things that have landed lose their speed.
    system Rest: Slow { write: [Velocity], with: [Landed] }
}
