//! Bodies that the step overrides, the state of systems, and one type under two names.

use std::sync::Mutex;

use ecs_core::SystemName;
use ecs_core::{Data, Entity, Executor, System, World, access, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Level(i64);

struct Below;

world! {
    world Tanks { entity_limit: dynamic(16) }
    component Level: contiguous_buffer;
    component Below: contiguous_buffer;
    resource Total;

    system Rise: Adjust { write: [Level], with: [Below], parallelism: split_every(64), state: Adjust::by(1) }
    system Fall: Adjust { write: [Level], without: [Below], parallelism: split_evenly(3), state: Adjust::by(-1) }
    system Sum {
        dependencies: [Rise, Fall],
        read: [Level],
        parallelism: split_every(64),
        output: Vec<i64>,
    }
    system Add { inputs: [Sum], write_resources: [Total] }
}

#[derive(Default)]
struct Total(i64);

/// Changes levels; counts its executions.
struct Adjust {
    by: i64,
    executions: usize,
}

impl Adjust {
    fn by(by: i64) -> Self {
        Self { by, executions: 0 }
    }
}

impl<N> System<Tanks, N> for Adjust
where
    N: SystemName<Tanks, System = Self> + access::Writes<Level, Tanks>,
{
    fn process(&self, data: &mut Data<'_, Tanks, N>) {
        data.own.query::<&mut Level>().for_each(|level| level.0 += self.by);
    }

    fn execute(&mut self, executor: &mut Executor<'_, Tanks, N>) {
        self.executions += 1;
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
    }
}

#[derive(Default)]
struct Sum;

impl System<Tanks> for Sum {
    fn process(&self, data: &mut Data<'_, Tanks, Self>) {
        let sum = data.own.query::<&Level>().into_iter().map(|level| level.0).sum();
        data.effects.output().push(sum);
    }
}

#[derive(Default)]
struct Add;

impl System<Tanks> for Add {
    fn process(&self, data: &mut Data<'_, Tanks, Self>) {
        let sum: i64 = data.effects.outputs_of::<Sum>().flatten().sum();
        data.resources.get_mut::<Total>().0 += sum;
    }
}

const ENTITIES: i64 = 400;

/// Half of the tanks have the component `Below`.
fn tanks(threads: ecs_core::Threads) -> (World<Tanks>, Vec<Entity>) {
    let mut world = World::on(threads);
    let entities = world
        .step(|step| {
            let spawned = (0..ENTITIES).map(|i| {
                let entity = step.spawn((Level(10 * i),));
                if i % 2 == 0 {
                    step.insert(entity, Below).unwrap();
                }
                entity
            });
            spawned.collect()
        })
        .unwrap();
    (world, entities)
}

fn levels(world: &World<Tanks>) -> Vec<i64> {
    let mut levels = Vec::new();
    world.iter::<&Level>().for_each(|level| levels.push(level.0));
    levels
}

#[test]
fn one_type_under_two_names_has_two_states() {
    for threads in every_kind() {
        let (mut world, _) = tanks(threads);
        world.tick().unwrap();
        world.system_mut::<Fall>().by = -3;
        world.step(|step| step.execute_systems_from::<(Fall,)>()).unwrap();
        let expected: Vec<i64> =
            (0..ENTITIES).map(|i| 10 * i + if i % 2 == 0 { 1 } else { -4 }).collect();
        assert_eq!(levels(&world), expected);
        assert_eq!((world.system::<Rise>().executions, world.system::<Fall>().executions), (1, 2));
        let first: i64 = (0..ENTITIES).map(|i| 10 * i).sum();
        let second: i64 = expected.iter().sum();
        assert_eq!(world.resource::<Total>().0, first + second);
    }
}

#[test]
fn for_subtasks_takes_data_by_capture() {
    for threads in every_kind() {
        let (mut world, _) = tanks(threads);
        let factor = Box::new(7);
        let calls = Mutex::new(0);
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Rise>(|system, data| {
                            *calls.lock().unwrap() += 1;
                            let by = system.by * *factor;
                            data.own.for_entities(|e| e.level.0 += by);
                        })
                        .for_subtasks::<Fall>(|_, _| {})
                });
            })
            .unwrap();
        let expected: Vec<i64> =
            (0..ENTITIES).map(|i| 10 * i + if i % 2 == 0 { 7 } else { 0 }).collect();
        assert_eq!(levels(&world), expected);
        // 200 entities lie in 7 blocks; `split_every(64)` makes 4 subtasks.
        assert_eq!(calls.into_inner().unwrap(), 4);
        // `execute` was overridden too, so nothing was counted.
        assert_eq!(world.system::<Rise>().executions, 0);
    }
}

#[test]
fn the_detailed_form_goes_around_the_subtasks() {
    for threads in every_kind() {
        let (mut world, _) = tanks(threads);
        let seen = Mutex::new((0, 0));
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .detailed::<Rise>(|system, executor| {
                            // Before the subtasks: the state may be changed.
                            system.by = 1_000;
                            assert_eq!(executor.entity_count(), 200);
                            let shared = &*system;
                            executor.for_subtasks(|data| shared.process(data));
                            executor.for_subtasks(|data| shared.process(data));
                            system.by = 2;
                        })
                        .detailed::<Sum>(|system, executor| {
                            let shared = &*system;
                            assert_eq!(executor.outputs_mut().count(), 0, "nothing ran yet");
                            executor.for_subtasks(|data| shared.process(data));
                            let once = executor.outputs_mut().count();
                            executor.for_subtasks(|data| data.effects.output().push(1));
                            *seen.lock().unwrap() = (once, executor.outputs_mut().count());
                            // After the subtasks: later systems see the outputs as they are left here.
                            let mut total = 0;
                            for output in executor.outputs_mut() {
                                total += output.drain(..).sum::<i64>();
                            }
                            executor.outputs_mut().next().unwrap().push(total);
                        })
                });
            })
            .unwrap();
        let expected: Vec<i64> =
            (0..ENTITIES).map(|i| 10 * i + if i % 2 == 0 { 2_000 } else { -1 }).collect();
        assert_eq!(levels(&world), expected);
        assert_eq!(world.system::<Rise>().by, 2);
        assert_eq!(*seen.lock().unwrap(), (7, 14));
        let sum: i64 = expected.iter().sum::<i64>() + 7;
        assert_eq!(world.resource::<Total>().0, sum);
    }
}

#[test]
fn a_system_may_not_run_at_all() {
    let (mut world, _) = tanks(crate::support::three());
    world.step(|step| step.execute_with(|systems| systems.detailed::<Sum>(|_, _| {}))).unwrap();
    assert_eq!(world.resource::<Total>().0, 0, "no subtask, no output");
}

#[test]
fn states_live_in_the_world() {
    let (mut world, _) = tanks(crate::support::three());
    assert_eq!(world.system::<Fall>().by, -1);
    world
        .step(|step| {
            step.system_mut::<Fall>().by = -50;
            step.execute_systems_from::<(Fall,)>();
            assert_eq!(step.system::<Fall>().executions, 1);
        })
        .unwrap();
    assert_eq!(levels(&world)[1], -40);
}
