//! Events with an index: each entity finds those of its key, or those near it, as a filter over all of them would, in one
//! order, on any threads and for any split.

use ecs_core::joins::{Coordinates, EventKey, HasEventIndex};
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::{Cloneable, Entity, Hashable, Threads, World};
use proptest::prelude::*;

use super::support::{cases, caught, every_kind, fail, mix, three};

/// Types of events and components, and worlds that differ in how systems are split.
mod worlds {
    use ecs_core::StateHash;

    #[derive(Clone, Copy, StateHash)]
    pub(super) struct At(pub(super) [f32; 2]);
    #[derive(Clone, Copy, PartialEq, Eq, Hash, StateHash)]
    pub(super) struct Account(pub(super) u8);
    /// From which the events of an entity are made.
    #[derive(Clone, Copy, StateHash)]
    pub(super) struct Seed(pub(super) u64);
    /// A fold of all that an entity has found, which depends on the order.
    #[derive(Clone, StateHash)]
    pub(super) struct Log(pub(super) u64);

    #[derive(Clone, StateHash)]
    pub(super) struct Paid(pub(super) u8, pub(super) u64);
    /// A key by itself.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, StateHash)]
    pub(super) struct Sign(pub(super) u8);
    #[derive(Clone, Copy, StateHash)]
    pub(super) struct Shout(pub(super) [f32; 2], pub(super) u64);
    #[derive(Clone, Copy, StateHash)]
    pub(super) struct Cry(pub(super) [f32; 2], pub(super) u64);
    /// Too large for copies.
    #[derive(Clone, Copy, StateHash)]
    pub(super) struct Late(pub(super) [f32; 2], pub(super) u64, pub(super) [u64; 3]);

    pub(super) const LEAST: [f32; 2] = [-8.0, -6.0];
    pub(super) const MOST: [f32; 2] = [8.0, 7.0];

    macro_rules! town {
        ($name:ident, $($split:tt)*) => {
            pub(super) mod $name {
                use super::super::{details, fold};
                use super::*;
                use ecs_core::world;

                world! {
                    pub(in super::super) world Town {}
                    component At, Account, Seed, Log;
                    event Paid: by_key(|paid: &Paid| -> u8 { paid.0 }), keep(3);
                    event Sign: by_key(Sign);
                    event Shout: by_cell(Shout, 2.0);
                    event Cry: by_cell(|cry: &Cry| -> [f32; 2] { cry.0 }, 2.0).within(LEAST, MOST);
                    event Late: by_cell(|late: &Late| -> [f32; 2] { late.0 }, 2.0), delayed;
                    system First {
                        emit: [Paid, Shout, Cry, Late],
                        parallelism: $($split)*,
                        each: |seed: &Seed, at: &At, effects| for (account, point, n) in details(seed.0, at.0) {
                            effects.emit(Paid(account, n));
                            effects.emit(Shout(point, n));
                            effects.emit(Cry(point, n));
                            effects.emit(Late(point, n, [0; 3]));
                        },
                    }
                    system Second {
                        emit: [Paid, Shout, Cry, Sign],
                        parallelism: $($split)*,
                        each: |seed: &Seed, at: &At, effects| if let Some((account, point, n)) = details(seed.0, at.0).last() {
                            effects.emit(Paid(account, !n));
                            effects.emit(Shout(point, !n));
                            effects.emit(Cry(point, !n));
                            effects.emit(Sign(account));
                        },
                    }
                    // Finds what was emitted in two steps.
                    system Pay {
                        on: [Paid],
                        read: [Account],
                        write: [Log],
                        every: 2,
                        parallelism: $($split)*,
                        run: |data| data.for_events_by::<Paid>(|one| one.account.0, |one, paid, _| {
                            one.log.0 += paid.clone().count() as u64;
                            paid.for_each(|paid| fold(&mut one.log.0, paid.1));
                        }),
                    }
                    system Signs {
                        on: [Sign],
                        read: [Account],
                        write: [Log],
                        dependencies: [Pay],
                        parallelism: $($split)*,
                        run: |data| {
                            let signs = data.effects.events_by::<Sign>();
                            data.own.for_entities(|one| {
                                one.log.0 += signs.at(Sign(one.account.0)).count() as u64;
                            });
                        },
                    }
                    system Hear {
                        on: [Shout],
                        read: [At],
                        write: [Log],
                        dependencies: [Signs],
                        parallelism: $($split)*,
                        run: |data| data.for_events_by::<Shout>(|one| one.at.0, |one, mut shouts, _| {
                            // By `next`, and then by `fold` from the middle of a cell.
                            for shout in shouts.by_ref().take(3) {
                                fold(&mut one.log.0, shout.1);
                            }
                            shouts.for_each(|shout| fold(&mut one.log.0, shout.1));
                        }),
                    }
                    system Run {
                        on: [Cry],
                        read: [At],
                        write: [Log],
                        dependencies: [Hear],
                        parallelism: $($split)*,
                        run: |data| {
                            let cries = data.effects.events_by::<Cry>();
                            data.own.for_entities(|one| {
                                let mut last = cries.at(one.at.0);
                                let first = last.next();
                                first.into_iter().chain(last).for_each(|cry| fold(&mut one.log.0, cry.1));
                            });
                        },
                    }
                    system Wake {
                        on: [Late],
                        read: [At],
                        write: [Log],
                        dependencies: [Run],
                        parallelism: $($split)*,
                        run: |data| data.for_events_by::<Late>(|one| one.at.0, |one, all, _| {
                            all.for_each(|late| fold(&mut one.log.0, late.1));
                        }),
                    }
                }
            }
        };
    }

