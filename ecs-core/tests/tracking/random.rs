//! Random programs: what readers see is what a model without rows and bits says, with rows in order and by archetype, on any
//! number of threads; and the state, with what is still unseen, is the same everywhere.

use std::collections::HashMap;

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Settings};
use ecs_core::{Entity, Mut, Threads, World};
use proptest::prelude::*;

use super::declaration::*;
use super::model::{Being, Model};
use super::support::{cases, every_kind, mix};

#[derive(Clone, Debug)]
enum Op {
    /// Spawns as many entities with these components, in a batch or one by one.
    Spawn {
        mask: u8,
        count: u64,
        batch: bool,
    },
    /// Despawns a random share: one of this number.
    Despawn(u64),
    Insert {
        component: usize,
        of: u64,
        batch: bool,
    },
    Remove {
        component: usize,
        of: u64,
        batch: bool,
    },
    GetMut {
        component: usize,
        of: u64,
    },
    /// Writes such a share of those that an iterator from outside hands out.
    IterMut {
        component: usize,
        of: u64,
    },
    All,
    From,
    Only,
    Save,
    Restore,
    Clone,
}

fn op() -> impl Strategy<Value = Op> {
    let component = || 0..4_usize;
    let of = || 2..9_u64;
    prop_oneof![
        3 => (any::<u8>(), 1..300_u64, any::<bool>())
            .prop_map(|(mask, count, batch)| Op::Spawn { mask, count, batch }),
        2 => of().prop_map(Op::Despawn),
        2 => (component(), of(), any::<bool>())
            .prop_map(|(component, of, batch)| Op::Insert { component, of, batch }),
        1 => (component(), of(), any::<bool>())
            .prop_map(|(component, of, batch)| Op::Remove { component, of, batch }),
        1 => (component(), of()).prop_map(|(component, of)| Op::GetMut { component, of }),
        1 => (component(), of()).prop_map(|(component, of)| Op::IterMut { component, of }),
        5 => Just(Op::All),
        2 => Just(Op::From),
        2 => Just(Op::Only),
        1 => Just(Op::Save),
        1 => Just(Op::Restore),
        1 => Just(Op::Clone),
    ]
}

/// A random choice among entities, at this time.
fn chosen(id: u64, of: u64, now: u64) -> bool {
    mix(id ^ now << 50).is_multiple_of(of)
}

fn id_of(n: u64, now: u64) -> u64 {
    mix(n ^ now << 24 ^ 1 << 60)
}

fn handles<S: Settings>(world: &World<Zoo, S>) -> HashMap<u64, Entity> {
    world.iter::<(&Id, Entity)>().map(|(id, entity)| (id.0, entity)).collect()
}

macro_rules! for_component {
    ($component:expr, $C:ident => $body:expr) => {
        match $component {
            0 => {
                use Plain as $C;
                $body
            }
            1 => {
                use Beside as $C;
                $body
            }
            2 => {
                use Rare as $C;
                $body
            }
            _ => {
                use Packed as $C;
                $body
            }
        }
    };
}

/// Entities that are spawned with this mask.
fn spawn<S: Settings>(world: &mut World<Zoo, S>, mask: u8, ids: &[u64], batch: bool)
where
    S::Limit: ecs_core::settings::EntityLimit,
{
    let spawned = world.step(|step| {
        let all = ids.iter().copied();
        if batch {
            return match mask % 4 {
                0 => step.spawn_batch(all.map(|id| (Id(id), Plain(1)))).len(),
                1 => step.spawn_batch(all.map(|id| (Beside(1), Id(id), Spare(0)))).len(),
                2 => step.spawn_batch(all.map(|id| (Id(id), Rare(1), Packed(2), Tag))).len(),
                _ => {
                    let all = all.map(|id| (Id(id), Rare(1), Packed(2), Plain(3), Beside(4)));
                    step.spawn_batch(all).len()
                }
            };
        }
        for id in all {
            let entity = match mask % 4 {
                0 => step.spawn((Id(id), Plain(1))),
                1 => step.spawn((Beside(1), Id(id), Spare(0))),
                2 => step.spawn((Id(id), Rare(1), Packed(2), Tag)),
                _ => step.spawn((Id(id), Tag)),
            };
            if mask % 4 == 3 {
                step.insert(entity, Plain(0)).expect("it lives");
                step.insert(entity, Beside(0)).expect("it lives");
            }
        }
        ids.len()
    });
    assert_eq!(spawned, Ok(ids.len()));
}

