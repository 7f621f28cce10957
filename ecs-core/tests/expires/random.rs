//! Random programs: components expire as a plain model says, and the state has the same bits in all storages, on any number of
//! threads, however the entities are split.

use std::collections::BTreeMap;

use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
};
use ecs_core::{Entity, StateHash, Threads};
use proptest::prelude::*;

use super::support::{cases, mix, pools, three};

#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Id(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(crate) struct Poison {
    strength: u64,
    left: u32,
}
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Fuse(u16);
#[derive(Clone, Copy, Debug, StateHash)]
pub(crate) struct Frozen;
#[derive(Clone, Default, StateHash)]
pub(crate) struct Clock(u64);

/// What the program does between two steps.
#[derive(Clone, Debug)]
enum Op {
    Spawn(u64),
    /// Freezes, or thaws, a share of the entities.
    Freeze(u64, bool),
    Despawn(u64),
    Save,
    Restore,
    Clone,
    /// A step without one that counts down.
    Other,
    Tick,
}

fn op() -> impl Strategy<Value = Op> {
    let of = || 2..7_u64;
    prop_oneof![
        3 => (1..200_u64).prop_map(Op::Spawn),
        1 => (of(), any::<bool>()).prop_map(|(of, on)| Op::Freeze(of, on)),
        1 => of().prop_map(Op::Despawn),
        1 => Just(Op::Save),
        1 => Just(Op::Restore),
        1 => Just(Op::Clone),
        1 => Just(Op::Other),
        8 => Just(Op::Tick),
    ]
}

fn chosen(id: u64, of: u64, now: u64) -> bool {
    mix(id ^ now << 50).is_multiple_of(of)
}

fn poison(id: u64, now: u64) -> Option<Poison> {
    let left = (mix(id ^ now << 40) % 12) as u32;
    (left < 8).then_some(Poison { strength: id, left })
}

fn fuse(id: u64, now: u64) -> Option<Fuse> {
    let left = (mix(id ^ now << 30) % 50) as u16;
    (left < 20).then_some(Fuse(left))
}

/// Whether `Bite` poisons this one once more, and how.
fn bitten(id: u64, now: u64) -> Option<Poison> {
    chosen(id ^ 0xB17E, 5, now).then_some(Poison { strength: now, left: 2 })
}

/// An entity of the model.
#[derive(Clone, Debug, Default, PartialEq)]
struct Being {
    poison: Option<Poison>,
    fuse: Option<Fuse>,
    frozen: bool,
}

/// What a step does, to plain values.
fn step(beings: &mut BTreeMap<u64, Being>, now: u64, counts: bool) {
    beings.retain(|&id, being| {
        let mut gone = None;
        if counts && !being.frozen {
            let over = being.poison.as_mut().is_some_and(|poison| {
                poison.left = poison.left.saturating_sub(1);
                poison.left == 0
            });
            if over {
                being.poison = None;
            }
        }
        // The later change counts.
        if let Some(poison) = bitten(id, now) {
            being.poison = Some(poison);
        }
        if counts {
            gone = being.fuse.as_mut().map(|fuse| {
                fuse.0 = fuse.0.saturating_sub(1);
                fuse.0 == 0
            });
        }
        gone != Some(true)
    });
}

