//! The declaration: the thesis's simulation (chapter 15).

use ecs_core::Entity;
use ecs_core::joins::ByRow;

use super::FRAME_SECONDS;
use super::cell::ByCell;
use super::components::{Acceleration, Circle, Color, Life, Position, Velocity};
use super::contact::Contact;
use super::systems::{Render, advance, collide, keep_in_bounds, solve_contacts};
use super::vertex::Vertices;

ecs_core::world! {
    /// Discs that bounce in a box. The dependency graph is that of the thesis's figure 15.1, with two further edges
    /// that remove its races ([`describe`](crate::program::graph::describe)).
    pub world Particles { entity_limit: dynamic(50_000) }

    component Acceleration, Velocity, Position, Life;
    component (Color, Circle): contiguous_buffer;

    /// `v += a * dt`.
    system Accelerate {
        parallelism: split_evenly(cores),
        each: |velocity: &mut Velocity, acceleration: &Acceleration| {
            advance(&mut velocity.0, acceleration.0);
        },
    }
    /// `p += v * dt`.
    system Move {
        parallelism: split_evenly(cores),
        dependencies: [Accelerate],
        each: |position: &mut Position, velocity: &Velocity| advance(&mut position.0, velocity.0),
    }
    /// Moves a disc that is past a wall back to the wall, and reverses its velocity.
    system KeepInBounds {
        parallelism: split_evenly(cores),
        dependencies: [Move],
        each: |position: &mut Position, velocity: &mut Velocity, circle: &Circle| {
            keep_in_bounds(position, velocity, circle.0);
        },
    }
    /// The discs by the cell of the box in which their centre lies.
    query SpatialPartition {
        parallelism: split_evenly(cores),
        dependencies: [KeepInBounds],
        read: [Position, Circle],
        index: ByCell,
    }
    /// Finds the contacts of each disc with those created before it that share the cell of its centre.
    system Collide {
        parallelism: split_evenly(cores),
        queries: [SpatialPartition],
        read: [Position, Circle],
        output: ByRow<Contact>,
        run: collide,
    }
    /// Solves the contacts one after the other: swaps velocities, and pushes the two discs apart.
    system SolveContacts {
        exclusive,
        inputs: [Collide],
        read: [Circle],
        write: [Position, Velocity],
        run: solve_contacts,
    }
    /// `l -= dt`; at 0 the disc is despawned.
    system Age {
        parallelism: split_evenly(cores),
        despawn,
        each: |disc: Entity, life: &mut Life, effects| {
            life.0 -= FRAME_SECONDS;
            if life.0 <= 0.0 {
                effects.despawn(disc);
            }
        },
    }
    /// `alpha = l * 10`, from 0 to 255.
    system Fade {
        parallelism: split_evenly(cores),
        dependencies: [Age],
        each: |life: &Life, color: &mut Color| color.0[3] = (life.0 * 10.0) as u8,
    }
    /// Its state is a table of directions, and its output is made anew in each frame.
    system Render {
        transient,
        parallelism: split_evenly(cores),
        dependencies: [SolveContacts, Fade],
        read: [Circle, Position, Color],
        output: Vertices,
    }
}
