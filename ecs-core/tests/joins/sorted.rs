//! Members sorted by number, compared with a naive sort; numbers out of range, keys that panic, and tables of other
//! worlds.

use ecs_core::generated::{Custom, Indexed};
use ecs_core::joins::{ByRow, Index, Numbered, Placed};
use ecs_core::{Data, Entity, Place, System, Threads, World, world};

use crate::{caught, every_kind, mix};

/// The numbers of the index.
const NUMBERS: usize = 40;
/// A value whose member's key panics.
const PANICS: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Level(u32);
struct Odd;

world! {
    world Shelves;
    component Level: contiguous_buffer;
    component Odd: empty;
    query ByLevels { read: [Level], index: ByLevel, parallelism: split_every(64) }
    system Look {
        parallelism: split_every(128),
        read: [Level],
        queries: [ByLevels],
        output: Vec<(Entity, Vec<(Place, u32)>)>,
    }
    // It has some of the members only, and entities that are none.
    system Visit {
        parallelism: split_every(64),
        with: [Odd],
        queries: [ByLevels],
        output: ByRow<(Place, Place)>,
    }
}

#[derive(Default)]
struct ByLevel;

impl Index for ByLevel {
    type Entry<'a> = ByLevelsEntry<'a>;
    type Key = Numbered<u32, NUMBERS>;

    fn key(&self, member: ByLevelsEntry<'_>) -> Numbered<u32, NUMBERS> {
        assert_ne!(member.level.0, PANICS, "a key that panics");
        Numbered::new((member.level.0 / 10) as usize, member.level.0)
    }
}

#[derive(Default)]
struct Look;

impl System<Shelves> for Look {
    fn process(&self, data: &mut Data<'_, Shelves, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        let levels = effects.sorted::<ByLevels>();
        own.query::<(Entity, &Level)>().for_each(|(entity, level)| {
            let first = (level.0 / 10) as usize;
            let run = levels.run(first..(first + 2).min(NUMBERS));
            assert!(levels.all().len() >= run.len());
            let found = run.iter().map(|&Placed { value, place }| (place, value)).collect();
            effects.output().push((entity, found));
        });
    }
}

#[derive(Default)]
struct Visit;

impl System<Shelves> for Visit {
    fn process(&self, data: &mut Data<'_, Shelves, Self>) {
        let mut last = 0;
        data.effects.for_sorted::<ByLevels, _>(&data.own, |own, all, pairs| {
            let number = (own.value / 10) as usize;
            assert!(last <= number, "in the order of numbers");
            last = number;
            for other in all.run(number..number + 1) {
                pairs.push((own.place, other.place));
            }
            pairs.reverse();
        });
    }
}

fn filled(threads: Threads, count: u32) -> World<Shelves> {
    let mut world = World::<Shelves>::on(threads);
    let levels = (0..count).map(|n| (Level((mix(n.into()) % 400) as u32),));
    world
        .step(|step| {
            step.spawn_batch(levels);
        })
        .unwrap();
    world
}

type Found = Vec<(Entity, Vec<(Place, u32)>)>;

fn look(world: &mut World<Shelves>) -> Found {
    world
        .step(|step| {
            step.execute_systems();
            step.outputs_of::<Look>().flatten().cloned().collect()
        })
        .unwrap()
}

/// What is found, by a stable sort of all levels.
fn naive(world: &World<Shelves>) -> Found {
    let (mut own, mut levels) = (Vec::new(), Vec::new());
    world.iter::<(Entity, &Level)>().for_each(|(entity, level)| own.push((entity, level.0)));
    world.iter::<(Place, &Level)>().for_each(|(place, level)| levels.push((place, level.0)));
    levels.sort_by_key(|(_, level)| level / 10);
    let found = |level: u32| {
        let near =
            levels.iter().filter(|other| (0..2).contains(&(other.1 / 10).wrapping_sub(level / 10)));
        near.copied().collect()
    };
    own.into_iter().map(|(entity, level)| (entity, found(level))).collect()
}

#[test]
fn runs_equal_those_of_a_stable_sort_on_any_threads() {
    for threads in every_kind() {
        let mut world = filled(threads, 900);
        for round in 0..3 {
            let found = look(&mut world);
            assert!(found == naive(&world), "round {round}");
            // Rows move, and the levels of some entities change.
            world
                .step(|step| {
                    for (entity, _) in found.iter().step_by(7) {
                        step.despawn(*entity);
                    }
                    for (entity, _) in found.iter().skip(1).step_by(5) {
                        if let Some(level) = step.get_mut::<Level>(*entity) {
                            level.0 = (level.0 + 130) % 400;
                        }
                    }
                })
                .unwrap();
        }
    }
}