fn mask_of(mask: u8, batch: bool) -> u8 {
    match (mask % 4, batch) {
        (0, _) => 0b00001,
        (1, _) => 0b00010,
        (2, _) => 0b11100,
        (_, true) => 0b01111,
        (_, false) => 0b10011,
    }
}

/// Applies the operation to the world.
fn apply<S: Settings>(world: &mut World<Zoo, S>, op: &Op, now: u64) -> Vec<Vec<(u8, usize, u64)>> {
    world.resource_mut::<Clock>().0 = now;
    let entities = |world: &World<Zoo, S>, of| {
        let mut all: Vec<_> =
            handles(world).into_iter().filter(|&(id, _)| chosen(id, of, now)).collect();
        all.sort_unstable_by_key(|&(id, _)| id);
        all.into_iter().map(|(_, entity)| entity).collect::<Vec<_>>()
    };
    match *op {
        Op::Spawn { mask, count, batch } => {
            let ids: Vec<u64> = (0..count).map(|n| id_of(n, now)).collect();
            spawn(world, mask, &ids, batch);
        }
        Op::Despawn(of) => {
            let dead = entities(world, of);
            world.step(|step| dead.iter().for_each(|&entity| step.despawn(entity))).unwrap();
        }
        Op::Insert { component, of, batch } => {
            let them = entities(world, of);
            for_component!(component, C => world.step(|step| {
                if batch {
                    step.insert_batch(them.iter().map(|&entity| (entity, C(9))));
                } else {
                    for &entity in &them {
                        step.insert(entity, C(9)).expect("it lives");
                    }
                }
            }).unwrap());
        }
        Op::Remove { component, of, batch } => {
            let them = entities(world, of);
            for_component!(component, C => world.step(|step| {
                if batch {
                    step.remove_batch::<C>(them.iter().copied());
                } else {
                    for &entity in &them {
                        step.remove::<C>(entity);
                    }
                }
            }).unwrap());
        }
        Op::GetMut { component, of } => {
            for entity in entities(world, of) {
                for_component!(component, C => if let Some(it) = world.get_mut::<C>(entity) {
                    it.0 += 1;
                });
            }
        }
        Op::IterMut { component, of } => {
            for_component!(component, C => for (id, it) in world.iter_mut::<(&Id, Option<Mut<'_, C>>)>() {
                if chosen(id.0, of, now) && let Some(mut it) = it {
                    it.0 += 1;
                }
            });
        }
        Op::All => {
            world.tick().unwrap();
            return outputs(world, 0..5);
        }
        Op::From => {
            world.step(|step| step.execute_systems_from::<(Untagged,)>()).unwrap();
            return outputs(world, 1..5);
        }
        Op::Only => {
            world.step(|step| step.execute_only::<(Groups,)>()).unwrap();
            return outputs(world, 3..4);
        }
        Op::Save | Op::Restore | Op::Clone => {}
    }
    Vec::new()
}

/// What the readers at these indices have seen, sorted.
fn outputs<S: Settings>(
    world: &World<Zoo, S>,
    readers: core::ops::Range<usize>,
) -> Vec<Vec<(u8, usize, u64)>> {
    readers
        .map(|reader| {
            let mut seen: Seen = match reader {
                0 => world.outputs_of::<Both>().flatten().copied().collect(),
                1 => world.outputs_of::<Untagged>().flatten().copied().collect(),
                2 => world.outputs_of::<Each>().flatten().copied().collect(),
                3 => world.outputs_of::<Groups>().flatten().copied().collect(),
                _ => world.outputs_of::<Maps>().flatten().copied().collect(),
            };
            seen.sort_unstable();
            seen
        })
        .collect()
}

