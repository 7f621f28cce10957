//! Indices of queries.

use ecs_core::joins::{ByRow, Cell, Grid, Index, Numbered};
use ecs_core::{Data, System, Threads, World, world};

use super::ALLOCATIONS;

struct Point([f32; 2]);
struct Neighbours(u32);

const GRID: Grid<2> = Grid::new(1.0);

world! {
    world Plane;
    component Point: contiguous_buffer;
    component Neighbours: contiguous_buffer;
    query Cells { read: [Point], index: ByCell, parallelism: split_every(1000) }
    query All { read: [Point] }
    query Columns { read: [Point], index: ByColumn, parallelism: split_every(1000) }
    system Line {
        parallelism: split_every(1000),
        read: [Point],
        queries: [Columns],
        output: ByRow<f32>,
    }
    system Look {
        parallelism: split_every(1000),
        read: [Point],
        write: [Neighbours],
        queries: [Cells, All],
    }
    system Move { write: [Point], dependencies: [Look, Line] }
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

#[derive(Default)]
struct ByColumn;

impl Index for ByColumn {
    type Entry<'a> = ColumnsEntry<'a>;
    type Key = Numbered<f32, 300>;

    fn key(&self, e: ColumnsEntry<'_>) -> Numbered<f32, 300> {
        Numbered::new(e.point.0[0] as usize, e.point.0[1])
    }
}

#[derive(Default)]
struct Line;

impl System<Plane> for Line {
    fn process(&self, data: &mut Data<'_, Plane, Self>) {
        data.effects.for_sorted::<Columns, _>(&data.own, |own, _, items| items.push(own.value));
        assert!(!data.effects.output().is_empty());
    }
}

#[derive(Default)]
struct Look;

impl System<Plane> for Look {
    fn process(&self, data: &mut Data<'_, Plane, Self>) {
        data.own.query::<(&Point, &mut Neighbours)>().join(
            data.effects.lookup::<Cells, &Point>(),
            |(point, _)| GRID.cell(point.0).around(),
            |(_, neighbours), _| neighbours.0 += 1,
        );
        assert_eq!(data.effects.members::<All, &Point>().into_iter().take(3).count(), 3);
    }
}

#[derive(Default)]
struct Move;

impl System<Plane> for Move {
    fn process(&self, data: &mut Data<'_, Plane, Self>) {
        // Every entity moves to another cell, and the number of cells stays the same.
        data.own.for_entities(|e| e.point.0[0] += 1.0);
    }
}

#[test]
fn nor_does_an_index() {
    let mut world = World::<Plane>::on(Threads::Inline);
    world
        .step(|step| {
            for n in 0..20_000 {
                let (x, y) = (n % 200, n / 200);
                step.spawn((Point([x as f32, y as f32]), Neighbours(0)));
            }
        })
        .unwrap();
    let mut step = || world.tick().unwrap();
    step();
    let before = ALLOCATIONS.get();
    (0..3).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 3 steps");
    let mut total = 0;
    for neighbours in world.iter::<&Neighbours>() {
        total += neighbours.0;
    }
    assert_eq!(total, 4 * (200 * 3 - 2) * (100 * 3 - 2));
}
