//! A world and a naive model of it run the same random scripts, and are compared after every step.

mod declaration;
mod naive;
mod rows;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use ecs_core::SystemName;
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, EntityLimit, Fixed, Sequential,
    Settings,
};
use ecs_core::{Data, Defer, Entity, Step, StepError, Threads, World};
use proptest::prelude::*;

use crate::support::{cases, caught, fail, pools};
use declaration::*;
use naive::{FROM_GROW, FROM_MARK_AND_PAINT, Naive, Parts};
use script::{Action, Event, Run, Script, ScriptStep, bundle, part, script};

/// A world, its model, and every handle seen so far.
struct Pair<S: Settings> {
    world: World<Modelled, S>,
    model: Naive,
    handles: Vec<Entity>,
}

impl<S: Settings> Pair<S> {
    fn new(threads: Threads) -> Self {
        let model =
            Naive::new(<S::Limit as EntityLimit>::FIXED, <S::Limit as EntityLimit>::BY_ARCHETYPE);
        Self { world: World::on(threads), model, handles: Vec::new() }
    }

    /// Takes one step in both, and compares them.
    fn step(&mut self, script: &ScriptStep) {
        let Self { world, model, handles } = self;
        let stepped = if script.panics {
            let text = caught(|| {
                world.step(|step| {
                    play(step, model, handles, script);
                    fail("as the script says");
                })
            });
            assert_eq!(text, "as the script says");
            model.discard();
            Ok(())
        } else {
            world.step(|step| play(step, model, handles, script))
        };
        let expected = match (model.refresh(), model.limit) {
            (0, _) => Ok(()),
            (lost, limit) => Err(StepError::LimitReached { limit: limit.unwrap(), lost }),
        };
        assert_eq!(stepped, expected);
        self.compare();
        self.probe();
    }

    /// Compares the entities, their order, and their components.
    fn compare(&mut self) {
        type Terms<'a> = (
            Entity,
            Option<&'a Position>,
            Option<&'a Color>,
            (Option<&'a Size>, Option<&'a Tag>, Option<&'a Name>),
        );
        let Self { world, model, handles } = self;
        let mut beings = model.beings.values_mut();
        let mut alive = BTreeSet::new();
        world.for_each::<Terms<'_>>(|(entity, position, color, (size, tag, name))| {
            let being = beings.next().expect("no more entities than in the model");
            let parts = Parts {
                position: position.copied(),
                color: color.copied(),
                size: size.copied(),
                tag: tag.copied(),
                name: name.cloned(),
            };
            assert_eq!(parts, being.parts, "of {entity:?}");
            if being.entity.is_none() {
                assert!(!handles.contains(&entity), "the handle {entity:?} comes again");
                handles.push(entity);
            }
            assert_eq!(*being.entity.get_or_insert(entity), entity);
            alive.insert(entity);
        });
        assert!(beings.next().is_none(), "fewer entities than in the model");
        assert_eq!(world.entity_count(), alive.len());
        assert_eq!(*world.resource::<Seed>(), Seed(model.seed));
        for &entity in &*handles {
            assert_eq!(world.is_alive(entity), alive.contains(&entity));
            let parts = model.parts(entity).cloned().unwrap_or_default();
            assert_eq!(world.get::<Position>(entity), parts.position.as_ref());
            assert_eq!(world.get::<Color>(entity), parts.color.as_ref());
            assert_eq!(world.get::<Size>(entity), parts.size.as_ref());
            assert_eq!(world.get::<Tag>(entity), parts.tag.as_ref());
            assert_eq!(world.get::<Name>(entity), parts.name.as_ref());
        }
    }

    /// Compares the entities that every system is subscribed to, as its subtasks see them.
    fn probe(&mut self) {
        let Self { world, model, .. } = self;
        let seen = Mutex::new(BTreeMap::new());
        let stepped = world.step(|step| {
            step.execute_systems()
                .for_subtasks::<Drift>(|_, data| look(data, &seen))
                .for_subtasks::<Cull>(|_, data| look(data, &seen))
                .for_subtasks::<Mark>(|_, data| look(data, &seen))
                .for_subtasks::<Unmark>(|_, data| look(data, &seen))
                .for_subtasks::<Paint>(|_, data| look(data, &seen))
                .for_subtasks::<Grow>(|_, data| look(data, &seen))
                .for_subtasks::<Breed>(|_, data| look(data, &seen))
                .for_subtasks::<Meddle>(|_, data| look(data, &seen))
                .for_subtasks::<Census>(|_, data| look(data, &seen))
                .run();
            outputs(step)
        });
        for system in 0..SYSTEMS {
            model.outputs[system] = model.subscribed(system);
        }
        assert_eq!(stepped.unwrap(), model.outputs);
        assert_eq!(model.refresh(), 0);
        for (system, entities) in seen.into_inner().unwrap() {
            assert_eq!(entities, model.outputs[system]);
        }
    }
}

