//! A deferred function that panics in a refresh between two phases.

use ecs_core::{Data, System, World, world};

use crate::support::{caught, every_kind, fail};

struct Mark;
#[derive(Default)]
struct Bang(bool);

world! {
    world Fragile { staged_changes: refresh_before_dependents }
    component Mark: contiguous_buffer;
    resource Bang;
    system First { with: [Mark], read_resources: [Bang], despawn, defer }
    system Second { with: [Mark], dependencies: [First], write_resources: [Bang] }
}

#[derive(Default)]
struct First;
impl System<Fragile> for First {
    fn process(&self, data: &mut Data<'_, Fragile, Self>) {
        let bang = data.resources.get::<Bang>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.despawn(e.entity));
        effects.defer(move |_| {
            if bang {
                fail("deferred")
            }
        });
    }
}

#[derive(Default)]
struct Second;
impl System<Fragile> for Second {
    fn process(&self, data: &mut Data<'_, Fragile, Self>) {
        assert_eq!(data.own.all_entity_count(), 0);
        data.resources.get_mut::<Bang>().0 = true;
    }
}

#[test]
fn a_panic_in_a_refresh_between_phases_ends_the_execution() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.step(|step| step.spawn((Mark,))).unwrap();
        world.tick().unwrap();
        assert!(world.resource::<Bang>().0, "the second system has run");
        let one = world.step(|step| step.spawn((Mark,))).unwrap();
        let payload = caught(|| {
            world.step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Second>(|_, _| unreachable!("it does not run"))
                });
            })
        });
        assert_eq!(payload, "deferred");
        assert!(!world.is_alive(one), "the refresh has gone on to its end");
        assert_eq!(world.entity_count(), 0);
    }
}
