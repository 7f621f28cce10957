//! Accumulations beside what else changes a component: insertions, removals, updates, despawns, spawns of pending entities,
//! changes at once, and refreshes in mid-step.

use ecs_core::description::Description;
use ecs_core::{Accumulate, Entity, StateHash, Threads, World, world};

use crate::support::{caught, every_kind, fail, three};

#[derive(Clone, StateHash)]
struct Aim(Entity, u32);

/// What has come, in order.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Log(Vec<u32>);

impl Accumulate for Log {
    fn accumulate(&mut self, later: Self) {
        if later.0 == [13] {
            fail("unlucky");
        }
        self.0.extend(later.0);
    }
}

fn one(n: u32) -> Log {
    Log(vec![n])
}

/// Numbers below `times` for each of three targets.
fn aims(targets: [Entity; 3], times: u32) -> impl Iterator<Item = (Aim,)> {
    (0..times).flat_map(move |n| targets.map(|target| (Aim(target, n),)))
}

macro_rules! ordered {
    ($($module:ident $($storage:ident)?, { $($more:tt)* })*) => { $(
        mod $module {
            use super::*;

            world! {
                pub(super) world Row;
                component Aim, Log$(: $storage)?;
                $($more)*
                // One after the other.
                system First {
                    accumulate: [Log],
                    parallelism: split_every(64),
                    each: |aim: &Aim, effects| effects.accumulate(aim.0, one(aim.1)),
                }
                system Reset {
                    insert: [Log],
                    parallelism: split_every(64),
                    dependencies: [First],
                    each: |aim: &Aim, effects| if aim.1 == 1 {
                        effects.insert(aim.0, one(100));
                    },
                }
                system Second {
                    accumulate: [Log],
                    parallelism: split_every(64),
                    dependencies: [Reset],
                    each: |aim: &Aim, effects| if aim.1 == 3 {
                        effects.accumulate(aim.0, one(200));
                    },
                }
                system Renew {
                    update: [Log],
                    dependencies: [Second],
                    each: |e, effects| if e.log.0.first() == Some(&7) {
                        effects.update(e.entity, one(300));
                    },
                }
                system Third {
                    accumulate: [Log],
                    parallelism: split_every(64),
                    dependencies: [Renew],
                    each: |aim: &Aim, effects| if aim.1 == 4 {
                        effects.accumulate(aim.0, one(400));
                    },
                }
                system Clear {
                    remove: [Log],
                    dependencies: [Third],
                    each: |aim: &Aim, effects| if aim.1 == 5 {
                        effects.remove::<Log>(aim.0);
                    },
                }
                system Fourth {
                    accumulate: [Log],
                    dependencies: [Clear],
                    each: |aim: &Aim, effects| if aim.1 == 6 {
                        effects.accumulate(aim.0, one(500));
                    },
                }
            }

            #[test]
            fn the_later_change_counts() {
                for threads in every_kind() {
                    // `Renew` replaces the value that is 7 when the step begins.
                    let cases: [(u32, [&[u32]; 3]); 6] = [
                        (1, [&[300], &[8, 0], &[0]]),
                        (3, [&[300], &[100], &[100]]),
                        (4, [&[300], &[100, 200], &[100, 200]]),
                        (5, [&[300, 400], &[100, 200, 400], &[100, 200, 400]]),
                        (6, [&[], &[], &[]]),
                        (7, [&[500], &[500], &[500]]),
                    ];
                    for (times, expected) in cases {
                        let mut world = World::<Row>::on(threads.clone());
                        let targets = [world.spawn((one(7),)), world.spawn((one(8),)), world.spawn(())];
                        world.spawn_batch(aims(targets, times));
                        world.tick().unwrap();
                        for (target, expected) in targets.into_iter().zip(expected) {
                            let log = world.get::<Log>(target).map(|log| &*log.0);
                            assert_eq!(log.unwrap_or_default(), expected, "{times}");
                        }
                    }
                }
            }
        }
    )* };
}

ordered! {
    in_a_column, {}
    in_a_map hash_map, {}
    in_a_set sparse_set, {}
}

