//! Updates in a world that refreshes before the systems that read them.

use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, StepError, System, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Level(u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Depth(u32);

world! {
    world Sea { entity_limit: fixed(64), staged_changes: refresh_before_dependents }
    component Level: contiguous_buffer;
    component Depth: contiguous_buffer;

    system Rise { parallelism: split_every(64), update: [Level], output: Vec<Entity> }
    system Fall { parallelism: split_every(64), update: [Level] }
    // No refresh before a system that does not read the component.
    system Note { with: [Level], dependencies: [Rise] }
    system Sound { read: [Level], update: [Depth], dependencies: [Rise, Fall], spawn: [Level] }
    system Drain { read: [Level], update: [Depth] , dependencies: [Rise, Fall] }
    system Measure { read: [Depth], dependencies: [Sound, Drain], output: Vec<u32> }
}

/// Raises even levels, and every level from 5 on. `Fall` lowers the odd ones, and conflicts from 5 on.
#[derive(Default)]
struct Rise;

impl System<Sea> for Rise {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.level.0 % 2 == 0 || e.level.0 >= 5 {
                effects.update(e.entity, Level(e.level.0 + 1));
            }
        });
    }
}

#[derive(Default)]
struct Fall;

impl System<Sea> for Fall {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.level.0 % 2 == 1 || e.level.0 >= 5 {
                effects.update(e.entity, Level(e.level.0 - 1));
            }
        });
    }
}

#[derive(Default)]
struct Note;

impl System<Sea> for Note {
    fn process(&self, _: &mut Data<'_, Sea, Self>) {}
}

/// Updates the depth to the level. From level 60 on it also spawns, and the next system updates the depth
/// too.
#[derive(Default)]
struct Sound;

impl System<Sea> for Sound {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.update(e.entity, Depth(e.level.0));
            if e.level.0 >= 60 {
                (0..100).for_each(|_| effects.spawn((Level(0),)));
            }
        });
    }
}

#[derive(Default)]
struct Drain;

impl System<Sea> for Drain {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.level.0 >= 60 {
                effects.update(e.entity, Depth(0));
            }
        });
    }
}

#[derive(Default)]
struct Measure;

impl System<Sea> for Measure {
    fn process(&self, data: &mut Data<'_, Sea, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.depth.0));
    }
}

/// Steps once from these levels. Returns the error that the step reports, with the number of the entity, and
/// the depths that the last system sees.
fn depths(levels: &[u32]) -> (Option<(StepError, Option<usize>)>, Vec<u32>) {
    let all = every_kind().into_iter().map(|threads| {
        let mut world = World::<Sea>::on(threads);
        let entities: Vec<Entity> = world
            .step(|step| {
                let spawn = |&level: &u32| step.spawn((Level(level), Depth(7)));
                levels.iter().map(spawn).collect()
            })
            .unwrap();
        let mut seen = Vec::new();
        let step = world.step(|step| {
            step.execute_systems();
            step.output_parts_of::<Measure>().for_each(|output| seen.extend_from_slice(output));
        });
        let error = step.err().map(|error| match error {
            StepError::UpdateConflict { entity, .. } => {
                (error, entities.iter().position(|other| *other == entity))
            }
            _ => (error, None),
        });
        (error, seen)
    });
    let all: Vec<_> = all.collect();
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all.into_iter().next().unwrap()
}

#[test]
fn who_reads_what_is_updated_comes_after_a_refresh() {
    let phases = Phases::of::<Sea>();
    assert_eq!(phases.count(), 3);
    assert_eq!(
        [
            phases.phase_of::<Sea, Rise>(),
            phases.phase_of::<Sea, Fall>(),
            phases.phase_of::<Sea, Note>(),
            phases.phase_of::<Sea, Sound>(),
            phases.phase_of::<Sea, Drain>(),
            phases.phase_of::<Sea, Measure>(),
        ],
        [0, 0, 0, 1, 1, 2]
    );
    assert_eq!(depths(&[0, 1, 2, 3, 4]), (None, vec![1, 0, 3, 2, 5]));
}

#[test]
fn the_execution_goes_on_and_the_first_conflict_is_reported_at_the_end() {
    let (error, seen) = depths(&[0, 5, 6, 1]);
    let (error, entity) = error.expect("a conflict");
    let StepError::UpdateConflict { component, systems, .. } = error else { panic!("{error}") };
    assert_eq!((component, systems, entity), ("Level", ["Rise", "Fall"], Some(1)));
    assert_eq!(seen, [1, 5, 6, 0]);
    // Two refreshes with a conflict, and then one that exceeds the limit. The first conflict is reported.
    let (error, seen) = depths(&[60, 2]);
    let (error, entity) = error.expect("a conflict");
    let StepError::UpdateConflict { component, .. } = error else { panic!("{error}") };
    assert_eq!((component, entity), ("Level", Some(0)));
    assert_eq!(seen, [7, 3]);
    assert_eq!(depths(&[59, 2]).0.map(|(_, entity)| entity), Some(Some(0)));
}

#[test]
fn lost_spawns_are_reported_where_nothing_conflicts() {
    let mut world = World::<Sea>::new();
    let step = world.step(|step| {
        step.spawn((Level(60),));
        step.execute_systems_from::<(Sound,)>();
    });
    assert_eq!(step, Ok(()), "no system reads an entity without a depth");
    let step = world.step(|step| {
        step.spawn((Level(0), Depth(0)));
        step.spawn((Level(60), Depth(0)));
    });
    assert_eq!(step, Ok(()));
    let step = world.step(|step| step.execute_systems_from::<(Sound,)>());
    assert_eq!(step, Err(StepError::LimitReached { limit: 64, lost: 39 }));
}
