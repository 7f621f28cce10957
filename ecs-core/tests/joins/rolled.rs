//! Sequential systems with queries: each pair is looked up again when it is visited. Compared with a naive
//! roll.

use std::collections::BTreeSet;

use ecs_core::{Data, Entity, System, Threads, World, set, world};
use ecs_core::{Now, Pair};

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number(u64);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Weight(u64);
struct Left;
struct Right;

world! {
    world Field { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    component Weight: sparse_set;
    component Left: empty;
    component Right: empty;

    query Rights { read: [Number], read_optional: [Weight], with: [Right] }
    query All { read: [Number] }
    system Act {
        sequential,
        write: [Number],
        write_optional: [Weight],
        with: [Left],
        queries: [Rights, All],
        insert: [Left, Right, Weight],
        remove: [Left, Right],
        spawn: [(Number, Left, Right)],
        despawn,
    }
}

#[derive(Default)]
struct Act;

impl System<Field> for Act {
    fn process(&self, data: &mut Data<'_, Field, Self>) {
        data.now();
    }
}

/// A world of `count` entities, numbered from 0. Every third one lacks `Left`, every fourth one `Right`.
fn field(threads: Threads, count: u64) -> (World<Field>, Vec<Entity>) {
    let mut world = World::on(threads);
    let spawned = world.step(|step| {
        let spawn = |n| {
            let entity = step.spawn((Number(n),)).unwrap();
            if n % 3 != 0 {
                step.insert(entity, Left).unwrap();
            }
            if n % 4 != 0 {
                step.insert(entity, Right).unwrap();
            }
            entity
        };
        (0..count).map(spawn).collect()
    });
    (world, spawned.unwrap())
}

/// Executes `Act` with this body.
fn act(world: &mut World<Field>, body: impl Fn(&mut Data<'_, Field, Act>) + Send + Sync) {
    let step = world.step(|step| {
        step.execute_systems().for_subtasks::<Act>(|_, data| body(data)).run();
    });
    step.unwrap();
}

type Rolled<'m> = Pair<'m, Field, Act, Rights>;

/// The visited pairs, by numbers. Calls `f` with each.
fn visited(
    world: &mut World<Field>,
    f: impl Fn([u64; 2], Rolled<'_>) + Send + Sync,
) -> Vec<[u64; 2]> {
    let met = std::sync::Mutex::new(Vec::new());
    act(world, |data| {
        data.roll_pairs::<Rights>(|mut pair| {
            let numbers = [pair.entry().number.0, pair.member_entry().number.0];
            met.lock().unwrap().push(numbers);
            f(numbers, pair);
        });
    });
    met.into_inner().unwrap()
}

#[test]
fn the_product_in_lexicographic_order() {
    for threads in every_kind() {
        let (mut world, _) = field(threads, 150);
        let lefts = (0..150).filter(|n| n % 3 != 0);
        let rights = || (0..150).filter(|n| n % 4 != 0);
        let expected: Vec<_> = lefts.flat_map(|a| rights().map(move |b| [a, b])).collect();
        // An entity is paired with itself too.
        assert!(expected.contains(&[1, 1]));
        assert_eq!(visited(&mut world, |_, _| ()), expected);
    }
}

/// The effect of a body on an entity.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Despawn,
    Leave,
    Join,
    Lose,
    Win,
    Nothing,
}

/// The pseudo-random effect for a pair, and its target.
fn deed([a, b]: [u64; 2], count: u64) -> (Deed, u64) {
    let dice = mix(a * 1_000 + b);
    let deed = match dice % 40 {
        0 => Deed::Despawn,
        1 => Deed::Leave,
        2 | 3 => Deed::Join,
        4 => Deed::Lose,
        5 | 6 => Deed::Win,
        _ => Deed::Nothing,
    };
    (deed, [a, b, mix(dice) % count][(dice >> 32) as usize % 3])
}

#[test]
fn each_pair_is_looked_up_at_its_turn() {
    let count = 140;
    let (mut world, entities) = field(Threads::Inline, count);
    let met = visited(&mut world, |numbers, pair| {
        let (deed, whom) = deed(numbers, count);
        let (now, whom) = (&mut pair.now(), entities[whom as usize]);
        match deed {
            Deed::Despawn => now.despawn(whom),
            Deed::Leave => drop(now.remove::<Left>(whom)),
            Deed::Join => drop(now.insert(whom, Left)),
            Deed::Lose => drop(now.remove::<Right>(whom)),
            Deed::Win => drop(now.insert(whom, Right)),
            Deed::Nothing => {}
        }
    });
    // The same with sets of numbers. A despawned entity is in neither set, and is not added again.
    let mut alive: BTreeSet<u64> = (0..count).collect();
    let mut sides = [3, 4].map(|n| (0..count).filter(|k| k % n != 0).collect::<BTreeSet<u64>>());
    let (lefts, rights) = (sides[0].clone(), sides[1].clone());
    let (mut expected, mut left_out) = (Vec::new(), 0);
    for pair in lefts.iter().flat_map(|&a| rights.iter().map(move |&b| [a, b])) {
        if !(sides[0].contains(&pair[0]) && sides[1].contains(&pair[1])) {
            left_out += 1;
            continue;
        }
        expected.push(pair);
        let (deed, whom) = deed(pair, count);
        if !alive.contains(&whom) {
            continue;
        }
        match deed {
            Deed::Despawn => {
                alive.remove(&whom);
                for side in &mut sides {
                    side.remove(&whom);
                }
            }
            Deed::Leave => _ = sides[0].remove(&whom),
            Deed::Join => _ = sides[0].insert(whom),
            Deed::Lose => _ = sides[1].remove(&whom),
            Deed::Win => _ = sides[1].insert(whom),
            Deed::Nothing => {}
        }
    }
    assert_eq!(met, expected);
    assert!(expected.len() > 300 && left_out > 300, "{} and {left_out}", expected.len());
    let living: Vec<u64> = (0..count).filter(|n| world.is_alive(entities[*n as usize])).collect();
    assert!(living.into_iter().eq(alive));
}

#[test]
fn spawned_entities_are_in_no_pair() {
    let (mut world, _) = field(Threads::Inline, 6);
    let met = visited(&mut world, |[a, b], pair| {
        let spawned = pair.now().spawn((Number(100 + a * 10 + b), Left, Right)).unwrap();
        assert_ne!(spawned.index(), 0);
    });
    // 1, 2, 4 and 5, each with 1, 2, 3 and 5.
    assert_eq!(met.len(), 16);
    assert_eq!(world.entity_count(), 6 + 16);
    assert_eq!(visited(&mut world, |_, _| ()).len(), 20 * 20);
}

#[test]
fn both_sides_are_written() {
    let (mut world, entities) = field(Threads::Inline, 80);
    act(&mut world, |data| {
        data.roll_pairs::<Rights>(|mut pair| {
            let (own, member) = (pair.entity(), pair.member());
            let both = pair.both::<&mut Number, (&mut Number, Option<&mut Weight>)>();
            assert_eq!(both.is_none(), own == member, "nothing is handed out twice");
            if let Some((one, (other, weight))) = both {
                one.0 += 1_000;
                other.0 += 1_000_000;
                assert!(weight.is_none());
            }
            // A component that is not written may be read from both sides.
            let (one, other) = pair.both::<&Number, (&Number, Entity)>().unwrap();
            assert!(own != member || std::ptr::eq(one, other.0));
            assert_eq!(other.1, member);
            // Accesses one after the other do not alias.
            pair.get::<&mut Number>().0 -= 1;
            pair.get_member::<&mut Number>().0 += 1;
        });
    });
    let (lefts, rights) = (53, 60);
    for (n, entity) in (0..80).zip(entities) {
        let (left, right) = (n % 3 != 0, n % 4 != 0);
        let itself = u64::from(left && right);
        let mut expected = n;
        if left {
            expected += 1_000 * (rights - itself);
        }
        if right {
            expected += 1_000_000 * (lefts - itself);
        }
        // Each entity is on the left of `rights` pairs, and on the right of `lefts` pairs.
        expected = expected + u64::from(right) * lefts - u64::from(left) * rights;
        assert_eq!(world.get::<Number>(entity), Some(&Number(expected)));
    }
}

#[test]
fn members_are_those_of_now() {
    let (mut world, entities) = field(Threads::Inline, 9);
    act(&mut world, |data| {
        let mut now = data.now();
        let numbers = |now: &mut Now<'_, Field, Act>| {
            now.members::<Rights, &Number>().map(|number| number.0).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&mut now), [1, 2, 3, 5, 6, 7]);
        now.despawn(entities[2]);
        now.remove::<Right>(entities[5]);
        now.insert(entities[4], Right);
        now.insert(entities[3], Weight(30));
        now.spawn((Number(50), Left, Right)).unwrap();
        assert_eq!(numbers(&mut now), [1, 3, 6, 7]);
        for (number, weight) in now.members::<Rights, (&mut Number, Option<&mut Weight>)>() {
            number.0 += 10;
            if let Some(weight) = weight {
                weight.0 += number.0;
            }
        }
        now.insert(entities[5], Right);
        assert_eq!(numbers(&mut now), [11, 13, 5, 16, 17]);
        assert_eq!(now.members::<All, Entity>().count(), 8);
    });
    assert_eq!(world.get::<Weight>(entities[3]), Some(&Weight(43)));
}

