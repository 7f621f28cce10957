//! Programs: a frame of the particle simulation, and a join.

use std::sync::Arc;

use ecs_core::joins::{Cell, Grid, Index};
use ecs_core::{Data, Threads, World, world};
use ecs_examples::core_ecs::pairs::points;
use ecs_examples::particles::random_discs;
use ecs_examples::simulation::{RunConfig, Storage, Workload, Worlds};
use ecs_examples::worlds::EcsWorlds;
use rayon::ThreadPoolBuilder;

use super::steadily;

/// The thesis's simulation with 2 000 discs.
pub(super) fn particles() {
    const DISCS: usize = 2_000;
    const SEED: u64 = 1;
    let config = RunConfig {
        workload: Workload::Particles,
        entities: DISCS,
        frames: None,
        storage: Storage::Dynamic,
        inner_parallelism: false,
        threads: 1,
        seed: SEED,
    };
    // The only thread of the pool is the calling one.
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let pool = Arc::new(pool.expect("the thread is in no pool yet"));
    let mut world = EcsWorlds
        .particles(&config, &pool, &mut random_discs(DISCS, SEED))
        .expect("the limit is dynamic");
    steadily(|| {
        world.frame().expect("there is room");
    });
}

const GRID: Grid<2> = Grid::new(1.001);

struct Point([f32; 2]);
struct Neighbours(u32);

world! {
    world Plane;
    component Point, Neighbours;
    query Cells { read: [Point], index: ByCell }
    system Join { read: [Point], write: [Neighbours], queries: [Cells], run: count_neighbours }
}

#[derive(Default)]
struct ByCell;

impl Index for ByCell {
    type Entry<'a> = CellsEntry<'a>;
    type Key = Cell<2>;

    fn key(&self, e: CellsEntry<'_>) -> Cell<2> {
        GRID.cell(e.point.0)
    }
}

fn count_neighbours(data: &mut Data<'_, Plane, Join>) {
    data.own.query::<(&Point, &mut Neighbours)>().join(
        data.effects.lookup::<Cells, &Point>(),
        |(point, _)| GRID.cell(point.0).around(),
        |(point, neighbours), other| {
            let [x, y] = [point.0[0] - other.0[0], point.0[1] - other.0[1]];
            neighbours.0 += u32::from(x * x + y * y < 1.0);
        },
    );
}

/// 2 000 points, two to a cell, and the points near each, including the making of the index.
pub(super) fn join() {
    const POINTS: u32 = 2_000;
    let side = (POINTS as f32 / 2.0).sqrt();
    let mut world = World::<Plane>::on(Threads::Inline);
    let filled = world.step(|step| {
        for point in points(POINTS, side) {
            step.spawn((Point(point), Neighbours(0)));
        }
    });
    filled.expect("nothing is staged");
    steadily(|| world.tick().expect("nothing is staged"));
}
