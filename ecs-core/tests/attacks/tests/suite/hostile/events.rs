//! Functions of events that panic, take away states, and step other worlds.

use attacks::support::{caught, fail};
use ecs_core::events::Events;
use ecs_core::{Data, System, Threads, World, world};

struct Number(u64);

world! {
    world Told {}
    component Number: contiguous_buffer;
    system Own { read: [Number], despawn }
}

#[derive(Default)]
struct Own(Vec<u64>);

impl System<Told> for Own {
    fn process(&self, _: &mut Data<'_, Told, Self>) {}
}

fn filled(count: u64) -> World<Told> {
    let mut world = World::<Told>::on(Threads::Inline);
    world
        .step(|step| {
            step.spawn_batch((0..count).map(|n| (Number(n),)));
        })
        .unwrap();
    world
}

#[test]
fn functions_that_panic_and_step_in_turns() {
    let mut world = filled(0);
    let mut calls = 0;
    for round in 0..6_u64 {
        let events = Events::new().on_subscribe::<Own>(|event| {
            calls += 1;
            let mut inner = filled(2);
            inner.system_mut::<Own>().0 = std::mem::take(&mut event.system_mut().0);
            inner.tick().unwrap();
            std::mem::swap(&mut inner.system_mut::<Own>().0, &mut event.system_mut().0);
            if calls % 3 == 2 {
                fail("told");
            }
            let number = event.get::<Number>().unwrap().0;
            event.system_mut().0.push(number);
        });
        let panic = caught(|| {
            world.step_with(events, |step| {
                step.spawn((Number(round),));
            })
        });
        assert_eq!(panic.is_some(), round % 3 == 1);
    }
    assert_eq!(world.system::<Own>().0, [0, 2, 3, 5]);
    assert_eq!((world.entity_count(), calls), (6, 6));
}
