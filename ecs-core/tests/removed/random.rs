//! Random programs: what readers get is what the model says, and the state, with what is still unread, has the same bits in
//! all storages, on any number of threads.

use std::collections::HashMap;

use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential,
};
use ecs_core::{Entity, Threads};
use proptest::prelude::*;

use super::model::{ALL, LAST, Model, ODD, Seen, THIRD};
use super::support::{cases, mix, pools, three};
use super::worlds::{Line, columns, groups, maps, phased, phased_groups};

#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Spawns as many entities with these components.
    Spawn(u8, u64),
    /// Despawns a random share, one of this number, and executes all systems in the same step, or none.
    Despawn(u64, bool),
    /// The same for a component.
    Remove(usize, u64, bool),
    Insert(usize, u64),
    All,
    /// A chain without most readers.
    From,
    /// One reader alone.
    Only(bool),
    Forget(usize),
    Save,
    Restore,
    Clone,
}

fn op() -> impl Strategy<Value = Op> {
    let component = || 0..3_usize;
    let of = || 2..9_u64;
    prop_oneof![
        3 => (any::<u8>(), 1..200_u64).prop_map(|(mask, count)| Op::Spawn(mask, count)),
        2 => (of(), any::<bool>()).prop_map(|(of, run)| Op::Despawn(of, run)),
        2 => (component(), of(), any::<bool>()).prop_map(|(c, of, run)| Op::Remove(c, of, run)),
        1 => (component(), of()).prop_map(|(component, of)| Op::Insert(component, of)),
        6 => Just(Op::All),
        2 => Just(Op::From),
        2 => any::<bool>().prop_map(Op::Only),
        1 => component().prop_map(Op::Forget),
        1 => Just(Op::Save),
        1 => Just(Op::Restore),
        1 => Just(Op::Clone),
    ]
}

/// A random choice among entities, at this time.
pub(crate) fn chosen(id: u64, of: u64, now: u64) -> bool {
    id != 0 && mix(id ^ now << 50).is_multiple_of(of)
}

/// The handles of a world, and the ids behind them.
pub(crate) type Names = HashMap<Entity, u64>;

pub(crate) fn named(lines: impl Iterator<Item = Line>, names: &Names) -> Vec<Seen> {
    lines.map(|(component, entity, value)| (component, names[&entity], value)).collect()
}

/// Follows the operation, and returns what each reader reads.
pub(crate) fn follow(model: &mut Model, op: &Op, now: u64) -> [Vec<Seen>; 4] {
    let chosen = |model: &Model, of| {
        let all = model.beings.keys().copied();
        all.filter(|&id| chosen(id, of, now)).collect::<Vec<u64>>()
    };
    let mut seen: [Vec<Seen>; 4] = Default::default();
    let mut runs = false;
    match *op {
        Op::Spawn(mask, count) => {
            for id in 0..count {
                let values =
                    (0..3).map(|c| (mask >> c & 1 == 1).then_some(if c == 2 { 0 } else { id }));
                let values: Vec<Option<u64>> = values.collect();
                model.beings.insert(now << 20 | id, [values[0], values[1], values[2]]);
            }
        }
        Op::Despawn(of, run) => {
            for id in chosen(model, of) {
                model.doom(id);
            }
            runs = run;
        }
        Op::Remove(component, of, run) => {
            for id in chosen(model, of) {
                model.remove(component, id);
            }
            runs = run;
        }
        Op::Insert(component, of) => {
            for id in chosen(model, of) {
                model.insert(component, id, now);
            }
        }
        Op::All => runs = true,
        Op::From => {
            model.executions += 1;
            model.change(now);
            seen[LAST] = model.read(LAST);
        }
        Op::Only(all) => {
            let turn = model.executions.is_multiple_of(3);
            model.executions += 1;
            if all {
                seen[ALL] = model.read(ALL);
            } else if turn {
                seen[THIRD] = model.read(THIRD);
            }
        }
        Op::Forget(component) => model.forget(component),
        Op::Save | Op::Restore | Op::Clone => {}
    }
    if runs {
        let turn = model.executions.is_multiple_of(3);
        model.executions += 1;
        if model.phased {
            model.refresh();
        }
        model.narrow();
        model.publish();
        model.roll(now);
        model.publish();
        seen[ALL] = model.read(ALL);
        if now % 2 == 1 {
            seen[ODD] = model.read(ODD);
        }
        if turn {
            seen[THIRD] = model.read(THIRD);
        }
        model.change(now);
        seen[LAST] = model.read(LAST);
    }
    model.refresh();
    seen
}