#[derive(Clone, StateHash)]
struct Gun(u32);
#[derive(Clone, StateHash)]
struct Shell(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Fired(Vec<(Option<Entity>, u32)>);
#[derive(Clone, StateHash)]
struct Home(Entity);

impl Accumulate for Fired {
    fn accumulate(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

macro_rules! pending {
    ($($module:ident $($storage:ident)?, $split:expr;)*) => { $(
        mod $module {
            use super::*;

            world! {
                pub(super) world Range;
                component Gun, Shell, Home, Log;
                component Fired$(: $storage)?;
                system Shoot {
                    spawn: [Shell],
                    accumulate: [Fired, Log],
                    parallelism: $split,
                    each: |gun: &Gun, home: &Home, effects| {
                        let n = gun.0;
                        effects.accumulate(home.0, Fired(vec![(None, n)]));
                        let shell = effects.spawn_pending((Shell(n),));
                        effects.accumulate(shell, one(n));
                        effects.accumulate_with(home.0, shell, move |shell| Fired(vec![(Some(shell), n)]));
                        effects.accumulate_with(shell, shell, move |shell| Fired(vec![(Some(shell), n)]));
                        effects.accumulate(home.0, Fired(vec![(None, n + 1000)]));
                        effects.accumulate(shell, one(n + 1000));
                        effects.accumulate_with(shell, home.0, move |_| one(n + 2000));
                    },
                }
            }

            pub(super) fn all(threads: Threads) -> (Vec<(Option<Entity>, u32)>, Vec<Entity>, u64) {
                let mut world = World::<Range>::on(threads);
                let home = world.spawn(());
                world.spawn_batch((0..150).map(|n| (Gun(n), Home(home))));
                world.tick().unwrap();
                let shells: Vec<Entity> = world.iter::<(Entity, &Shell)>().map(|(entity, _)| entity).collect();
                for (n, shell) in (0..).zip(&shells) {
                    assert_eq!(world.get::<Log>(*shell).unwrap().0, [n, n + 1000, n + 2000]);
                    assert_eq!(world.get::<Fired>(*shell).unwrap().0, [(Some(*shell), n)]);
                }
                (world.get::<Fired>(home).unwrap().0.clone(), shells, world.state_hash())
            }
        }
    )* };
}

pending! {
    whole , none;
    parted hash_map, split_every(64);
    evenly sparse_set, split_evenly(5);
}

#[test]
fn pending_entities_take_values_and_are_named_in_them() {
    let (fired, shells, hash) = whole::all(Threads::Inline);
    let expected =
        (0..).zip(&shells).flat_map(|(n, shell)| [(None, n), (Some(*shell), n), (None, n + 1000)]);
    assert_eq!(fired, expected.collect::<Vec<_>>());
    assert_eq!(shells.len(), 150);
    for threads in every_kind() {
        for all in [whole::all, parted::all, evenly::all] {
            assert_eq!(all(threads.clone()), (fired.clone(), shells.clone(), hash));
        }
    }
}

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Mark;

impl Accumulate for Mark {
    fn accumulate(&mut self, _: Self) {}
}

#[derive(Clone, StateHash)]
struct Doomed;

world! {
    world Yard { staged_changes: refresh_before_dependents }
    component Aim, Log;
    component Mark, Doomed: empty;
    system Hit {
        accumulate: [Log, Mark],
        each: |aim: &Aim, effects| {
            effects.accumulate(aim.0, one(aim.1));
            effects.accumulate(aim.0, Mark);
        },
    }
    system Doom { with: [Doomed], despawn, each: |entity: Entity, effects| effects.despawn(entity) }
    system Count { with: [Mark], dependencies: [Hit], output: Vec<u32>, each: |log: &Log, effects| {
        effects.output().push(log.0.len() as u32);
    } }
}

#[test]
fn the_dead_get_nothing_and_the_hit_are_matched() {
    for threads in every_kind() {
        let mut world = World::<Yard>::on(threads);
        let dead = world.spawn((one(1),));
        world.despawn(dead);
        // It may be in the same row.
        let [other, doomed, target] =
            [world.spawn(()), world.spawn((Doomed,)), world.spawn((Mark,))];
        world.spawn_batch(aims([dead, doomed, target], 3));
        world.tick().unwrap();
        assert!(world.get::<Log>(other).is_none() && world.get::<Mark>(other).is_none());
        assert!(!world.is_alive(doomed) && !world.is_alive(dead));
        assert_eq!(world.get::<Log>(target).unwrap().0, [0, 1, 2]);
        assert!(world.get::<Mark>(target).is_some());
        assert!(world.outputs_of::<Count>().flatten().eq([&3]));
        let heir = world.spawn(());
        world.tick().unwrap();
        assert!(world.get::<Log>(heir).is_none(), "a stale handle");
        assert!(world.outputs_of::<Count>().flatten().eq([&6]));
    }
}

world! {
    world Hand;
    component Aim;
    component Log: hash_map;
    component Mark: empty;
    system Later {
        defer,
        each: |aim: &Aim, effects| {
            let Aim(target, n) = *aim;
            effects.defer(move |defer| defer.accumulate(target, one(n)).unwrap());
        },
    }
}

#[test]
fn worlds_steps_and_functions_merge_at_once() {
    let mut world = World::<Hand>::new();
    let target = world.spawn(());
    world.accumulate(target, one(1)).unwrap();
    world.accumulate(target, one(2)).unwrap();
    world.accumulate(target, Mark).unwrap();
    world.accumulate(target, Mark).unwrap();
    world.spawn_batch([(Aim(target, 4),), (Aim(target, 5),)]);
    world
        .step(|step| {
            step.accumulate(target, one(3)).unwrap();
            assert_eq!(step.get::<Log>(target).unwrap().0, [1, 2, 3]);
            step.execute_systems();
        })
        .unwrap();
    assert_eq!(world.get::<Log>(target).unwrap().0, [1, 2, 3, 4, 5]);
    assert!(world.get::<Mark>(target).is_some());
    assert_eq!(caught(|| world.accumulate(target, one(13))), "unlucky");
    assert_eq!(world.get::<Log>(target).unwrap().0, [1, 2, 3, 4, 5]);
    world.despawn(target);
    let error = world.accumulate(target, one(1)).unwrap_err().to_string();
    assert!(error.contains("`Log`") && error.contains("accumulated into"), "{error}");
}

#[derive(Clone, StateHash)]
struct Water(u64);
#[derive(Clone, StateHash)]
struct Seen(u64);

world! {
    world River { staged_changes: refresh_before_dependents }
    component Aim, Log, Seen, Water;
    system Sun {
        accumulate: [Log],
        parallelism: split_every(64),
        each: |aim: &Aim, effects| effects.accumulate(aim.0, one(aim.1)),
    }
    system Lamp {
        accumulate: [Log],
        parallelism: split_every(64),
        each: |aim: &Aim, effects| effects.accumulate(aim.0, one(aim.1 + 1000)),
    }
    system Look {
        dependencies: [Sun, Lamp],
        each: |log: &Log, seen: &mut Seen| {
            seen.0 = log.0.iter().fold(seen.0, |seen, n| seen.wrapping_mul(31) + u64::from(*n));
        },
    }
    // It goes on over the refresh.
    system Flow {
        parallelism: split_every(64),
        each: |water: &mut Water| water.0 = water.0.wrapping_mul(7) + 1,
    }
}

#[test]
fn others_go_on_over_a_refresh_that_merges() {
    let barriers = Description::of::<River>().barriers().to_vec();
    assert_eq!(barriers.len(), 1);
    let text = barriers[0].to_string();
    assert!(text.contains("`Flow`") || text.contains("Flow"), "{text}");
    let mut first = None;
    for threads in every_kind() {
        for unlucky in [false, true] {
            let mut world = World::<River>::on(threads.clone());
            let targets = [0, 0, 0].map(|n| world.spawn((Seen(n),)));
            world.spawn_batch((0..300).map(|n| (Water(n),)));
            world.spawn_batch(aims(targets, 12));
            for _ in 0..2 {
                world.tick().unwrap();
            }
            if unlucky {
                let before = world.get::<Log>(targets[0]).unwrap().0.len();
                world.spawn((Aim(targets[0], 13),));
                assert_eq!(caught(|| world.tick()), "unlucky");
                // All but that one.
                assert_eq!(world.get::<Log>(targets[0]).unwrap().0.len(), before + 25);
            }
            let hash = world.state_hash();
            if !unlucky {
                assert_eq!(*first.get_or_insert(hash), hash);
            }
        }
    }
}

world! {
    world Asked;
    component Aim, Log, Seen;
    system Strike { accumulate: [Log], each: |aim: &Aim, effects| effects.accumulate(aim.0, one(aim.1)) }
    system Watch { sees: [Strike.accumulate], each: |log: &Log, seen: &mut Seen| seen.0 += log.0.len() as u64 }
}

#[test]
fn a_system_sees_what_was_accumulated_if_it_says_so() {
    let mut world = World::<Asked>::on(three());
    let targets = [0, 0, 0].map(|n| world.spawn((Seen(n),)));
    world.spawn_batch(aims(targets, 4));
    world.tick().unwrap();
    assert_eq!(targets.map(|target| world.get::<Seen>(target).unwrap().0), [4; 3]);
}
