//! Joins by cells of a grid, compared with all pairs.

use ecs_core::joins::{Cell, Grid, Index};
use ecs_core::{Data, Entity, StateHash, System, Threads, World, world};
use proptest::prelude::*;

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, StateHash)]
struct Point([f32; 3]);
#[derive(Clone, StateHash)]
struct Push([f32; 3]);
struct Fixed;

const REACH: f32 = 1.5;
const FLAT: Grid<2> = Grid::new(REACH * 1.001);
const SPACE: Grid<3> = Grid::new(REACH * 1.001);

world! {
    world Points;
    component Point: contiguous_buffer;
    component Push: contiguous_buffer;
    component Fixed: empty;

    query Squares { read: [Point], index: BySquare, parallelism: split_every(64) }
    query Cubes { read: [Point], without: [Fixed], index: ByCube, parallelism: split_evenly(cores) }

    system Near { parallelism: split_every(64), read: [Point], queries: [Squares], output: Vec<(Entity, Entity)> }
    system Repel { parallelism: split_every(64), read: [Point], write: [Push], queries: [Cubes] }
    // Runs after the systems that read `Point`, in the same step.
    system Move { write: [Point], read: [Push], dependencies: [Near, Repel], parallelism: split_every(64) }
}

#[derive(Default)]
struct BySquare;
#[derive(Default)]
struct ByCube;
#[derive(Default)]
struct Near;
#[derive(Default)]
struct Repel;
#[derive(Default)]
struct Move;

fn flat(point: Point) -> [f32; 2] {
    [point.0[0], point.0[1]]
}

impl Index for BySquare {
    type Entry<'a> = SquaresEntry<'a>;
    type Key = Cell<2>;

    fn key(&self, e: SquaresEntry<'_>) -> Cell<2> {
        FLAT.cell(flat(*e.point))
    }
}

impl Index for ByCube {
    type Entry<'a> = CubesEntry<'a>;
    type Key = Cell<3>;

    fn key(&self, e: CubesEntry<'_>) -> Cell<3> {
        SPACE.cell(e.point.0)
    }
}

fn apart<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

impl System<Points> for Near {
    fn process(&self, data: &mut Data<'_, Points, Self>) {
        let Data { own, effects, .. } = data;
        let squares = effects.lookup::<Squares, (Entity, &Point)>();
        own.query::<(Entity, &Point)>().join(
            squares,
            |(_, point)| FLAT.cell(flat(**point)).around(),
            |&mut (a, p), (b, q)| {
                if a < b && apart(flat(*p), flat(*q)) < REACH * REACH {
                    effects.output().push((a, b));
                }
            },
        );
    }
}

impl System<Points> for Repel {
    fn process(&self, data: &mut Data<'_, Points, Self>) {
        data.own.query::<(&Point, &mut Push)>().join(
            data.effects.lookup::<Cubes, &Point>(),
            |(point, _)| SPACE.cell(point.0).around(),
            |(point, push), other| {
                if apart(point.0, other.0) < REACH * REACH {
                    // A sum of floats depends on the order.
                    for axis in 0..3 {
                        push.0[axis] += (point.0[axis] - other.0[axis]) * 0.1;
                    }
                }
            },
        );
    }
}

impl System<Points> for Move {
    fn process(&self, data: &mut Data<'_, Points, Self>) {
        data.own.for_entities(|e| (0..3).for_each(|axis| e.point.0[axis] += e.push.0[axis]));
    }
}

fn filled(threads: Threads, points: &[[f32; 3]]) -> World<Points> {
    let mut world = World::<Points>::on(threads);
    world
        .step(|step| {
            for (n, point) in points.iter().enumerate() {
                let (point, push) = (Point(*point), Push([0.0; 3]));
                if n % 5 == 0 {
                    step.spawn((point, push, Fixed));
                } else {
                    step.spawn((point, push));
                }
            }
        })
        .unwrap();
    world
}

/// The pairs within reach, in ascending order.
fn near(world: &mut World<Points>) -> Vec<(Entity, Entity)> {
    let mut pairs: Vec<(Entity, Entity)> = world
        .step(|step| {
            step.execute_systems();
            step.outputs_of::<Near>().flatten().copied().collect()
        })
        .unwrap();
    pairs.sort_unstable();
    pairs
}

fn naive(world: &World<Points>) -> Vec<(Entity, Entity)> {
    let mut all = Vec::new();
    for (entity, point) in world.iter::<(Entity, &Point)>() {
        all.push((entity, flat(*point)));
    }
    let pairs = all.iter().flat_map(|a| all.iter().map(move |b| (a, b)));
    let near = pairs.filter(|(a, b)| a.0 < b.0 && apart(a.1, b.1) < REACH * REACH);
    let mut near: Vec<_> = near.map(|(a, b)| (a.0, b.0)).collect();
    near.sort_unstable();
    near
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_grid_finds_all_that_is_near(
        points in proptest::collection::vec(proptest::array::uniform3(-9.0_f32..9.0), 0..250),
    ) {
        let mut world = filled(Threads::Global, &points);
        for _ in 0..2 {
            let expected = naive(&world);
            prop_assert_eq!(near(&mut world), expected);
        }
    }
}

#[test]
fn sums_of_floats_are_the_same_on_any_threads() {
    let coordinate = |n: u64| (mix(n) % 20_000) as f32 / 1000.0;
    let mut points: Vec<[f32; 3]> = (0..3000)
        .map(|n| [coordinate(3 * n), coordinate(3 * n + 1), coordinate(3 * n + 2)])
        .collect();
    points.push([f32::NAN, f32::INFINITY, 0.0]);
    let mut hashes = Vec::new();
    for threads in every_kind() {
        let mut world = filled(threads, &points);
        for _ in 0..3 {
            assert!(!near(&mut world).is_empty());
        }
        hashes.push(world.state_hash());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}