macro_rules! program {
    ($Tested:ident) => {
        /// Applies the operation to the world. Returns which readers have run, conditions aside.
        fn apply<S: ecs_core::settings::Settings>(
            world: &mut ecs_core::World<$Tested, S>,
            op: &Op,
            now: u64,
            all: &[(Entity, u64)],
            names: &mut Names,
        ) -> [bool; 4] {
            let them =
                |of| all.iter().filter(move |&&(_, id)| chosen(id, of, now)).map(|one| one.0);
            let mut ran = [false; 4];
            match *op {
                Op::Spawn(mask, count) => {
                    for id in 0..count {
                        let (own, text) = (Id(now << 20 | id), Text(id.to_string()));
                        let entity = world.step(|step| {
                            let entity = step.spawn((own,));
                            if mask & 1 == 1 {
                                step.insert(entity, Plain(id)).expect("it lives");
                            }
                            if mask & 2 == 2 {
                                step.insert(entity, text).expect("it lives");
                            }
                            if mask & 4 == 4 {
                                step.insert(entity, Tag).expect("it lives");
                            }
                            entity
                        });
                        names.insert(entity.expect("there is room"), now << 20 | id);
                    }
                }
                Op::Despawn(of, run) => {
                    world
                        .step(|step| {
                            them(of).for_each(|entity| step.despawn(entity));
                            if run {
                                step.execute_systems();
                            }
                        })
                        .expect("no error");
                    ran = [run; 4];
                }
                Op::Remove(component, of, run) => {
                    let step = |step: &mut ecs_core::Step<'_, $Tested, S>| {
                        if component == 1 {
                            for entity in them(of) {
                                step.remove_many::<(Text,)>(entity);
                            }
                        } else if component == 0 {
                            step.remove_batch::<Plain>(them(of));
                        } else {
                            step.remove_batch::<Tag>(them(of));
                        }
                        if run {
                            step.execute_systems();
                        }
                    };
                    world.step(step).expect("no error");
                    ran = [run; 4];
                }
                Op::Insert(component, of) => {
                    let step = |step: &mut ecs_core::Step<'_, $Tested, S>| match component {
                        0 => step.insert_batch(them(of).map(|entity| (entity, Plain(now)))),
                        1 => step.insert_batch(them(of).map(|one| (one, Text(now.to_string())))),
                        _ => step.insert_batch(them(of).map(|entity| (entity, Tag))),
                    };
                    world.step(step).expect("no error");
                }
                Op::All => {
                    world.tick().expect("no error");
                    ran = [true; 4];
                }
                Op::From => {
                    world.step(|step| step.execute_systems_from::<(Alter,)>()).expect("no error");
                    ran[LAST] = true;
                }
                Op::Only(true) => {
                    world.step(|step| step.execute_only::<(All,)>()).expect("no error");
                    ran[ALL] = true;
                }
                Op::Only(false) => {
                    world.step(|step| step.execute_only::<(Third,)>()).expect("no error");
                    ran[THIRD] = true;
                }
                Op::Forget(0) => world.forget_removed::<Plain>(),
                Op::Forget(1) => world.forget_removed::<Text>(),
                Op::Forget(_) => world.forget_removed::<Tag>(),
                Op::Save | Op::Restore | Op::Clone => {}
            }
            ran
        }

        /// Runs the program in a world of these settings beside the model. Returns the hash of the state, and what readers
        /// have read, after each operation.
        pub(crate) fn run<S>(
            threads: ecs_core::Threads,
            program: &[Op],
        ) -> Vec<(u64, [Vec<Line>; 4])>
        where
            S: ecs_core::settings::Settings,
        {
            let phased =
                <$Tested as ecs_core::Declaration>::STAGED_CHANGES != StagedChanges::AfterStep;
            let mut world = ecs_core::World::<$Tested, S>::on(threads);
            world.spawn((Id(0),));
            let mut model = Model::new(phased);
            let mut names = Names::from([(world.iter::<Entity>().next().expect("one"), 0)]);
            let mut saved = (world.snapshot(), model.clone(), names.clone());
            let mut trace = Vec::new();
            for (n, op) in program.iter().enumerate() {
                let now = n as u64 + 1;
                world.resource_mut::<Clock>().0 = now;
                let all: Vec<(Entity, u64)> =
                    world.iter::<(Entity, &Id)>().map(|(entity, id)| (entity, id.0)).collect();
                model.rows = all.iter().enumerate().map(|(row, one)| (one.1, row)).collect();
                match op {
                    Op::Save => {
                        world.snapshot_into(&mut saved.0);
                        (saved.1, saved.2) = (model.clone(), names.clone());
                    }
                    Op::Restore => {
                        world.restore(&saved.0).expect("there is room");
                        (model, names) = (saved.1.clone(), saved.2.clone());
                    }
                    Op::Clone => world = world.clone(),
                    _ => {}
                }
                let mut ran = apply(&mut world, op, now, &all, &mut names);
                let turn = model.executions.is_multiple_of(3);
                let mut expected = follow(&mut model, op, now);
                ran[ODD] &= now % 2 == 1;
                ran[THIRD] &= turn;
                let lines: [Vec<Line>; 4] = [
                    world.outputs_of::<All>().flatten().copied().collect(),
                    world.outputs_of::<Odd>().flatten().copied().collect(),
                    world.outputs_of::<Third>().flatten().copied().collect(),
                    world.outputs_of::<Last>().flatten().copied().collect(),
                ];
                for reader in (0..4).filter(|&reader| ran[reader]) {
                    let mut seen = named(lines[reader].iter().copied(), &names);
                    if phased {
                        // Entities move at refreshes in the middle of a step, of which the model knows nothing.
                        seen.sort_unstable();
                        expected[reader].sort_unstable();
                    }
                    assert_eq!(seen, expected[reader], "reader {reader} in operation {n}: {op:?}");
                }
                trace.push((world.state_hash(), lines));
            }
            trace
        }
        use super::super::model::*;
        use super::super::random::*;
        use ecs_core::signature::StagedChanges;
    };
}
pub(super) use program;