    town!(whole, none);
    town!(thirds, split_evenly(3));
    town!(blocks, split_every(64));
}

use worlds::{
    Account, At, Cry, LEAST, Late, Log, MOST, Paid, Seed, Shout, Sign, blocks, thirds, whole,
};

type Under = Config<Dynamic<0>, Allow, AtomicCounter>;

impl Coordinates for Shout {
    type Point = [f32; 2];

    fn coordinates(&self) -> [f32; 2] {
        self.0
    }
}

fn fold(log: &mut u64, n: u64) {
    *log = mix(*log ^ n);
}

/// What an entity emits: accounts, points, and numbers. Some points are beyond all bounds, and one is no point.
fn details(seed: u64, at: [f32; 2]) -> impl Iterator<Item = (u8, [f32; 2], u64)> {
    let count = if seed % 16 == 5 { 60 } else { seed % 4 };
    (0..count).map(move |n| {
        let random = mix(seed ^ n);
        let by = |bits: u64| (bits & 31) as f32 / 4.0 - 4.0;
        let point = match random >> 40 & 31 {
            0 => [f32::NAN, at[1]],
            1 => [1e30, at[1]],
            2 => [f32::NEG_INFINITY, f32::INFINITY],
            _ => [at[0] + by(random >> 8), at[1] + by(random >> 16)],
        };
        ((random >> 24 & 15) as u8, point, random)
    })
}

/// The cell of a point, without bounds or with them.
fn cell(point: [f32; 2], bounded: bool) -> [i32; 2] {
    core::array::from_fn(|axis| {
        let from = if bounded { LEAST[axis] } else { 0.0 };
        let cell = ((point[axis] - from) / 2.0).floor();
        let last = ((MOST[axis] - LEAST[axis]) / 2.0).ceil() - 1.0;
        let cell = if bounded { cell.clamp(0.0, last) } else { cell };
        if cell.is_nan() && !bounded { i32::MIN } else { cell as i32 }
    })
}

/// An event of the model: its cells without bounds and with them.
#[derive(Clone, Copy)]
struct Heard {
    cells: [[i32; 2]; 2],
    n: u64,
}

impl Heard {
    fn of(point: [f32; 2], n: u64) -> Self {
        Self { cells: [false, true].map(|bounded| cell(point, bounded)), n }
    }
}

