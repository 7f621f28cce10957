//! The order of systems: whole executions, partial ones, and several in one step.

use std::sync::Mutex;

use ecs_core::SystemName;
use ecs_core::{Data, Executor, System, Threads, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(u32);

world! {
    // Root -> Left -> Join -> Last, Root -> Right -> Join, Lone; `Right` names its dependents.
    world Diamond { entity_limit: dynamic(16) }
    component Value: contiguous_buffer;
    resource Log;

    system Root: Step { read_resources: [Log], output: Vec<u32> }
    system Join: Step { read_resources: [Log], inputs: [Root], dependencies: [Left], output: Vec<u32> }
    system Left: Step { read_resources: [Log], dependencies: [Root], output: Vec<u32> }
    system Right: Step { read_resources: [Log], inputs: [Root], before: [Join], output: Vec<u32> }
    system Last: Step { read_resources: [Log], dependencies: [Join], before: [Spawn], output: Vec<u32> }
    system Lone: Step { read_resources: [Log], output: Vec<u32> }
    system Spawn { spawn: [(Value,)] }
}

/// The begin and the end of each system's execution, in order.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<(&'static str, bool)>>);

/// Logs its begin and its end, and counts its executions.
#[derive(Default)]
struct Step(u32);

impl<N> System<Diamond, N> for Step
where
    N: SystemName<Diamond, System = Self, Output = Vec<u32>>
        + ecs_core::access::ReadsResource<Log, Diamond>,
{
    fn process(&self, data: &mut Data<'_, Diamond, N>) {
        let number = self.0;
        data.effects.output().push(number);
    }

    fn execute(&mut self, executor: &mut Executor<'_, Diamond, N>) {
        let name = <Diamond as ecs_core::Declaration>::SYSTEMS[N::INDEX].name();
        let note = |begins| executor.resources.get::<Log>().0.lock().unwrap().push((name, begins));
        note(true);
        self.0 += 1;
        std::thread::yield_now();
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
        executor.resources.get::<Log>().0.lock().unwrap().push((name, false));
    }
}

/// Spawns an entity with the number of its executions.
#[derive(Default)]
struct Spawn(u32);

impl System<Diamond> for Spawn {
    fn process(&self, data: &mut Data<'_, Diamond, Self>) {
        data.effects.spawn((Value(self.0),));
    }

    fn execute(&mut self, executor: &mut Executor<'_, Diamond, Self>) {
        self.0 += 1;
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
    }
}

/// Empties the log and returns its entries.
fn take(world: &mut World<Diamond>) -> Vec<(&'static str, bool)> {
    std::mem::take(world.resource_mut::<Log>().0.get_mut().unwrap())
}

/// Asserts that each of `names` ran once, and that in each pair of `order` the first ended before the second
/// began.
fn assert_ran(log: &[(&str, bool)], names: &[&str], order: &[(&str, &str)]) {
    let mut begun: Vec<&str> = log.iter().filter(|(_, begins)| *begins).map(|(n, _)| *n).collect();
    begun.sort_unstable();
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(begun, expected);
    let at = |event| log.iter().position(|e| *e == event).unwrap();
    for &(first, second) in order {
        assert!(at((first, false)) < at((second, true)), "{first} before {second}: {log:?}");
    }
}

const NAMES: [&str; 6] = ["Root", "Left", "Right", "Join", "Last", "Lone"];
const ORDER: [(&str, &str); 5] =
    [("Root", "Left"), ("Root", "Right"), ("Left", "Join"), ("Right", "Join"), ("Join", "Last")];

#[test]
fn a_whole_execution_respects_every_kind_of_edge() {
    for threads in every_kind() {
        let mut world = World::<Diamond>::on(threads);
        for _ in 0..50 {
            world.tick().unwrap();
            assert_ran(&take(&mut world), &NAMES, &ORDER);
        }
    }
}

#[test]
fn a_chain_runs_what_is_reachable_and_waits_for_nothing_else() {
    for threads in every_kind() {
        let mut world = World::<Diamond>::on(threads);
        world.step(|step| step.execute_systems_from::<(Left,)>()).unwrap();
        // `Join` also depends on `Right` and `Root`, which are not part of this execution.
        let log = take(&mut world);
        assert_ran(&log, &["Left", "Join", "Last"], &[("Left", "Join"), ("Join", "Last")]);

        world.step(|step| step.execute_systems_from::<(Right, Left, Lone)>()).unwrap();
        let log = take(&mut world);
        assert_ran(&log, &["Left", "Right", "Join", "Last", "Lone"], &ORDER[2..]);

        world.step(|step| step.execute_systems_from::<(Lone,)>()).unwrap();
        assert_ran(&take(&mut world), &["Lone"], &[]);
        assert_eq!(world.system::<Root>().0, 0);
        assert_eq!(world.system::<Lone>().0, 2);
        // Everything runs again: the counters of partial executions have no lasting effect.
        world.tick().unwrap();
        assert_ran(&take(&mut world), &NAMES, &ORDER);
    }
}

#[test]
fn executions_within_one_step() {
    for threads in every_kind() {
        let mut world = World::<Diamond>::on(threads);
        world
            .step(|step| {
                step.execute_systems_from::<(Spawn, Lone)>();
                step.execute_systems_from::<(Join,)>();
                let latest = |step: &ecs_core::Step<'_, Diamond, _>| {
                    let mut all = Vec::new();
                    step.output_parts_of::<Root>()
                        .for_each(|output| all.push(("Root", output.clone())));
                    step.output_parts_of::<Join>()
                        .for_each(|output| all.push(("Join", output.clone())));
                    step.output_parts_of::<Lone>()
                        .for_each(|output| all.push(("Lone", output.clone())));
                    all
                };
                assert_eq!(latest(step), [("Join", vec![1]), ("Lone", vec![1])]);
                step.execute_systems();
                let expected = [("Root", vec![1]), ("Join", vec![2]), ("Lone", vec![2])];
                assert_eq!(latest(step), expected);
                assert_eq!(step.entity_count(), 0, "what is staged waits for the refresh");
            })
            .unwrap();
        // `Spawn` ran in all three.
        let mut values = Vec::new();
        for value in world.iter::<&Value>() {
            values.push(value.0);
        }
        assert_eq!(values, [1, 2, 3]);
        // Outputs stay until the next execution, even across steps.
        world
            .step(|step| {
                let mut outputs: Vec<u32> = Vec::new();
                step.output_parts_of::<Join>().for_each(|output| outputs.extend(output));
                assert_eq!(outputs, [2]);
            })
            .unwrap();
    }
}

#[test]
fn a_step_may_execute_nothing() {
    let mut world = World::<Diamond>::on(Threads::Global);
    assert_eq!(world.step(|_| "nothing"), Ok("nothing"));
    assert!(take(&mut world).is_empty());
}