type InOrder = Config<Dynamic<16>, Allow, AtomicCounter>;
type Whole = Config<Fixed<20_000>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<16>, Allow, AtomicCounter>;

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn readers_get_what_the_model_says(program in proptest::collection::vec(op(), 1..24)) {
        let expected = columns::run::<Whole>(Threads::Inline, &program);
        prop_assert_eq!(&groups::run::<InOrder>(pools()[1].clone(), &program), &expected);
        prop_assert_eq!(&maps::run::<InOrder>(three(), &program), &expected);
        for threads in pools() {
            prop_assert_eq!(&columns::run::<InOrder>(threads.clone(), &program), &expected);
        }
        let expected = columns::run::<Sorted>(Threads::Inline, &program);
        prop_assert_eq!(&maps::run::<Sorted>(three(), &program), &expected);
        let expected = phased::run::<Whole>(Threads::Inline, &program);
        prop_assert_eq!(&phased::run::<InOrder>(three(), &program), &expected);
        prop_assert_eq!(&phased_groups::run::<InOrder>(pools()[1].clone(), &program), &expected);
    }
}

/// With many more entities than a chunk of the refresh has rows.
#[test]
fn many_entities() {
    let spawn = |mask| Op::Spawn(mask, 6000);
    let mut program = vec![spawn(7), spawn(3), spawn(5), Op::All, Op::Save, spawn(6)];
    program.extend([
        Op::All,
        Op::Despawn(3, true),
        Op::From,
        Op::Restore,
        Op::All,
        Op::Only(false),
    ]);
    let expected = columns::run::<InOrder>(Threads::Inline, &program);
    assert!(expected == groups::run::<InOrder>(three(), &program));
    assert!(expected == columns::run::<InOrder>(three(), &program));
}
