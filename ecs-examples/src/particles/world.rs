//! The declaration: the thesis's simulation (chapter 15) on one screen.

use super::cell::ByCell;
use super::components::{Acceleration, Circle, Color, Life, Position, Velocity};
use super::contact::Contact;
use super::systems::{Accelerate, Age, Collide, Fade, KeepInBounds, Move, Render, SolveContacts};
use super::vertex::Vertices;
use ecs_core::joins::ByRow;

ecs_core::world! {
    /// Discs that bounce in a box. The dependency graph is that of the thesis's figure 15.1, with two further edges
    /// that remove its races ([`describe`](crate::graph::describe)).
    pub world Particles {
        entity_limit: dynamic(50_000),
        inner_parallelism: allow,
        scheduler: atomic_counter,
    }

    component Acceleration, Velocity, Position, Life;
    component (Color, Circle): contiguous_buffer;

    system Accelerate {
        parallelism: split_evenly(cores),
        read: [Acceleration],
        write: [Velocity],
    }
    system Move {
        parallelism: split_evenly(cores),
        dependencies: [Accelerate],
        read: [Velocity],
        write: [Position],
    }
    system KeepInBounds {
        parallelism: split_evenly(cores),
        dependencies: [Move],
        read: [Circle],
        write: [Position, Velocity],
    }
    query SpatialPartition {
        parallelism: split_evenly(cores),
        dependencies: [KeepInBounds],
        read: [Position, Circle],
        index: ByCell,
    }
    system Collide {
        parallelism: split_evenly(cores),
        queries: [SpatialPartition],
        read: [Position, Circle],
        output: ByRow<Contact>,
    }
    system SolveContacts {
        exclusive,
        inputs: [Collide],
        read: [Circle],
        write: [Position, Velocity],
    }
    system Age {
        parallelism: split_evenly(cores),
        write: [Life],
        despawn,
    }
    system Fade {
        parallelism: split_evenly(cores),
        dependencies: [Age],
        read: [Life],
        write: [Color],
    }
    system Render {
        parallelism: split_evenly(cores),
        dependencies: [SolveContacts, Fade],
        read: [Circle, Position, Color],
        output: Vertices,
    }
}