/// The same for the model.
fn follow(model: &mut Model, op: &Op, now: u64) -> Vec<Vec<(u8, usize, u64)>> {
    let ids = |model: &Model, of| {
        let all = model.beings.keys().copied();
        all.filter(|&id| chosen(id, of, now)).collect::<Vec<u64>>()
    };
    match *op {
        Op::Spawn { mask, count, batch } => {
            let being = Being::of(mask_of(mask, batch));
            (0..count).for_each(|n| model.spawn(id_of(n, now), being));
        }
        Op::Despawn(of) => ids(model, of).into_iter().for_each(|id| model.despawn(id)),
        Op::Insert { component, of, .. } => {
            for id in ids(model, of) {
                model.insert(component, id);
            }
        }
        Op::Remove { component, of, .. } => {
            for id in ids(model, of) {
                model.remove(component, id);
            }
        }
        Op::GetMut { component, of } | Op::IterMut { component, of } => {
            for id in ids(model, of) {
                model.write(component, id);
            }
        }
        Op::All => return model.run(0, 10, now),
        Op::From => return model.run(4, 10, now),
        Op::Only => return model.run(6, 7, now),
        Op::Save | Op::Restore | Op::Clone => {}
    }
    Vec::new()
}

/// Runs the program in a world of these settings beside the model. Returns the hash of the state after each operation.
fn run<S: Settings>(threads: Threads, program: &[Op]) -> Vec<u64> {
    let mut world = World::<Zoo, S>::on(threads);
    let mut model = Model::default();
    let mut saved = (world.snapshot(), model.clone());
    let mut hashes = Vec::new();
    for (n, op) in program.iter().enumerate() {
        let now = n as u64 + 1;
        match op {
            Op::Save => {
                world.snapshot_into(&mut saved.0);
                saved.1 = model.clone();
            }
            Op::Restore => {
                world.restore(&saved.0).unwrap();
                model = saved.1.clone();
            }
            Op::Clone => world = world.clone(),
            _ => {}
        }
        let (seen, expected) = (apply(&mut world, op, now), follow(&mut model, op, now));
        assert_eq!(seen, expected, "operation {n}: {op:?}");
        hashes.push(world.state_hash());
    }
    hashes
}

type InOrder = Config<Dynamic<16>, Allow, AtomicCounter>;
type Whole = Config<Dynamic<16>, Disallow, AtomicCounter>;
type Sorted = Config<ByArchetype<16>, Allow, AtomicCounter>;

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn readers_see_what_the_model_says(program in proptest::collection::vec(op(), 1..24)) {
        let expected = run::<Whole>(Threads::Inline, &program);
        let by_archetype = run::<Sorted>(Threads::Inline, &program);
        for threads in every_kind() {
            prop_assert_eq!(&run::<InOrder>(threads.clone(), &program), &expected);
            prop_assert_eq!(&run::<Sorted>(threads, &program), &by_archetype);
        }
    }
}

/// Programs of one kind of operation beside executions, with many more entities than a page has rows.
#[test]
fn many_entities() {
    for (n, op) in [
        Op::Despawn(3),
        Op::Insert { component: 0, of: 2, batch: true },
        Op::IterMut { component: 2, of: 5 },
        Op::Restore,
    ]
    .into_iter()
    .enumerate()
    {
        let spawn = |mask| Op::Spawn { mask, count: 5000, batch: true };
        let mut program = vec![spawn(0), spawn(1), Op::All, Op::Save, spawn(3)];
        for _ in 0..3 {
            program.extend([op.clone(), Op::All, Op::Only, spawn(n as u8), Op::From]);
        }
        assert_eq!(
            run::<InOrder>(Threads::Inline, &program),
            run::<InOrder>(super::support::three(), &program)
        );
        run::<Sorted>(super::support::three(), &program);
    }
}
