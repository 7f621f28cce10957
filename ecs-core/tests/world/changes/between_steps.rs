//! Changes between steps: each has the result of a step of its own, whatever is read, copied, saved or done after it.

use std::cell::RefCell;

use ecs_core::events::{Events, Handlers};
use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Settings};
use ecs_core::{Defer, Entity, StateHash, Threads, World, world};
use proptest::prelude::*;

use crate::support::cases;

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Age(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Guest;

/// A change of the entity with a number, or a look at the world.
#[derive(Clone, Debug)]
enum Deed {
    Spawn(u8),
    SpawnBatch(u8, usize),
    Despawn(usize),
    Insert(usize, u32),
    Rename(usize),
    Remove(usize),
    Invite(usize),
    Change(usize),
    Step,
    /// All systems, with handlers of events.
    StepWith,
    /// The world is replaced by its clone, or by what a snapshot of it is restored into.
    Clone,
    Restore,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let one = || 0..200_usize;
    let deed = prop_oneof![
        6 => (0..4_u8).prop_map(Deed::Spawn),
        2 => (0..3_u8, 0..150_usize).prop_map(|(kind, count)| Deed::SpawnBatch(kind, count)),
        5 => one().prop_map(Deed::Despawn),
        4 => (one(), 0..99_u32).prop_map(|(one, age)| Deed::Insert(one, age)),
        2 => one().prop_map(Deed::Rename),
        4 => one().prop_map(Deed::Remove),
        2 => one().prop_map(Deed::Invite),
        2 => one().prop_map(Deed::Change),
        2 => Just(Deed::Step),
        1 => Just(Deed::StepWith),
        1 => Just(Deed::Clone),
        1 => Just(Deed::Restore),
    ];
    proptest::collection::vec(deed, 0..40)
}

type Told = RefCell<Vec<(&'static str, Entity)>>;

/// Makes a change between steps, or, if it is not `direct`, in a step of its own.
macro_rules! both {
    ($world:expr, $direct:expr, |$it:ident| $change:expr) => {
        if $direct {
            let $it = &mut $world;
            let _ = $change;
        } else {
            let _ = $world.step(|$it| {
                let _ = $change;
            });
        }
    };
}

/// Does the same to two worlds: to one between steps, to the other in a step for each change.
macro_rules! compared {
    ($name:ident, $world:ident, $subscribe:expr, { $($declared:tt)* }) => {
        mod $name {
            use super::*;

            world! {
                world $world;
                component Age, Name;
                component Guest: sparse_set;
                system Grow {
                    parallelism: split_every(64),
                    output: Vec<Entity>,
                    each: |entity: Entity, age: &mut Age, effects| {
                        age.0 += 1;
                        effects.output().push(entity);
                    },
                }
                system Greet {
                    with: [Name],
                    without: [Guest],
                    output: Vec<Entity>,
                    run: |data| {
                        let (own, effects) = (&mut data.own, &mut data.effects);
                        own.for_entities(|e| effects.output().push(e.entity));
                    },
                }
                $($declared)*
            }

            fn tell(told: &Told) -> Events<$world, impl Handlers<$world>> {
                let note = |what| move |entity| told.borrow_mut().push((what, entity));
                let [subscribed, unsubscribed, reclaimed] = ["+", "-", "reclaimed"].map(note);
                Events::new()
                    .on_subscribe::<Grow>(move |event| subscribed(event.entity()))
                    .on_unsubscribe::<Grow>(move |event| unsubscribed(event.entity()))
                    .on_reclaim(move |event| reclaimed(event.entity()))
            }

            /// The hash, who is there in which order, whom systems have met, and what handlers were told.
            type Seen = (u64, Vec<Shown>, [Vec<Entity>; 2], Vec<(&'static str, Entity)>);
            type Shown = (Entity, Option<Age>, Option<Name>);

            fn run<S: Settings>(deeds: &[Deed], direct: bool) -> Vec<Seen> {
                let mut world = World::<$world, S>::on(Threads::Inline);
                let mut other = World::<$world, S>::on(Threads::Inline);
                let mut seen = Vec::new();
                for deed in deeds {
                    // In the order of rows.
                    let all: Vec<Entity> = world.iter::<Entity>().collect();
                    let told = Told::default();
                    let entity = |at: usize| all.get(at % all.len().max(1)).copied();
                    let (age, name) = (Age(1), Name("anonymous".to_owned()));
                    match *deed {
                        Deed::Spawn(0) => both!(world, direct, |it| it.spawn(())),
                        Deed::Spawn(1) => both!(world, direct, |it| it.spawn((age,))),
                        Deed::Spawn(2) => both!(world, direct, |it| it.spawn((age, name.clone()))),
                        Deed::Spawn(_) => both!(world, direct, |it| it.spawn((name.clone(), Guest))),
                        Deed::SpawnBatch(0, count) => {
                            both!(world, direct, |it| it.spawn_batch((0..count).map(|_| ())));
                        }
                        Deed::SpawnBatch(1, count) => {
                            both!(world, direct, |it| it.spawn_batch((0..count).map(|_| (age,))));
                        }
                        Deed::SpawnBatch(_, count) => {
                            let bundle = || (age, name.clone());
                            both!(world, direct, |it| it.spawn_batch((0..count).map(|_| bundle())));
                        }
                        Deed::Despawn(at) => {
                            let Some(entity) = entity(at) else { continue };
                            both!(world, direct, |it| it.despawn(entity));
                        }
                        Deed::Insert(at, age) => {
                            let Some(entity) = entity(at) else { continue };
                            both!(world, direct, |it| it.insert(entity, Age(age)));
                        }
                        Deed::Rename(at) => {
                            let Some(entity) = entity(at) else { continue };
                            let bundle = || (Name(at.to_string()), Age(7));
                            both!(world, direct, |it| it.insert_many(entity, bundle()));
                        }
                        Deed::Remove(at) => {
                            let Some(entity) = entity(at) else { continue };
                            both!(world, direct, |it| it.remove_many::<(Age,)>(entity));
                        }
                        Deed::Invite(at) => {
                            let Some(entity) = entity(at) else { continue };
                            both!(world, direct, |it| it.insert(entity, Guest));
                            let subscribe: fn(&mut Defer<'_, $world>, Entity) = $subscribe;
                            let _ = world.step(|step| subscribe(step, entity));
                        }
                        Deed::Change(at) => {
                            let Some(entity) = entity(at) else { continue };
                            both!(world, direct, |it| it.get_mut::<Age>(entity).map(|age| age.0 += 3));
                        }
                        Deed::Step => {
                            let _ = world.tick();
                        }
                        Deed::StepWith => {
                            let _ = world.step_with(tell(&told), |step| step.execute_systems());
                        }
                        Deed::Clone => world = world.clone(),
                        Deed::Restore => {
                            let snapshot = world.snapshot();
                            other.restore(&snapshot).expect("there is room");
                            std::mem::swap(&mut world, &mut other);
                        }
                    }
                    let show = |entity| {
                        let name = world.get::<Name>(entity).cloned();
                        (entity, world.get::<Age>(entity).copied(), name)
                    };
                    let grown = world.outputs_of::<Grow>().flatten().copied().collect();
                    let greeted = world.outputs_of::<Greet>().flatten().copied().collect();
                    let entities = world.iter::<Entity>().map(show).collect();
                    seen.push((world.state_hash(), entities, [grown, greeted], told.into_inner()));
                }
                seen
            }

            proptest! {
                #![proptest_config(cases(60))]

                #[test]
                fn are_as_steps(deeds in deeds()) {
                    type InOrder = Config<Dynamic<8>, Allow, AtomicCounter>;
                    type Sorted = Config<ByArchetype<8>, Allow, AtomicCounter>;
                    prop_assert_eq!(run::<InOrder>(&deeds, true), run::<InOrder>(&deeds, false));
                    prop_assert_eq!(run::<Sorted>(&deeds, true), run::<Sorted>(&deeds, false));
                }
            }
        }
    };
}

compared!(plain, Plain, |_, _| {}, {});
compared!(
    asked,
    Asked,
    |step, entity| {
        let _ = step.subscribe::<Watch>(entity);
    },
    { system Watch { opt_in, dependencies: [Grow], each: |_: &Age| {} } }
);
compared!(kept, Kept, |_, _| {}, {
    system Mourn {
        removed: [Age],
        dependencies: [Grow],
        output: Vec<u32>,
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            effects.output().extend(own.removed::<Age>().map(|(_, age)| age.0));
        },
    }
});
// Marks are a part of the hash.
compared!(marked, Marked, |_, _| {}, {
    system Note { read: [Name], changed: [Name], run: |data| data.own.for_entities(|e| assert!(!e.name.0.is_empty())) }
});

struct ChildOf;

compared!(linked, Linked, |_, _| {}, { relation ChildOf: one_to_many, on_despawn: despawn; });