/// What is near a point among events, as a filter over all of them.
fn near(events: &[Heard], at: [f32; 2], bounded: bool) -> Vec<u64> {
    let own = cell(at, bounded);
    // Cells without bounds wrap around.
    let by =
        |one: &Heard, axis: usize| one.cells[usize::from(bounded)][axis].wrapping_sub(own[axis]);
    let is_near = |one: &&Heard| (0..2).all(|axis| (-1..=1).contains(&by(one, axis)));
    let mut found: Vec<&Heard> = events.iter().filter(is_near).collect();
    // Stable, so in each cell they stay in order.
    found.sort_by_key(|one| [by(one, 0), by(one, 1)]);
    found.into_iter().map(|one| one.n).collect()
}

/// What the model keeps for the next step.
#[derive(Default)]
struct Kept {
    paid: Vec<(u8, u64)>,
    late: Vec<Heard>,
}

struct One {
    entity: Entity,
    at: [f32; 2],
    account: u8,
    seed: u64,
    log: u64,
}

/// One step of the model. `order` has those that are alive, in the order of their rows.
fn step(all: &mut [One], order: &[usize], kept: &mut Kept, now: u64) {
    let (mut shouts, mut late, mut signs) = (Vec::new(), Vec::new(), Vec::new());
    for one in order.iter().map(|&at| &all[at]) {
        for (account, point, n) in details(one.seed, one.at) {
            kept.paid.push((account, n));
            shouts.push(Heard::of(point, n));
            late.push(Heard::of(point, n));
        }
    }
    for one in order.iter().map(|&at| &all[at]) {
        if let Some((account, point, n)) = details(one.seed, one.at).last() {
            kept.paid.push((account, !n));
            shouts.push(Heard::of(point, !n));
            signs.push(account);
        }
    }
    let late = std::mem::replace(&mut kept.late, late);
    for one in order {
        let one = &mut all[*one];
        if now.is_multiple_of(2) {
            let paid: Vec<u64> =
                kept.paid.iter().filter(|paid| paid.0 == one.account).map(|paid| paid.1).collect();
            one.log += paid.len() as u64;
            for n in paid {
                fold(&mut one.log, n);
            }
        }
        one.log += signs.iter().map(|sign| u64::from(*sign == one.account)).sum::<u64>();
        for n in near(&shouts, one.at, false) {
            fold(&mut one.log, n);
        }
        for n in near(&shouts, one.at, true) {
            fold(&mut one.log, n);
        }
        for n in near(&late, one.at, false) {
            fold(&mut one.log, n);
        }
    }
    if now.is_multiple_of(2) {
        kept.paid.clear();
    }
}

/// What the world comes to. The logs of all entities in all steps are those of the model, which `expected` gets once. In the
/// middle the world is replaced by a clone of it.
fn run<D>(threads: Threads, seed: u64, [count, steps]: [usize; 2], expected: &mut Vec<u64>) -> u64
where
    D: ecs_core::HasComponent<At>
        + ecs_core::HasComponent<Account>
        + ecs_core::HasComponent<Seed>
        + ecs_core::HasComponent<Log>
        + Cloneable
        + Hashable,
{
    let mut world = World::<D, Under>::on(threads);
    let mut all: Vec<One> = (0..count as u64)
        .map(|n| {
            let random = mix(seed ^ mix(n));
            let by = |bits: u64| (bits & 127) as f32 / 4.0 - 16.0;
            let at = match random >> 40 & 63 {
                0 => [f32::NAN, 0.0],
                1 => [-1e30, 1.0],
                _ => [by(random), by(random >> 8)],
            };
            let (account, seed) = ((random >> 16 & 15) as u8, random);
            let entity = world.spawn((At(at), Account(account), Seed(seed), Log(n)));
            One { entity, at, account, seed, log: n }
        })
        .collect();
    let mut kept = Kept::default();
    let is_known = !expected.is_empty();
    let mut known = expected.clone().into_iter();
    for now in 0..steps as u64 {
        // Rows move.
        if now > 0 && all.len() > 2 {
            let gone = all.remove(mix(seed ^ now) as usize % all.len());
            world.despawn(gone.entity);
        }
        let order: Vec<Entity> = world.iter::<Entity>().collect();
        world.tick().unwrap();
        if !is_known {
            let at = |entity: &Entity| all.iter().position(|one| one.entity == *entity);
            let order: Vec<usize> = order.iter().filter_map(at).collect();
            step(&mut all, &order, &mut kept, now);
            let logs: Vec<u64> = all.iter().map(|one| one.log).collect();
            expected.extend(&logs);
            known = logs.into_iter();
        }
        for one in &all {
            let log = world.get::<Log>(one.entity).map(|log| log.0);
            assert_eq!(log, known.next(), "{now}: {:?}", one.entity);
        }
        if now == 1 {
            world = world.clone();
        }
    }
    world.state_hash()
}