/// Puts out the entities of one subtask, and collects those of all subtasks.
fn look<N: SystemName<Modelled, Output = Vec<Entity>>>(
    data: &mut Data<'_, Modelled, N>,
    seen: &Mutex<BTreeMap<usize, Vec<Entity>>>,
) {
    let mut all = Vec::new();
    data.for_all_entities(|entity| all.push(entity));
    assert_eq!(data.all_entity_count(), all.len());
    let mut seen = seen.lock().unwrap();
    assert_eq!(*seen.entry(N::INDEX).or_insert_with(|| all.clone()), all);
    drop(seen);
    let own: Vec<Entity> = data.query::<Entity>().into_iter().collect();
    data.output().extend(own);
}

/// The outputs of every system in its latest execution.
fn outputs(defer: &Defer<'_, Modelled>) -> [Vec<Entity>; SYSTEMS] {
    fn of<N: SystemName<Modelled, Output = Vec<Entity>>>(
        defer: &Defer<'_, Modelled>,
    ) -> Vec<Entity> {
        defer.outputs_of::<N>().flatten().copied().collect()
    }
    [
        of::<Drift>(defer),
        of::<Cull>(defer),
        of::<Mark>(defer),
        of::<Unmark>(defer),
        of::<Paint>(defer),
        of::<Grow>(defer),
        of::<Breed>(defer),
        of::<Meddle>(defer),
        of::<Census>(defer),
    ]
}

/// Plays the events of the script in a step and in the model.
fn play<S: Settings>(
    step: &mut Step<'_, Modelled, S>,
    model: &mut Naive,
    handles: &mut Vec<Entity>,
    script: &ScriptStep,
) {
    step.resource_mut::<Seed>().0 = script.seed;
    model.seed = script.seed;
    for event in &script.events {
        match event {
            Event::Act(action) => {
                act(step, model, handles, action);
                continue;
            }
            Event::Run(Run::All) => {
                step.execute_systems().run();
                model.execute(0..SYSTEMS);
            }
            Event::Run(Run::FromGrow) => {
                step.execute_systems_from::<(Grow,)>().run();
                model.execute(FROM_GROW);
            }
            Event::Run(Run::FromMarkAndPaint) => {
                step.execute_systems_from::<(Paint, Mark)>().run();
                model.execute(FROM_MARK_AND_PAINT);
            }
        }
        assert_eq!(outputs(step), model.outputs);
    }
    assert_eq!(step.entity_count(), model.beings.len());
}

/// Performs one action in both.
fn act(
    defer: &mut Defer<'_, Modelled>,
    model: &mut Naive,
    handles: &mut Vec<Entity>,
    action: &Action,
) {
    let pick = |&at: &usize| handles.get(at % handles.len().max(1)).copied();
    match action {
        Action::Spawn { parts, count, value } => {
            for i in 0..*count {
                let parts = bundle(*parts, value.wrapping_add(i as u64));
                let spawned = parts.spawn(defer);
                let entity = spawned.ok();
                assert_eq!(
                    model.create(parts.archetype(), entity, parts).is_some(),
                    entity.is_some()
                );
                if let Some(entity) = entity {
                    assert!(!handles.contains(&entity), "the handle {entity:?} comes again");
                    handles.push(entity);
                }
            }
        }
        Action::Despawn(at) => {
            if let Some(entity) = pick(at) {
                defer.despawn(entity);
                model.mark(entity);
            }
        }
        Action::Add { at, which, value } => {
            if let Some(entity) = pick(at) {
                part(*which, *value).add(defer, model, entity);
            }
        }
        Action::Remove { at, which } => {
            if let Some(entity) = pick(at) {
                part(*which, 0).remove(defer, model, entity);
            }
        }
    }
}

fn play_script<S: Settings>(threads: Threads, script: &Script) {
    let mut pair = Pair::<S>::new(threads);
    for step in &script.steps {
        pair.step(step);
    }
}

type AsDeclared = Config<Dynamic<16>, Allow, AtomicCounter>;
type Cramped = Config<Fixed<300>, Allow, AtomicCounter>;
type Plain = Config<Dynamic<5000>, Disallow, Sequential>;
type Sorted = Config<ByArchetype<64>, Allow, AtomicCounter>;

/// No file keeps the seeds of failures: the script that is printed says all.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..cases(24) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_world_behaves_like_its_model(script in script(), pool in 0..6_usize, settings in 0..4) {
        let threads = pools().get(pool).cloned().unwrap_or(Threads::Inline);
        match settings {
            0 => play_script::<AsDeclared>(threads, &script),
            1 => play_script::<Cramped>(threads, &script),
            2 => play_script::<Sorted>(threads, &script),
            _ => play_script::<Plain>(threads, &script),
        }
    }
}