#[test]
fn visits_by_number_output_by_row_on_any_threads() {
    for threads in every_kind() {
        let mut world = World::<Shelves>::on(threads);
        world
            .step(|step| {
                for n in 0..900 {
                    let level = Level((mix(n) % 400) as u32);
                    match n % 5 {
                        0 | 2 => drop(step.spawn((level, Odd))),
                        1 => drop(step.spawn((Odd,))),
                        _ => drop(step.spawn((level,))),
                    }
                }
            })
            .unwrap();
        let found: Vec<(Place, Place)> = world
            .step(|step| {
                step.execute_systems();
                step.outputs_of::<Visit>().flatten().copied().collect()
            })
            .unwrap();
        let (mut own, mut levels) = (Vec::new(), Vec::new());
        world
            .iter::<(Place, &Level)>()
            .for_each(|(place, level)| levels.push((place, level.0 / 10)));
        world
            .iter::<(Place, &Level, &Odd)>()
            .for_each(|(place, level, _)| own.push((place, level.0 / 10)));
        let expected: Vec<(Place, Place)> = own
            .into_iter()
            .flat_map(|(place, number)| {
                let same = levels.iter().rev().filter(move |other| other.1 == number);
                same.map(move |&(other, _)| (place, other))
            })
            .collect();
        assert!(expected.len() > 1000 && found == expected);
    }
}

#[test]
fn a_large_table_is_sorted_in_parallel() {
    for threads in every_kind() {
        let mut world = World::<Shelves>::on(threads);
        // All but two have the number 0, at which nothing looks.
        let levels = (0..20_000).map(|n| (Level(if n % 10_000 == 77 { 390 } else { 0 }),));
        world
            .step(|step| {
                step.spawn_batch(levels);
            })
            .unwrap();
        let mut found = Vec::new();
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Look>(|_, data| {
                        let levels = data.effects.sorted::<ByLevels>();
                        assert_eq!(levels.positions(0..39), 0..19_998);
                        let rows = levels.run(0..1).iter().map(|placed| placed.place.row());
                        assert!(rows.is_sorted());
                        let last =
                            levels.run(39..40).iter().map(|placed| (placed.place, placed.value));
                        let entity = data.own.query::<Entity>().into_iter().next().unwrap();
                        let last = last.collect();
                        data.effects.output().push((entity, last));
                    })
                });
                found.extend(step.outputs_of::<Look>().flatten().cloned());
            })
            .unwrap();
        assert!(found.len() > 100);
        for (_, last) in found {
            let rows: Vec<u32> = last.iter().map(|(place, _)| place.row()).collect();
            assert_eq!(rows, [77, 10_077]);
        }
    }
}

#[test]
fn a_number_out_of_range_is_a_panic_that_says_so() {
    let mut world = filled(Threads::Inline, 100);
    let expected = look(&mut world);
    let wrong = world.step(|step| step.spawn((Level(400),))).unwrap();
    assert_eq!(
        caught(|| look(&mut world)),
        "the number 40 of a member is out of range: its index has numbers below 40; clamp the number, or enlarge the \
         bound in `Numbered<_, 40>`"
    );
    world.step(|step| step.get_mut::<Level>(wrong).unwrap().0 = PANICS).unwrap();
    assert!(caught(|| look(&mut world)).contains("a key that panics"));
    world.step(|step| step.despawn(wrong)).unwrap();
    assert!(look(&mut world) == expected);
}

#[test]
fn a_table_that_was_not_made() {
    let mut world = filled(Threads::Inline, 10);
    let message = caught(|| {
        world
            .step(|step| step.execute_with(|systems| systems.detailed::<ByLevels>(|_, _| {})))
            .unwrap();
    });
    assert!(
        message.contains("the index of the query `ByLevels` was not made in this execution"),
        "{message}"
    );
}

#[test]
fn places_of_another_world_find_what_is_there() {
    // The table that the large world makes in its second execution is given to the small one in its second.
    let (mut large, mut small) = (filled(Threads::Inline, 500), filled(Threads::Inline, 10));
    let mut stolen = Indexed::<Custom<ByLevel>>::default();
    (0..2).for_each(|_| _ = look(&mut large));
    std::mem::swap(&mut stolen, large.system_mut::<ByLevels>());
    look(&mut small);
    let stolen = std::sync::Mutex::new(stolen);
    let seen = std::sync::Mutex::new([0, 0]);
    small
        .step(|step| {
            step.execute_with(|systems| {
                systems
                    .detailed::<ByLevels>(|state, _| {
                        std::mem::swap(state, &mut *stolen.lock().unwrap());
                    })
                    .for_subtasks::<Look>(|_, data| {
                        let members = data.effects.members::<ByLevels, &Level>();
                        for placed in data.effects.sorted::<ByLevels>().all() {
                            let is_member = members.get(placed.place).is_some();
                            assert_eq!(is_member, placed.place.row() < 10);
                            seen.lock().unwrap()[usize::from(is_member)] += 1;
                        }
                    })
            });
        })
        .unwrap();
    assert_eq!(seen.into_inner().unwrap(), [490, 10]);
}