proptest! {
    #![proptest_config(cases(8))]
    #[test]
    fn events_by_key_and_by_cell_agree_with_a_filter(
        seed in any::<u64>(),
        count in prop_oneof![1_usize..70, 60_usize..400],
        steps in 1_usize..6,
    ) {
        let (mut hash, size) = (None, [count, steps]);
        let expected = &mut Vec::new();
        for threads in every_kind() {
            let whole = run::<whole::Town>(threads.clone(), seed, size, expected);
            prop_assert_eq!(*hash.get_or_insert(whole), whole);
            run::<thirds::Town>(threads.clone(), seed, size, expected);
            run::<blocks::Town>(threads, seed, size, expected);
        }
    }
}

#[test]
fn many_events_are_indexed_in_parallel() {
    let expected = &mut Vec::new();
    let inline = run::<whole::Town>(Threads::Inline, 5, [1800, 1], expected);
    assert_eq!(run::<whole::Town>(three(), 5, [1800, 1], expected), inline);
    run::<blocks::Town>(three(), 5, [1800, 1], expected);
}

/// The events are those of the world, whatever it is.
fn total<D: HasEventIndex<Sign>>(world: &World<D>) -> usize
where
    EventKey<D, Sign>: Copy,
{
    world.events::<Sign>().len()
}

#[test]
fn the_program_emits_and_steps_that_execute_again_find_what_is_new() {
    let mut world = World::<whole::Town>::on(three());
    let one = world.spawn((At([0.0; 2]), Account(3), Seed(0), Log(0)));
    world.emit(Sign(3));
    world.emit(Sign(4));
    world
        .step(|step| {
            step.execute_systems();
            assert_eq!(step.get::<Log>(one).unwrap().0, 1);
            step.emit(Sign(3));
            step.emit(Sign(3));
            step.execute_only::<(whole::Signs,)>();
        })
        .unwrap();
    assert_eq!(world.get::<Log>(one).unwrap().0, 3);
    assert_eq!(total(&world), 4);
}

/// A key that panics, and what comes after it.
mod trouble {
    use ecs_core::world;

    use super::fail;

    pub(super) struct Number(pub(super) u32);
    pub(super) struct Sum(pub(super) u32);
    pub(super) struct Sent(pub(super) u32);

    world! {
        pub(super) world Trouble {}
        component Number, Sum;
        event Sent: by_key(|sent: &Sent| -> u32 {
            if sent.0 == 13 {
                fail("an unlucky number");
            }
            sent.0 % 4
        });
        system Add {
            on: [Sent],
            read: [Number],
            write: [Sum],
            parallelism: split_evenly(3),
            run: |data| data.for_events_by::<Sent>(|one| one.number.0, |one, sent, _| {
                one.sum.0 += sent.map(|sent| sent.0).sum::<u32>();
            }),
        }
    }
}

