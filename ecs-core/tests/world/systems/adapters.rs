//! Code that replaces the bodies of many systems: of named systems, of those that match a predicate, of all
//! that remain.

use std::sync::Mutex;

use ecs_core::overrides::{ForInstance, ForSubtasks, Predicate, SystemInstance};
use ecs_core::signature::{SystemSignature, signature_of};
use ecs_core::{Data, System, World, world};
use ecs_core::{Declaration, SystemName};

use crate::support::every_kind;

#[derive(Clone, Copy)]
struct Level(i64);

struct Below;

world! {
    world Pumps;
    component Level: contiguous_buffer;
    component Below: contiguous_buffer;

    system Fill: Pump { write: [Level], without: [Below], parallelism: split_every(64), state: Pump(1) }
    system Drain: Pump { write: [Level], with: [Below], parallelism: split_evenly(3), state: Pump(-1) }
    system Sum { dependencies: [Fill, Drain], read: [Level], parallelism: split_every(64), output: Vec<i64> }
    system Report { inputs: [Sum] }
}

struct Pump(i64);

/// What pumps can do beside their body.
trait Flow<N: SystemName<Pumps>> {
    fn flow(&self, factor: i64, data: &mut Data<'_, Pumps, N>);
}

impl<N> System<Pumps, N> for Pump
where
    N: SystemName<Pumps, System = Self> + ecs_core::access::Writes<Level, Pumps>,
{
    fn process(&self, data: &mut Data<'_, Pumps, N>) {
        self.flow(1, data);
    }
}

impl<N> Flow<N> for Pump
where
    N: SystemName<Pumps, System = Self> + ecs_core::access::Writes<Level, Pumps>,
{
    fn flow(&self, factor: i64, data: &mut Data<'_, Pumps, N>) {
        data.own.query::<&mut Level>().for_each(|level| level.0 += self.0 * factor);
    }
}

#[derive(Default)]
struct Sum {
    total: i64,
}

impl System<Pumps> for Sum {
    fn process(&self, data: &mut Data<'_, Pumps, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.level.0));
    }
}

#[derive(Default)]
struct Report;

impl System<Pumps> for Report {
    fn process(&self, _: &mut Data<'_, Pumps, Self>) {}
}

/// Lets pumps flow faster.
struct Faster(i64);

impl<N: SystemName<Pumps, System: Flow<N>>> ForSubtasks<Pumps, N> for Faster {
    fn process(&self, system: &N::System, data: &mut Data<'_, Pumps, N>) {
        system.flow(self.0, data);
    }
}

/// Runs every system's own body, and logs its name.
struct Watched<'a>(&'a str, &'a Mutex<Vec<String>>);

impl<N: SystemName<Pumps>> ForSubtasks<Pumps, N> for Watched<'_> {
    fn process(&self, system: &N::System, data: &mut Data<'_, Pumps, N>) {
        let text = format!("{} {}", self.0, Pumps::SYSTEMS[N::INDEX].name());
        self.1.lock().unwrap().push(text);
        system.process(data);
    }
}

impl<N: SystemName<Pumps>> ForInstance<Pumps, N> for Watched<'_> {
    fn execute(&self, instance: &mut SystemInstance<'_, '_, Pumps, N>) {
        let text = format!("{} {}", self.0, instance.signature().name());
        self.1.lock().unwrap().push(text);
        let (system, executor) = instance.split();
        system.execute(executor);
    }
}

const fn split(signature: &SystemSignature) -> bool {
    !signature.is_single_subtask()
}

/// The systems that may have several subtasks.
struct Split;

impl<D: Declaration, N: SystemName<D>> Predicate<D, N> for Split {
    const MATCHES: bool = split(signature_of::<D, N>());
}

/// No system.
struct Never;

impl<D: Declaration, N: SystemName<D>> Predicate<D, N> for Never {
    const MATCHES: bool = false;
}

const ENTITIES: i64 = 300;

fn pumps(threads: ecs_core::Threads) -> World<Pumps> {
    let mut world = World::on(threads);
    world
        .step(|step| {
            for i in 0..ENTITIES {
                let entity = step.spawn((Level(0),));
                if i % 3 == 0 {
                    step.insert(entity, Below).unwrap();
                }
            }
        })
        .unwrap();
    world
}

fn sum(world: &World<Pumps>) -> i64 {
    let mut sum = 0;
    for level in world.iter::<&Level>() {
        sum += level.0;
    }
    sum
}

/// The logged entries, each once, sorted.
fn seen(log: Mutex<Vec<String>>) -> Vec<String> {
    let mut seen = log.into_inner().unwrap();
    seen.sort();
    seen.dedup();
    seen
}

#[test]
fn named_systems_share_code() {
    for threads in every_kind() {
        let mut world = pumps(threads);
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.systems::<(Fill, Drain)>().for_subtasks(Faster(10))
                });
            })
            .unwrap();
        assert_eq!(sum(&world), 10 * (200 - 100));
    }
}

#[test]
fn the_first_that_matches_wins() {
    for threads in every_kind() {
        let mut world = pumps(threads);
        let log = Mutex::new(Vec::new());
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .systems::<(Fill,)>()
                        .for_subtasks(Faster(0))
                        .matching(Never)
                        .for_subtasks(Watched("never", &log))
                        .matching(Split)
                        .detailed(Watched("split", &log))
                        .matching(Split)
                        .for_subtasks(Watched("too late", &log))
                        .remaining()
                        .for_subtasks(Watched("remaining", &log))
                        .remaining()
                        .for_subtasks(Watched("too late", &log))
                });
            })
            .unwrap();
        assert_eq!(seen(log), ["remaining Report", "split Drain", "split Sum"]);
        assert_eq!(sum(&world), -100, "those that are watched do as ever");
    }
}

#[test]
fn all_is_what_remains_of_all() {
    let mut world = pumps(crate::support::three());
    let log = Mutex::new(Vec::new());
    let watched = || Watched("all", &log);
    world
        .step(|step| step.execute_with(|systems| systems.remaining().detailed(watched())))
        .unwrap();
    assert_eq!(sum(&world), 100);
    assert_eq!(seen(log), ["all Drain", "all Fill", "all Report", "all Sum"]);
}

#[test]
fn a_chain_runs_what_is_in_it_only() {
    let mut world = pumps(crate::support::three());
    let log = Mutex::new(Vec::new());
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems
                    .from::<(Sum,)>()
                    .systems::<(Report,)>()
                    .detailed(Watched("named", &log))
                    .remaining()
                    .detailed(Watched("rest", &log))
            });
        })
        .unwrap();
    assert_eq!(seen(log), ["named Report", "rest Sum"]);
}

#[test]
fn the_instance_is_system_and_executor_in_one() {
    for threads in every_kind() {
        let mut world = pumps(threads);
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed_instance::<Sum>(|instance| {
                        assert_eq!(instance.executor().entity_count(), 300);
                        instance.system_mut().total = 1_000;
                        instance.for_subtasks(System::process);
                        instance.for_outputs(|system, levels| {
                            system.total += levels.drain(..).sum::<i64>();
                        });
                        assert_eq!(instance.system().total, 1_100);
                    })
                });
            })
            .unwrap();
        assert_eq!(world.system::<Sum>().total, 1_100);
    }
}
