//! Events and messages between systems.

use ecs_core::{Entity, Threads, World, world};

use super::steadily;

const ENTITIES: u32 = 10_000;

struct Number(u32);
struct Next(Entity);
struct Health(u32);
struct Sent(u32);
struct Hit(u32);
#[derive(Default)]
struct Sum(u64);

world! {
    world Mail;
    component Number, Next, Health;
    resource Sum;
    event Sent;
    event Hit: addressed;
    system Emit {
        parallelism: split_evenly(4),
        emit: [Sent],
        each: |number: &Number, effects| effects.emit(Sent(number.0)),
    }
    system Read {
        on: [Sent],
        run: |effects, sum: &mut Sum| {
            sum.0 = effects.events::<Sent>().map(|sent| u64::from(sent.0)).sum();
        },
    }
    system Send {
        parallelism: split_evenly(4),
        emit: [Hit],
        each: |number: &Number, effects, next: &Next| effects.send(next.0, Hit(number.0)),
    }
    system Receive {
        on: [Hit],
        write: [Health],
        run: |data| data.for_messages::<Hit>(|one, hits, _| {
            one.health.0 = one.health.0.wrapping_add(hits.map(|hit| hit.0).sum());
        }),
    }
}

fn filled() -> World<Mail> {
    let mut world = World::on(Threads::Inline);
    let receivers: Vec<Entity> = world.spawn_batch((0..ENTITIES / 4).map(|_| (Health(0),)));
    world.spawn_batch((0..ENTITIES).map(|n| {
        let receiver = receivers[n.wrapping_mul(0x9E37_79B9) as usize % receivers.len()];
        (Number(n), Next(receiver))
    }));
    world
}

/// Events of four subtasks, read by another system.
pub(super) fn events() {
    let mut world = filled();
    steadily(|| {
        world.step(|step| step.execute_only::<(Emit, Read)>()).expect("nothing is staged");
        assert!(world.resource::<Sum>().0 > 0);
    });
}

/// Messages of four subtasks, each to one of 2 500 entities.
pub(super) fn messages() {
    let mut world = filled();
    steadily(|| {
        world.step(|step| step.execute_only::<(Send, Receive)>()).expect("nothing is staged");
    });
}
