//! Changes that the step itself makes between a refresh and an execution.
//!
//! Subscriptions change at the refresh only, so a system is still subscribed to an entity whose component has
//! been removed. The system must not be shown the removed component.

use ecs_core::{Data, Entity, System, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(u64);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Extra(u64);

world! {
    world Changing { entity_limit: dynamic(16) }
    component Value: contiguous_buffer;
    component Extra: contiguous_buffer;

    system Look {
        read: [Value],
        read_optional: [Extra],
        output: Vec<(Entity, u64, Option<u64>)>,
    }
    system Iterate { read: [Value], output: Vec<u64> }
    system Reach { exclusive, dependencies: [Look, Iterate], write: [Value], output: Vec<Option<u64>> }
    system Without { without: [Extra], output: Vec<Entity> }
}

#[derive(Default)]
struct Look;

impl System<Changing> for Look {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push((e.entity, e.value.0, e.extra.map(|extra| extra.0)));
        });
    }
}

#[derive(Default)]
struct Iterate;

impl System<Changing> for Iterate {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        let Data { own, effects, .. } = data;
        effects.output().extend(own.query::<&Value>().into_iter().map(|value| value.0));
    }
}

/// Looks up these entities.
#[derive(Default)]
struct Reach(Vec<Entity>);

impl System<Changing> for Reach {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        for &entity in &self.0 {
            let found = data.own.get_mut::<&mut Value>(entity).map(|value| value.0);
            data.effects.output().push(found);
        }
    }
}

#[derive(Default)]
struct Without;

impl System<Changing> for Without {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

/// The outputs of `Look`, `Iterate`, `Reach` and `Without`.
type Seen = (Vec<(Entity, u64, Option<u64>)>, Vec<u64>, Vec<Option<u64>>, Vec<Entity>);

fn seen<S: ecs_core::settings::Settings>(step: &ecs_core::Step<'_, Changing, S>) -> Seen {
    let mut seen = Seen::default();
    step.output_parts_of::<Look>().for_each(|output| seen.0.extend(output));
    step.output_parts_of::<Iterate>().for_each(|output| seen.1.extend(output));
    step.output_parts_of::<Reach>().for_each(|output| seen.2.extend(output));
    step.output_parts_of::<Without>().for_each(|output| seen.3.extend(output));
    seen
}

fn two(threads: ecs_core::Threads) -> (World<Changing>, Entity, Entity) {
    let mut world = World::on(threads);
    let spawned = world.step(|step| (step.spawn((Value(1), Extra(10))), step.spawn((Value(2),))));
    let (a, b) = spawned.unwrap();
    world.system_mut::<Reach>().0 = vec![a, b];
    (world, a, b)
}

#[test]
fn what_the_step_takes_away_is_not_handed_out() {
    for threads in every_kind() {
        let (mut world, a, b) = two(threads);
        let seen = world
            .step(|step| {
                assert_eq!(step.remove::<Value>(a), Some(Value(1)));
                step.execute_systems();
                seen(step)
            })
            .unwrap();
        assert_eq!(seen.0, [(b, 2, None)]);
        assert_eq!(seen.1, [2]);
        assert_eq!(seen.2, [None, Some(2)]);
    }
}

#[test]
fn what_the_step_takes_away_and_gives_back_is() {
    for threads in every_kind() {
        let (mut world, a, b) = two(threads);
        let seen = world
            .step(|step| {
                assert_eq!(step.remove::<Value>(a), Some(Value(1)));
                step.insert(a, Value(5)).unwrap();
                step.execute_systems();
                seen(step)
            })
            .unwrap();
        assert_eq!(seen.0, [(a, 5, Some(10)), (b, 2, None)]);
        assert_eq!((seen.1, seen.2), (vec![5, 2], vec![Some(5), Some(2)]));
    }
}

#[test]
fn subscriptions_change_at_the_refresh_only() {
    for threads in every_kind() {
        let (mut world, a, b) = two(threads);
        let first = world
            .step(|step| {
                // An inserted optional component is seen at once. Filters and requirements change at the
                // refresh.
                step.insert(b, Extra(20)).unwrap();
                step.remove::<Extra>(a).unwrap();
                step.spawn((Value(3),));
                step.despawn(a);
                step.execute_systems();
                seen(step)
            })
            .unwrap();
        assert_eq!(first.0, [(a, 1, None), (b, 2, Some(20))]);
        assert_eq!(first.3, [b]);
        let second = world.step(|step| {
            step.execute_systems();
            seen(step)
        });
        let second = second.unwrap();
        assert_eq!(second.1, [2, 3]);
        assert_eq!(second.2, [None, Some(2)]);
        assert_eq!((second.3.len(), second.3.contains(&b)), (1, false));
    }
}
