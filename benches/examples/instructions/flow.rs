//! Data that systems pass to other systems and to the refresh.

use ecs_core::{Combine, Data, Entity, Threads, World, world};

use super::steadily;

const ENTITIES: u32 = 10_000;

struct Number(u32);

world! {
    world Flow;
    component Number;
    resource Sum;
    system Find {
        parallelism: split_evenly(4),
        output: Vec<(Entity, u32)>,
        each: |entity: Entity, number: &Number, effects| effects.output().push((entity, number.0)),
    }
    system Add {
        inputs: [Find],
        run: |effects, sum: &mut Sum| {
            let found = effects.outputs_of::<Find>().flatten();
            sum.0 = found.map(|&(_, number)| u64::from(number)).sum();
        },
    }
    system Defer { read: [Number], defer, run: defer }
}

#[derive(Default)]
struct Sum(u64);

fn defer(data: &mut Data<'_, Flow, Defer>) {
    let Data { own, effects, .. } = data;
    own.for_entities(|e| {
        let number = u64::from(e.number.0);
        effects.defer(move |world| world.resource_mut::<Sum>().0 += number);
    });
}

world! {
    world Totals;
    component Number;
    resource Total: sum;
    resource Sum;
    system Count {
        parallelism: split_evenly(4),
        add: [Total],
        each: |number: &Number, effects| effects.add(Total(u64::from(number.0))),
    }
    system List {
        parallelism: split_evenly(4),
        output: Vec<u64>,
        each: |number: &Number, effects| effects.output().push(u64::from(number.0)),
    }
    system AddUp {
        inputs: [List],
        run: |effects, sum: &mut Sum| sum.0 = effects.outputs_of::<List>().flatten().sum(),
    }
}

#[derive(Default, Combine)]
struct Total(u64);

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

fn numbers() -> World<Totals> {
    let mut world = World::on(Threads::Inline);
    world.spawn_batch((0..ENTITIES).map(|n| (Number(n),)));
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

/// Additions of four subtasks to a commutative resource.
pub(super) fn add() {
    let mut world = numbers();
    steadily(|| {
        let added = world.step(|step| step.execute_only::<(Count,)>());
        added.expect("nothing is staged");
        assert!(world.resource::<Total>().0 > 0);
    });
}

/// The same sum, by numbers that four subtasks output and a second system adds up.
pub(super) fn output_and_sum() {
    let mut world = numbers();
    steadily(|| {
        let added = world.step(|step| step.execute_systems_from::<(List,)>());
        added.expect("nothing is staged");
        assert!(world.resource::<Sum>().0 > 0);
    });
}
