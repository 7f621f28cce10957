//! Panics: what the caller sees, which changes survive, and that the world stays usable.

mod drops;
mod drops_that_panic;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ecs_core::{Data, Entity, Executor, System, Threads, World, world};

use crate::support::{caught, every_kind, fail, fresh};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(u64);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark;

world! {
    world Fragile { entity_limit: dynamic(16) }
    component Value: contiguous_buffer;
    component Mark: contiguous_buffer;

    system First: Stage {
        parallelism: split_every(64),
        write: [Value],
        despawn,
        insert: [Mark],
        spawn: [(Value,)],
        defer,
        output: Vec<Entity>,
    }
    system Second: Stage {
        parallelism: split_every(64),
        dependencies: [First],
        write: [Value],
        despawn,
        insert: [Mark],
        spawn: [(Value,)],
        defer,
        output: Vec<Entity>,
    }
    system Marked { with: [Mark], output: Vec<Entity> }
}

/// Where a system panics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    #[default]
    Nowhere,
    Before,
    After,
    /// At the entities with these values.
    Subtasks(&'static [u64]),
    Deferred,
}

/// Stages every effect for each entity, and panics at its `place`.
#[derive(Default)]
struct Stage {
    place: Place,
    executions: u32,
}

impl<N> System<Fragile, N> for Stage
where
    N: ecs_core::SystemName<Fragile, System = Self, Output = Vec<Entity>>
        + ecs_core::access::Writes<Value, Fragile>
        + ecs_core::access::Despawns<Fragile>
        + ecs_core::access::Inserts<Mark, Fragile>
        + ecs_core::access::Spawns<Fragile>
        + ecs_core::access::Defers<Fragile>,
{
    fn process(&self, data: &mut Data<'_, Fragile, N>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.query::<(Entity, &mut Value)>().for_each(|(entity, value)| {
            effects.output().push(entity);
            effects.insert(entity, Mark);
            effects.spawn((Value(value.0 + 1_000_000),));
            if value.0 % 2 == 1 {
                effects.despawn(entity);
            }
            let place = self.place;
            effects.defer(move |defer| {
                if place == Place::Deferred && defer.get::<Mark>(entity).is_some() {
                    fail("deferred");
                }
            });
            if let Place::Subtasks(values) = place
                && let Some(at) = values.iter().position(|&at| at == value.0)
            {
                fail(["subtask 0", "subtask 1", "subtask 2"][at]);
            }
        });
    }

    fn execute(&mut self, executor: &mut Executor<'_, Fragile, N>) {
        self.executions += 1;
        if self.place == Place::Before {
            fail("before");
        }
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
        if self.place == Place::After {
            fail("after");
        }
    }
}

#[derive(Default)]
struct Marked;

impl System<Fragile> for Marked {
    fn process(&self, data: &mut Data<'_, Fragile, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

const ENTITIES: u64 = 300;

/// Entities with the values 0, 1, 2, … in the order of rows.
fn fragile(threads: Threads) -> World<Fragile> {
    let mut world = World::on(threads);
    world
        .step(|step| {
            for i in 0..ENTITIES {
                step.spawn((Value(i),));
            }
        })
        .unwrap();
    world
}

fn values(world: &World<Fragile>) -> Vec<u64> {
    let mut values = Vec::new();
    world.iter::<&Value>().for_each(|value| values.push(value.0));
    values
}

/// Checks that subscriptions agree with the components and that a whole step works.
fn assert_consistent(world: &mut World<Fragile>) {
    let mut marked = Vec::new();
    world.iter::<(Entity, &Mark)>().for_each(|(entity, _)| marked.push(entity));
    let mut valued = Vec::new();
    world.iter::<(Entity, &Value)>().for_each(|(entity, _)| valued.push(entity));
    let (seen_marked, seen_valued) = world
        .step(|step| {
            step.execute_systems_from::<(Marked,)>();
            let collect = |_: &Stage, data: &mut Data<'_, Fragile, Second>| {
                let (own, effects) = (&mut data.own, &mut data.effects);
                effects.output().extend(own.query::<Entity>());
            };
            step.execute_with(|systems| {
                systems.from::<(Second,)>().for_subtasks::<Second>(collect)
            });
            let (mut marked, mut valued) = (Vec::new(), Vec::new());
            step.output_parts_of::<Marked>().for_each(|output| marked.extend(output));
            step.output_parts_of::<Second>().for_each(|output| valued.extend(output));
            (marked, valued)
        })
        .unwrap();
    assert_eq!((seen_marked, seen_valued), (marked, valued));

    world.system_mut::<First>().place = Place::Nowhere;
    world.system_mut::<Second>().place = Place::Nowhere;
    let before = values(world);
    world.step(|step| step.execute_systems_from::<(Second,)>()).unwrap();
    let kept = before.iter().filter(|value| *value % 2 == 0).copied();
    let mut expected: Vec<u64> = kept.chain(before.iter().map(|v| v + 1_000_000)).collect();
    let mut now = values(world);
    now.sort_unstable();
    expected.sort_unstable();
    assert_eq!(now, expected);
}

#[test]
fn before_and_after_the_subtasks() {
    for (place, text) in [(Place::Before, "before"), (Place::After, "after")] {
        for threads in every_kind() {
            let mut world = fragile(threads);
            world.system_mut::<First>().place = place;
            assert_eq!(caught(|| world.tick()), text);
            assert_eq!(values(&world), (0..ENTITIES).collect::<Vec<_>>(), "all of it was dropped");
            assert_eq!(world.system::<First>().executions, 1, "its state is as it left it");
            assert_eq!(world.system::<Second>().executions, 0, "it depends on the first");
            assert_consistent(&mut world);
        }
    }
}

#[test]
fn in_subtasks_the_lowest_is_passed_on() {
    for threads in every_kind() {
        let mut world = fragile(threads);
        world.system_mut::<First>().place = Place::Subtasks(&[250, 100, 70]);
        let text = caught(|| world.tick());
        // 70 and 100 are in one subtask, which panics at 70.
        assert_eq!(text, "subtask 2");
        assert_eq!(values(&world), (0..ENTITIES).collect::<Vec<_>>());
        assert_consistent(&mut world);
    }
}

#[test]
fn the_other_subtasks_finish() {
    for threads in every_kind() {
        let mut world = fragile(threads);
        let finished = AtomicUsize::new(0);
        let text = caught(|| {
            world.step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<First>(|_, data| {
                        let first = data.own.query::<&mut Value>().into_iter().map(|value| {
                            value.0 += 1_000;
                            value.0
                        });
                        let values: Vec<u64> = first.collect();
                        if values.contains(&1_000) || values.contains(&1_130) {
                            fail("stop");
                        }
                        finished.fetch_add(1, Relaxed);
                    })
                });
            })
        });
        assert_eq!((text.as_str(), finished.into_inner()), ("stop", 3));
        // Writes take effect at once, so they survive.
        assert_eq!(values(&world), (1_000..1_000 + ENTITIES).collect::<Vec<_>>());
    }
}

