//! Pairs of entities: each drone finds the beacons near it.
//!
//! A `query` names the second entity of each pair. Its `index` sorts the members by a key, here by the cell of a
//! grid, so a system looks only at members in the cells around its own entity. A system says which components of the
//! members it reads. Without an index, `Query::pairs` visits all pairs.
//!
//! Run it: `cargo run -p ecs-core --example 08_pairs`

use std::error::Error;

use ecs_core::joins::Coordinates;
use ecs_core::{Data, World, world};

#[derive(Clone, Copy)]
struct Position([f32; 2]);
struct Range(f32);
#[derive(Debug, PartialEq)]
struct InSight(u32);

impl Coordinates for Position {
    type Point = [f32; 2];

    fn coordinates(&self) -> [f32; 2] {
        self.0
    }
}

world! {
    world Map;

    component Position, Range, InSight;

    // Cells of 10 × 10: no range is longer.
    query Beacons { index: by_cell(Position, 10.0), read: [Range] }
    system Drift { without: [Range], each: |position: &mut Position| position.0[0] += 1.0 }
    // The index is made after `Drift`, by itself.
    system Look {
        read: [Position],
        write: [InSight],
        queries: [Beacons(Position, Range)],
        dependencies: [Drift],
        run: look,
    }
}

/// Counts the beacons around each drone.
fn look(data: &mut Data<'_, Map, Look>) {
    data.own.query::<&mut InSight>().for_each(|in_sight| in_sight.0 = 0);
    let beacons = data.effects.near::<Beacons, (&Position, &Range)>();
    data.own.query::<(&Position, &mut InSight)>().near(
        beacons,
        |(position, _)| position.0,
        |(position, in_sight), (beacon, range)| {
            let [x, y] = [0, 1].map(|i| position.0[i] - beacon.0[i]);
            in_sight.0 += u32::from(x * x + y * y <= range.0 * range.0);
        },
    );
}

/// Counts the beacons that three drones see.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Map>::new();
    let beacons = [([0.0, 0.0], 3.0), ([8.0, 0.0], 9.5), ([40.0, 40.0], 1.0)];
    world.spawn_batch(beacons.map(|(at, range)| (Position(at), Range(range))));
    let drones = [[0.0, 1.0], [11.0, 5.0], [41.0, 40.0]];
    let drones = drones.map(|at| world.spawn((Position(at), InSight(0))));

    world.tick()?;
    for (drone, expected) in drones.into_iter().zip([2, 1, 0]) {
        let in_sight = world.get::<InSight>(drone);
        println!("drone {}: {in_sight:?}", drone.index());
        assert_eq!(in_sight, Some(&InSight(expected)));
    }
    Ok(())
}
