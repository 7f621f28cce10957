//! Pairs of points that are near each other: by a join over the cells of a grid, by the same code by hand, and
//! among all pairs. A quarter of the time of the join by hand is that of its grid; both make their grid anew.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ecs_core::joins::{Cell, Grid, Index};
use ecs_core::{Data, Threads, World, world};
use ecs_examples::core_ecs::pairs::points;

/// The numbers of points.
const POINTS: [u32; 2] = [2_000, 20_000];
/// The distance below which two points are a pair.
const REACH: f32 = 1.0;
const GRID: Grid<2> = Grid::new(REACH * 1.001);

#[derive(Clone, Copy)]
struct Point([f32; 2]);
struct Neighbours(u32);

world! {
    world Plane;
    component Point, Neighbours;
    query Cells { read: [Point], index: ByCell, parallelism: split_evenly(cores) }
    query All { read: [Point] }
    system Join {
        parallelism: split_evenly(cores),
        read: [Point],
        write: [Neighbours],
        queries: [Cells],
        run: join_by_cells,
    }
    system Product {
        dependencies: [Join],
        parallelism: split_evenly(cores),
        read: [Point],
        write: [Neighbours],
        queries: [All],
        run: join_all,
    }
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

fn is_near(p: [f32; 2], q: [f32; 2]) -> bool {
    let [x, y] = [p[0] - q[0], p[1] - q[1]];
    x * x + y * y < REACH * REACH
}

fn join_by_cells(data: &mut Data<'_, Plane, Join>) {
    data.own.query::<(&Point, &mut Neighbours)>().join(
        data.effects.lookup::<Cells, &Point>(),
        |(point, _)| GRID.cell(point.0).around(),
        |(point, neighbours), other| neighbours.0 += u32::from(is_near(point.0, other.0)),
    );
}

fn join_all(data: &mut Data<'_, Plane, Product>) {
    data.own.query::<(&Point, &mut Neighbours)>().pairs(
        data.effects.members::<All, &Point>(),
        |(point, neighbours), other| {
            neighbours.0 += u32::from(is_near(point.0, other.0));
        },
    );
}

fn filled(points: &[[f32; 2]], threads: Threads) -> World<Plane> {
    let mut world = World::<Plane>::on(threads);
    let filled = world.step(|step| {
        for &point in points {
            step.spawn((Point(point), Neighbours(0)));
        }
    });
    filled.expect("nothing is staged");
    world
}

/// The same by hand, for a box that is known beforehand: a counting sort of the points, with their coordinates, into a
/// dense grid.
struct ByHand {
    width: usize,
    starts: Vec<u32>,
    sorted: Vec<[f32; 2]>,
    neighbours: Vec<u32>,
}

impl ByHand {
    fn new(points: &[[f32; 2]], side: f32) -> Self {
        // One more cell on each side, so that each cell has neighbours.
        let width = (side / GRID.size()) as usize + 3;
        Self {
            width,
            starts: vec![0; width * width + 2],
            sorted: vec![[0.0; 2]; points.len()],
            neighbours: vec![0; points.len()],
        }
    }

    fn cell(&self, [x, y]: [f32; 2]) -> usize {
        let [x, y] = [x, y].map(|coordinate| (coordinate / GRID.size()) as usize + 1);
        x * self.width + y
    }

    fn run(&mut self, points: &[[f32; 2]]) {
        self.starts.fill(0);
        for &point in points {
            let cell = self.cell(point);
            self.starts[cell + 2] += 1;
        }
        for cell in 2..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        for &point in points {
            let end = self.cell(point) + 1;
            self.sorted[self.starts[end] as usize] = point;
            self.starts[end] += 1;
        }
        for (n, &point) in points.iter().enumerate() {
            let cell = self.cell(point);
            let mut count = 0;
            for column in [cell - self.width, cell, cell + self.width] {
                // Three cells of a column are contiguous.
                let (start, end) = (self.starts[column - 1], self.starts[column + 2]);
                let near = &self.sorted[start as usize..end as usize];
                count += near.iter().map(|&other| u32::from(is_near(point, other))).sum::<u32>();
            }
            self.neighbours[n] += count;
        }
    }
}

fn joins(c: &mut Criterion) {
    let mut group = c.benchmark_group("joins");
    group.sample_size(10);
    for count in POINTS {
        // About two points to a cell.
        let side = (count as f32 / 2.0).sqrt();
        let points = points(count, side);
        let mut by_hand = ByHand::new(&points, side);
        by_hand.run(&points);
        let mut world = filled(&points, Threads::Inline);
        let step = |world: &mut World<Plane>| {
            let join = world.step(|step| {
                step.execute_with(|systems| systems.for_subtasks::<Product>(|_, _| {}));
            });
            join.expect("nothing is staged");
        };
        step(&mut world);
        let mut found = Vec::new();
        for neighbours in world.iter::<&Neighbours>() {
            found.push(neighbours.0);
        }
        assert_eq!(found, by_hand.neighbours);
        group.bench_function(BenchmarkId::new("by hand, 1 thread", count), |bench| {
            bench.iter(|| {
                by_hand.run(&points);
                black_box(&by_hand.neighbours);
            });
        });
        for (name, threads) in
            [("join, 1 thread", Threads::Inline), ("join, all threads", Threads::Global)]
        {
            let mut world = filled(&points, threads);
            group.bench_function(BenchmarkId::new(name, count), |bench| {
                bench.iter(|| step(&mut world));
            });
        }
        let mut world = filled(&points, Threads::Inline);
        group.bench_function(BenchmarkId::new("product, 1 thread", count), |bench| {
            bench.iter(|| {
                let product = world.step(|step| step.execute_systems_from::<(Product,)>());
                product.expect("nothing is staged");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, joins);
criterion_main!(benches);