macro_rules! world {
    ($module:ident, [$($split:tt)*], { $($components:tt)* }) => {
        mod $module {
            use ecs_core::World;

            use super::*;

            ecs_core::world! {
                pub(crate) world Tested { entity_limit: dynamic(16) }
                component Id;
                component Frozen: empty;
                $($components)*
                resource Clock;
                system Wear { parallelism: $($split)*, expire: Poison, without: [Frozen] }
                system Burn { parallelism: $($split)*, expire: Fuse, despawn }
                system Bite {
                    parallelism: $($split)*,
                    dependencies: [Wear],
                    insert: [Poison],
                    each: |entity: Entity, id: &Id, clock: &Clock, effects| {
                        if let Some(poison) = bitten(id.0, clock.0) {
                            effects.insert(entity, poison);
                        }
                    },
                }
            }

            /// Runs the program beside the model. Returns the hash of the state after each operation.
            pub(super) fn run<S: Settings>(threads: Threads, program: &[Op]) -> Vec<u64> {
                let mut world = World::<Tested, S>::on(threads);
                let mut beings = BTreeMap::new();
                let mut saved = (world.snapshot(), beings.clone());
                let mut trace = Vec::new();
                for (n, op) in program.iter().enumerate() {
                    let now = n as u64 + 1;
                    world.resource_mut::<Clock>().0 = now;
                    let all = || world.iter::<(Entity, &Id)>().map(|(entity, id)| (entity, id.0));
                    let share = |of| all().filter(move |&(_, id)| chosen(id, of, now));
                    match *op {
                        Op::Spawn(count) => {
                            for id in (0..count).map(|id| now << 20 | id) {
                                let being =
                                    Being { poison: poison(id, now), fuse: fuse(id, now), frozen: false };
                                let spawn = |step: &mut ecs_core::Step<'_, Tested, S>| {
                                    let entity = step.spawn((Id(id),));
                                    if let Some(poison) = being.poison.clone() {
                                        step.insert(entity, poison).expect("it lives");
                                    }
                                    if let Some(fuse) = being.fuse {
                                        step.insert(entity, fuse).expect("it lives");
                                    }
                                };
                                world.step(spawn).expect("there is room");
                                beings.insert(id, being);
                            }
                        }
                        Op::Freeze(of, on) => {
                            let some: Vec<(Entity, u64)> = share(of).collect();
                            let change = |step: &mut ecs_core::Step<'_, Tested, S>| {
                                for (entity, _) in &some {
                                    if on {
                                        step.insert(*entity, Frozen).expect("it lives");
                                    } else {
                                        step.remove::<Frozen>(*entity);
                                    }
                                }
                            };
                            world.step(change).expect("no error");
                            for (_, id) in some {
                                beings.get_mut(&id).expect("it lives").frozen = on;
                            }
                        }
                        Op::Despawn(of) => {
                            let some: Vec<(Entity, u64)> = share(of).collect();
                            let despawn = |step: &mut ecs_core::Step<'_, Tested, S>| {
                                for (entity, _) in &some {
                                    step.despawn(*entity);
                                }
                            };
                            world.step(despawn).expect("no error");
                            for (_, id) in some {
                                beings.remove(&id);
                            }
                        }
                        Op::Save => {
                            world.snapshot_into(&mut saved.0);
                            saved.1 = beings.clone();
                        }
                        Op::Restore => {
                            world.restore(&saved.0).expect("there is room");
                            beings = saved.1.clone();
                        }
                        Op::Clone => world = world.clone(),
                        Op::Other => {
                            world.step(|step| step.execute_only::<(Bite,)>()).expect("no error");
                            super::step(&mut beings, now, false);
                        }
                        Op::Tick => {
                            world.tick().expect("no error");
                            super::step(&mut beings, now, true);
                        }
                    }
                    let found = world
                        .iter::<(&Id, Option<&Poison>, Option<&Fuse>, Option<&Frozen>)>()
                        .map(|(id, poison, fuse, frozen)| {
                            let frozen = frozen.is_some();
                            (id.0, Being { poison: poison.cloned(), fuse: fuse.copied(), frozen })
                        });
                    let found: BTreeMap<u64, Being> = found.collect();
                    assert_eq!(found, beings, "after operation {n}: {op:?}");
                    trace.push(world.state_hash());
                }
                trace
            }
        }
    };
}

world! { columns, [none], { component Poison: expires(left); component Fuse: expires(0); } }
world! { parts, [split_every(64)], { component Poison: sparse_set, expires(left); component Fuse: expires(0), hash_map; } }
world! { maps, [split_evenly(3)], { component Poison: hash_map, expires(left); component Fuse: sparse_set, expires(0); } }

type InOrder = Config<Dynamic<16>, Allow, AtomicCounter>;
type Whole = Config<Fixed<20_000>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<16>, Allow, AtomicCounter>;

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn components_expire_as_the_model_says(program in proptest::collection::vec(op(), 1..30)) {
        let expected = columns::run::<Whole>(Threads::Inline, &program);
        prop_assert_eq!(&maps::run::<InOrder>(pools()[1].clone(), &program), &expected);
        for threads in pools() {
            prop_assert_eq!(&parts::run::<InOrder>(threads.clone(), &program), &expected);
        }
        let expected = columns::run::<Sorted>(Threads::Inline, &program);
        prop_assert_eq!(&parts::run::<Sorted>(three(), &program), &expected);
    }
}

/// With more entities than a chunk of the refresh has rows.
#[test]
fn many_entities() {
    let mut program = vec![Op::Spawn(9_000), Op::Tick, Op::Save, Op::Freeze(3, true)];
    program.extend([const { Op::Tick }; 6]);
    program.extend([Op::Restore, Op::Spawn(5_000), Op::Tick, Op::Tick]);
    let expected = columns::run::<Whole>(Threads::Inline, &program);
    assert_eq!(parts::run::<InOrder>(three(), &program), expected);
    assert_eq!(maps::run::<InOrder>(pools()[4].clone(), &program), expected);
}