#[test]
fn a_key_that_panics_stops_the_step_and_not_the_next_one() {
    use trouble::{Number, Sent, Sum, Trouble};

    for threads in every_kind() {
        let mut world = World::<Trouble>::on(threads);
        world.spawn_batch((0..300).map(|n| (Number(n % 4), Sum(0))));
        (0..20).for_each(|n| world.emit(Sent(n)));
        assert_eq!(caught(|| world.tick()), "an unlucky number");
        assert!(world.iter::<&Sum>().all(|sum| sum.0 == 0));
        for n in [6, 7, 10] {
            world.emit(Sent(n));
        }
        world.tick().unwrap();
        let sums = world.iter::<(&Number, &Sum)>();
        assert!(sums.into_iter().all(|(number, sum)| sum.0 == [0, 0, 16, 7][number.0 as usize]));
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let mut world = World::<blocks::Town>::on(three());
    let one = world.spawn((At([0.0; 2]), Account(3), Seed(0), Log(9)));
    world.tick().unwrap();
    assert_eq!(world.get::<Log>(one).unwrap().0, 9);
    // Unread events are gone with their step, and those of others are not found.
    world.emit(Paid(4, 1));
    world.emit(Cry([6.0, 0.0], 1));
    world.emit(Late([0.0, -4.0], 1, [0; 3]));
    world.emit(Shout([2.0, 4.0], 1));
    world.tick().unwrap();
    assert_eq!(world.get::<Log>(one).unwrap().0, 9);
}

/// An index that the declaration's events do not have.
mod lies {
    use ecs_core::generated::ByKey;
    use ecs_core::joins::HasEventIndex;
    use ecs_core::world;

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub(super) struct Sent(pub(super) u32);

    world! {
        pub(super) world Lies {}
        event Sent;
        system Read { on: [Sent], run: |data| { data.effects.events_by::<Sent>().at(Sent(1)).count(); } }
    }

    impl HasEventIndex<Sent> for Lies {
        type Form = ByKey<Sent, Sent>;

        fn form() -> ByKey<Sent, Sent> {
            ByKey::of(Clone::clone)
        }
    }
}

#[test]
fn an_index_that_the_events_lack_is_found_when_it_is_asked() {
    let mut world = World::<lies::Lies>::new();
    world.emit(lies::Sent(1));
    let said = caught(|| world.tick());
    assert!(said.contains("`EVENTS` of the declaration has the index of the event"), "{said}");
}

/// Other systems that ask: for one entity, and alone on the world.
mod others {
    use ecs_core::world;

    pub(super) struct Number(pub(super) u32);
    pub(super) struct Count(pub(super) usize);
    pub(super) struct Sent(pub(super) u32);
    #[derive(Default)]
    pub(super) struct Total(pub(super) usize);

    world! {
        pub(super) world Others {}
        component Number, Count;
        resource Total;
        event Sent: by_key(|sent: &Sent| -> u32 { sent.0 }), transient;
        system Each {
            on: [Sent],
            parallelism: split_every(64),
            each: |number: &Number, count: &mut Count, effects| {
                count.0 += effects.events_by::<Sent>().at(number.0).count();
            },
        }
        system Alone {
            on: [Sent],
            sequential,
            write_resources: [Total],
            dependencies: [Each],
            run: |data| {
                let found = data.effects.events_by::<Sent>().at(3).count();
                data.resources.get_mut::<Total>().0 += found;
            },
        }
    }
}

#[test]
fn a_closure_for_each_entity_and_a_sequential_system_ask_too() {
    use others::{Count, Number, Others, Sent, Total};

    let mut world = World::<Others>::on(three());
    world.spawn_batch((0..200).map(|n| (Number(n % 5), Count(0))));
    for n in [3, 4, 3, 7] {
        world.emit(Sent(n));
    }
    world.tick().unwrap();
    world.tick().unwrap();
    let all = world.iter::<(&Number, &Count)>();
    assert!(all.into_iter().all(|(number, count)| count.0 == [0, 0, 0, 2, 1][number.0 as usize]));
    assert_eq!(world.resource::<Total>().0, 2);
}
