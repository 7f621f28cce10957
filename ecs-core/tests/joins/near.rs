//! Members near a point, with bounds and without, compared with all pairs.

use ecs_core::joins::Coordinates;
use ecs_core::{Data, Entity, Threads, World, world};
use proptest::prelude::*;

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point([f32; 3]);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight(u32);
struct Fixed;

const REACH: f32 = 1.5;
const SIZE: f32 = REACH * 1.001;

impl Coordinates for Point {
    type Point = [f32; 3];

    fn coordinates(&self) -> [f32; 3] {
        self.0
    }
}

/// Two entities, and what was read of the second one.
type Pair = (Entity, Entity, [f32; 3], u32);

world! {
    world Points;
    component Point, Weight;
    component Fixed: empty;

    query Flat {
        index: by_cell(|at: &Point| -> [f32; 2] { flat(at) }, SIZE),
        read: [Weight],
        parallelism: split_every(64),
    }
    query Board {
        index: by_cell(|at: &Point| -> [f32; 2] { flat(at) }, SIZE).within([-4.0; 2], [4.0, 5.0]),
        read: [Weight],
        parallelism: split_every(64),
    }
    query Space { index: by_cell(Point, SIZE), read: [Weight], without: [Fixed] }
    query Room {
        index: by_cell(Point, SIZE).within([-4.0; 3], [4.0; 3]),
        read: [Weight],
        without: [Fixed],
    }
    query All { read: [Point, Weight] }

    system Pairs { read: [Point], queries: [All], output: Vec<Pair>, run: all_pairs }
    system NearFlat {
        parallelism: split_every(64),
        read: [Point],
        queries: [Flat],
        output: Vec<Pair>,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            let near = effects.near::<Flat, (Entity, &Point, &Weight)>();
            own.for_entities(|a| for (b, point, weight) in near.at(flat(a.point)) {
                effects.output().push((a.entity, b, point.0, weight.0));
            });
        },
    }
    system NearOnBoard {
        parallelism: split_every(64),
        read: [Point],
        queries: [Board(Weight, Point)],
        output: Vec<Pair>,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            let near = effects.near::<Board, (Entity, &Point, &Weight)>();
            own.for_entities(|a| {
                let mut count = 0;
                for (b, point, weight) in near.at(flat(a.point)) {
                    effects.output().push((a.entity, b, point.0, weight.0));
                    count += 1;
                }
                // The rest of an iterator that has begun, which `count` does not take by `next`.
                let mut rest = near.at(flat(a.point));
                assert!(rest.by_ref().take(count / 2).count() == count / 2);
                assert_eq!(rest.count(), count - count / 2);
            });
        },
    }
    system NearInSpace {
        parallelism: split_every(64),
        read: [Point],
        queries: [Space],
        output: Vec<Pair>,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            let near = effects.near::<Space, (&Point, (Entity, &Weight))>();
            own.query::<(Entity, &Point)>().near(near, |(_, at)| at.0, |(a, _), (at, (b, weight))| {
                effects.output().push((*a, b, at.0, weight.0));
            });
        },
    }
    system NearInRoom {
        parallelism: split_every(64),
        read: [Point],
        queries: [Room],
        output: Vec<Pair>,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            let near = effects.near::<Room, (&Point, (Entity, &Weight))>();
            own.query::<(Entity, &Point)>().near(near, |(_, at)| at.0, |(a, _), (at, (b, weight))| {
                effects.output().push((*a, b, at.0, weight.0));
            });
        },
    }
    // Indices are made after what writes points and weights earlier in the same step.
    system Turn {
        write: [Point],
        before: [NearFlat, NearOnBoard, NearInSpace, NearInRoom, Pairs],
        each: |e| e.point.0.rotate_left(1),
    }
    system Grow {
        write: [Weight],
        before: [NearFlat, NearOnBoard, NearInSpace, NearInRoom, Pairs],
        each: |e| e.weight.0 += 1,
    }
}

fn flat(point: &Point) -> [f32; 2] {
    [point.0[0], point.0[1]]
}

fn all_pairs(data: &mut Data<'_, Points, Pairs>) {
    let (own, effects) = (&mut data.own, &mut data.effects);
    let all = effects.members::<All, (Entity, &Point, &Weight)>();
    own.for_entities(|a| {
        all.for_each(|(b, point, weight)| {
            effects.output().push((a.entity, b, point.0, weight.0));
        });
    });
}

/// The pairs of each way after a step, those that are farther apart than `REACH` left out.
fn found(world: &mut World<Points>) -> [Vec<Pair>; 5] {
    world.tick().expect("nothing is staged");
    let at: Vec<(Entity, [f32; 3])> = {
        let mut at = Vec::new();
        world.iter::<(Entity, &Point)>().for_each(|(entity, point)| at.push((entity, point.0)));
        at
    };
    let at = |entity: Entity| at.iter().find(|(other, _)| *other == entity).expect("it lives").1;
    let near = |pairs: Vec<Pair>, axes: usize| {
        let mut near = pairs;
        near.retain(|(a, b, _, _)| {
            let (a, b) = (at(*a), at(*b));
            (0..axes).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>() < REACH * REACH
        });
        near
    };
    let mut outputs: [Vec<Pair>; 5] = Default::default();
    let step = world.step(|step| {
        outputs[0].extend(step.outputs_of::<Pairs>().flatten());
        outputs[1].extend(step.outputs_of::<NearFlat>().flatten());
        outputs[2].extend(step.outputs_of::<NearOnBoard>().flatten());
        outputs[3].extend(step.outputs_of::<NearInSpace>().flatten());
        outputs[4].extend(step.outputs_of::<NearInRoom>().flatten());
    });
    step.expect("nothing is staged");
    let axes = [3, 2, 2, 3, 3];
    let mut ways = outputs.into_iter().zip(axes).map(|(pairs, axes)| near(pairs, axes));
    core::array::from_fn(|_| ways.next().expect("five"))
}