#[test]
fn who_was_let_go_before_is_in_no_pair() {
    let (mut world, entities) = field(Threads::Inline, 5);
    world
        .step(|step| {
            step.remove::<Right>(entities[1]).unwrap();
            step.despawn(entities[2]);
            let met = std::sync::Mutex::new(Vec::new());
            step.execute_systems()
                .for_subtasks::<Act>(|_, data| {
                    data.roll_pairs::<Rights>(|pair| {
                        met.lock().unwrap().push([pair.entity(), pair.member()]);
                    });
                })
                .run();
            let met = met.into_inner().unwrap();
            assert!(met.contains(&[entities[1], entities[3]]));
            assert!(!met.contains(&[entities[4], entities[1]]));
        })
        .unwrap();
}

struct Gold(u32);
struct Debt;

set! {
    set Markets;
    component Gold: contiguous_buffer;
    component Debt: empty;
    query Debtors { read: [Gold], with: [Debt] }
    system Lend { sequential, write: [Gold], without: [Debt], queries: [Debtors], remove: [Debt] }
}

/// Each entity that has gold left gives one piece to each debtor.
#[derive(Default)]
struct Lend;

impl<D: MarketsWorld> System<D> for Lend {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        data.roll_pairs::<Debtors>(|mut pair| {
            let (mine, theirs) =
                pair.both::<&mut Gold, &mut Gold>().expect("debtors are other entities");
            if mine.0 > 0 {
                (mine.0, theirs.0) = (mine.0 - 1, theirs.0 + 1);
                let debtor = pair.member();
                pair.now().remove::<Debt>(debtor);
            }
        });
    }
}

world! {
    world Town { entity_limit: dynamic(16) }
    include Markets;
}

#[test]
fn a_set_brings_its_queries() {
    let mut world = World::<Town>::on(Threads::Inline);
    let all: Vec<Entity> = world
        .step(|step| {
            let lend = [2, 0, 1].map(|gold| step.spawn((Gold(gold),)).unwrap());
            let owe = [0; 4].map(|gold| step.spawn((Gold(gold), Debt)).unwrap());
            lend.into_iter().chain(owe).collect()
        })
        .unwrap();
    world.tick().unwrap();
    let gold: Vec<u32> = all.iter().map(|one| world.get::<Gold>(*one).unwrap().0).collect();
    assert_eq!(gold, [0, 0, 0, 1, 1, 1, 0]);
    let owe: Vec<bool> = all.iter().map(|one| world.get::<Debt>(*one).is_some()).collect();
    assert_eq!(owe, [false, false, false, false, false, false, true]);
}
