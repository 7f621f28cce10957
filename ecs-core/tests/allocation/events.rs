//! Events and messages: their memory goes round.

use ecs_core::{Entity, Threads, World, world};

use super::heap::ALLOCATIONS;

struct Number(u64);
struct Next(Entity);
struct Sent(u64);
struct Note(u64);
struct Kept(u64);

#[derive(Default)]
struct Sum(u64);

world! {
    world Mail {}
    component Number, Next;
    resource Sum;
    event Sent;
    event Note: addressed, delayed;
    event Kept: keep(2);
    system Send {
        emit: [Sent, Note, Kept],
        parallelism: split_every(64),
        each: |next: &Next, effects, number: &Number, entity: Entity| {
            effects.emit(Sent(number.0));
            effects.send(next.0, Note(number.0));
            if entity.index().is_multiple_of(100) {
                effects.emit(Kept(7));
            }
        },
    }
    system Receive {
        on: [Note],
        write: [Number],
        dependencies: [Send],
        parallelism: split_evenly(3),
        run: |data| data.for_messages::<Note>(|one, notes, _| {
            notes.for_each(|note| one.number.0 = note.0);
        }),
    }
    system Add {
        on: [Sent, Kept],
        run: |effects, sum: &mut Sum| {
            sum.0 += effects.events::<Sent>().map(|sent| sent.0).sum::<u64>();
            sum.0 += effects.events::<Kept>().map(|kept| kept.0).sum::<u64>();
        },
    }
}

#[test]
fn nor_do_events_and_messages() {
    let mut world = World::<Mail>::on(Threads::Inline);
    let first = world.spawn((Number(999),));
    let mut last = first;
    for number in 0..999 {
        last = world.spawn((Number(number), Next(last)));
    }
    world.insert(first, Next(last)).unwrap();
    let mut step = || world.tick().unwrap();
    // Parts of different sizes go round until each is large enough for every subtask.
    (0..60).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..20).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 20 steps");
    // The numbers go round, too.
    assert_eq!(world.resource::<Sum>().0, 80 * (499_500 + 10 * 7));
}