fn sorted(pairs: &[Pair]) -> Vec<String> {
    let mut all: Vec<String> = pairs.iter().map(|pair| format!("{pair:?}")).collect();
    all.sort();
    all
}

fn world(points: &[([f32; 3], bool)], threads: Threads) -> World<Points> {
    let mut world = World::<Points>::on(threads);
    for (n, &(point, fixed)) in points.iter().enumerate() {
        let entity = world.spawn((Point(point), Weight(n as u32)));
        if fixed {
            world.insert(entity, Fixed).expect("a living entity");
        }
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_is_near_is_found_with_and_without_bounds(
        points in proptest::collection::vec(
            (proptest::array::uniform3(-7_f32..7.0), proptest::bool::weighted(0.2)),
            0..200,
        ),
    ) {
        let mut first = None;
        for threads in every_kind() {
            let mut world = world(&points, threads);
            let ways = found(&mut world);
            let fixed = |entity: Entity| world.get::<Fixed>(entity).is_some();
            let naive: Vec<Pair> =
                ways[0].iter().filter(|(_, b, _, _)| !fixed(*b)).copied().collect();
            prop_assert_eq!(sorted(&ways[3]), sorted(&naive));
            prop_assert_eq!(sorted(&ways[4]), sorted(&naive));
            prop_assert_eq!(sorted(&ways[1]), sorted(&ways[2]));
            prop_assert!(ways[0].iter().all(|pair| ways[1].contains(pair)));
            // The order is the same on any number of threads.
            let first = first.get_or_insert_with(|| ways.clone());
            prop_assert_eq!(&*first, &ways);
        }
    }
}

#[test]
fn what_is_outside_of_the_bounds_is_found_too() {
    let far = [[1e9, -1e9, 0.0], [1e9, -1e9, 1.0], [f32::INFINITY, 0.0, 0.0], [3.9, 3.9, 9.0]];
    let mut world = world(&far.map(|point| (point, false)), Threads::Inline);
    let [all, flat, board, space, room] = found(&mut world);
    assert_eq!([sorted(&board), sorted(&room)], [sorted(&flat), sorted(&space)]);
    assert_eq!(sorted(&all), sorted(&room));
    assert!(all.len() >= 4);
}

#[test]
fn many_members_are_sorted_in_parallel() {
    let points: Vec<([f32; 3], bool)> = (0..9000_u64)
        .map(|n| {
            let at = |axis: u64| (mix(3 * n + axis) % 4_000) as f32 / 10.0 - 200.0;
            ([at(0), at(1), at(2)], false)
        })
        .collect();
    let mut first = None;
    for threads in every_kind() {
        let mut world = world(&points, threads);
        let run = world.step(|step| {
            step.execute_with(|systems| systems.for_subtasks::<Pairs>(|_, _| {}));
            step.outputs_of::<NearInRoom>().flatten().copied().collect::<Vec<Pair>>()
        });
        let pairs = run.expect("nothing is staged");
        assert!(pairs.len() > 9000);
        assert_eq!(first.get_or_insert_with(|| pairs.clone()), &pairs);
    }
}

world! {
    world Fight;
    component Point, Weight;
    query Enemies {
        index: by_cell(Point, SIZE).within([0.0; 3], [9.0; 3]),
        with: [Weight],
    }
    system Strike { sequential, read: [Weight], despawn, dependencies: [Look], run: strike }
    system Look { read: [Point], queries: [Enemies], output: Vec<Entity>, run: look }
    system LookAgain {
        read: [Point],
        queries: [Enemies],
        dependencies: [Strike],
        output: Vec<Entity>,
        run: look_again,
    }
}

fn look(data: &mut Data<'_, Fight, Look>) {
    let (own, effects) = (&mut data.own, &mut data.effects);
    let near = effects.near::<Enemies, Entity>();
    own.for_entities(|own| near.at(own.point.0).for_each(|enemy| effects.output().push(enemy)));
}

fn look_again(data: &mut Data<'_, Fight, LookAgain>) {
    let (own, effects) = (&mut data.own, &mut data.effects);
    let near = effects.near::<Enemies, Entity>();
    own.for_entities(|own| near.at(own.point.0).for_each(|enemy| effects.output().push(enemy)));
}

fn strike(data: &mut Data<'_, Fight, Strike>) {
    data.roll(|mut enemy| {
        if enemy.get::<&Weight>().0 == 1 {
            let entity = enemy.entity();
            enemy.now().despawn(entity);
        }
    });
}

#[test]
fn who_leaves_between_two_users_is_no_longer_found() {
    let mut world = World::<Fight>::new();
    let [a, b, c] = [0, 1, 2].map(|n| world.spawn((Point([n as f32; 3]), Weight(n))));
    let mut seen = [Vec::new(), Vec::new()];
    let step = world.step(|step| {
        step.execute_systems();
        seen[0].extend(step.outputs_of::<Look>().flatten().copied());
        seen[1].extend(step.outputs_of::<LookAgain>().flatten().copied());
    });
    step.expect("nothing is staged");
    assert!(seen[0].contains(&b) && seen[0].contains(&a) && seen[0].contains(&c));
    assert!(!seen[1].contains(&b) && seen[1].contains(&a) && seen[1].contains(&c));
}
