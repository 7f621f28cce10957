//! Data that systems pass to other systems and to the refresh.

use ecs_core::{Data, Entity, System, Threads, World, world};

use super::steadily;

const ENTITIES: u32 = 10_000;

struct Number(u32);

world! {
    world Flow;
    component Number: contiguous_buffer;
    resource Sum;
    system Find { read: [Number], output: Vec<(Entity, u32)>, parallelism: split_evenly(4) }
    system Add { inputs: [Find], write_resources: [Sum] }
    system Defer { read: [Number], defer }
}

#[derive(Default)]
struct Sum(u64);
#[derive(Default)]
struct Find;
#[derive(Default)]
struct Add;
#[derive(Default)]
struct Defer;

impl System<Flow> for Find {
    fn process(&self, data: &mut Data<'_, Flow, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push((e.entity, e.number.0)));
    }
}

impl System<Flow> for Add {
    fn process(&self, data: &mut Data<'_, Flow, Self>) {
        let found = data.effects.outputs_of::<Find>();
        data.resources.get_mut::<Sum>().0 =
            found.flatten().map(|&(_, number)| u64::from(number)).sum();
    }
}

impl System<Flow> for Defer {
    fn process(&self, data: &mut Data<'_, Flow, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let number = u64::from(e.number.0);
            effects.defer(move |world| world.resource_mut::<Sum>().0 += number);
        });
    }
}

fn filled() -> World<Flow> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..ENTITIES).for_each(|n| {
            step.spawn((Number(n),));
        });
    });
    filled.expect("nothing is staged");
    world
}

/// A step without executions.
pub(super) fn idle_refresh() {
    let mut world = filled();
    steadily(|| world.step(|_| ()).expect("nothing is staged"));
}

/// Outputs of four subtasks, read as one sequence.
pub(super) fn outputs() {
    let mut world = filled();
    steadily(|| {
        let found = world.step(|step| step.execute_systems_from::<(Find,)>());
        found.expect("nothing is staged");
        assert!(world.resource::<Sum>().0 > 0);
    });
}

/// A deferred function for each entity.
pub(super) fn deferred() {
    let mut world = filled();
    steadily(|| {
        let deferred = world.step(|step| step.execute_systems_from::<(Defer,)>());
        deferred.expect("nothing is staged");
        assert!(world.resource::<Sum>().0 > 0);
    });
}