#[test]
fn of_two_systems_the_lower_is_passed_on() {
    // On one thread the lower system runs first, and its panic prevents the other.
    let mut world = fragile(Threads::Inline);
    for _ in 0..2 {
        let text = caught(|| {
            world.step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Marked>(|_, _| fail("marked"))
                        .for_subtasks::<First>(|_, _| fail("first"))
                });
            })
        });
        assert_eq!(text, "first");
    }
    // On several threads both may run. Each waits for the other after it has begun.
    let mut world = fragile(fresh(3));
    let begun = AtomicUsize::new(0);
    let meet = |text| {
        begun.fetch_add(1, Relaxed);
        while begun.load(Relaxed) < 2 {
            std::thread::yield_now();
        }
        fail(text);
    };
    let text = caught(|| {
        world.step(|step| {
            step.execute_with(|systems| {
                systems
                    .detailed::<Marked>(|_, _| meet("marked"))
                    .detailed::<First>(|_, _| meet("first"))
            });
        })
    });
    assert_eq!(text, "first");
    assert_consistent(&mut world);
}

#[test]
fn in_the_step_itself() {
    for threads in every_kind() {
        let mut world = fragile(threads);
        let mut spawned = None;
        let text = caught(|| {
            world.step(|step| {
                spawned = Some(step.spawn((Value(7), Mark)));
                step.execute_systems();
                step.despawn(spawned.unwrap());
                fail("the step");
            })
        });
        assert_eq!(text, "the step");
        // The step's own changes survive; its staged changes do not, including the despawn.
        assert_eq!(world.entity_count() as u64, ENTITIES + 1);
        assert_eq!(world.get::<Value>(spawned.unwrap()), Some(&Value(7)));
        assert_consistent(&mut world);
    }
}

#[test]
fn in_a_deferred_function() {
    for threads in every_kind() {
        let mut world = fragile(threads);
        world.system_mut::<First>().place = Place::Deferred;
        assert_eq!(caught(|| world.tick()), "deferred");
        // The functions before the panic were applied, and so was what the system itself had staged beside
        // functions. The functions after it were not. Marking for despawning is not a function.
        let even = || (0..ENTITIES).filter(|value| value % 2 == 0);
        let mut marked = Vec::new();
        world.iter::<(&Mark, &Value)>().for_each(|(_, value)| marked.push(value.0));
        assert_eq!(marked, even().collect::<Vec<_>>());
        let mut values = values(&world);
        values.sort_unstable();
        let spawned = (0..ENTITIES).map(|value| value + 1_000_000);
        assert_eq!(values, even().chain(spawned).collect::<Vec<_>>());
        assert_consistent(&mut world);
    }
}

#[test]
fn a_panic_may_be_caught_within_the_step() {
    for threads in every_kind() {
        let mut world = fragile(threads);
        world
            .step(|step| {
                step.execute_systems_from::<(Second,)>();
                let failed = caught(|| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Second>(|_, _| fail("second"))
                    });
                });
                assert_eq!(failed, "second");
                // Everything staged so far is discarded. Only what follows is applied.
                step.execute_systems_from::<(Second,)>();
            })
            .unwrap();
        assert_eq!(world.entity_count() as u64, ENTITIES / 2 + ENTITIES);
    }
}
