//! Events and messages: their memory goes round.

use ecs_core::{Combine, Entity, Threads, World, world};

use super::heap::ALLOCATIONS;

struct Number(u64);
struct Next(Entity);
struct Found(usize);
struct Sent(u64);
#[derive(Clone, Copy)]
struct Note(u64);
struct Letter(u64);
struct Kept(u64);
struct Keyed(u64);
#[derive(Clone, Copy)]
struct Near(u64);
#[derive(Clone, Copy)]
struct Within(u64);

#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
const fn point(number: u64) -> [f32; 2] {
    [(number % 40) as f32, (number / 40) as f32]
}

#[derive(Default)]
struct Sum(u64);

/// How many events were shared.
#[derive(Default, Combine)]
struct Shared(u64);

struct Echo(u64);

world! {
    world Mail {}
    component Number, Next, Found;
    resource Sum;
    resource Shared: sum;
    event Sent, Echo;
    event Note: addressed, delayed;
    event Letter: addressed, delayed;
    event Kept: keep(2);
    event Keyed: by_key(|keyed: &Keyed| -> u64 { keyed.0 % 50 });
    event Near: by_cell(|near: &Near| -> [f32; 2] { point(near.0) }, 2.0);
    event Within: by_cell(|within: &Within| -> [f32; 2] { point(within.0) }, 2.0).within([0.0; 2], [30.0; 2]);
    system Send {
        emit: [Sent, Note, Letter, Kept, Keyed, Near, Within],
        parallelism: split_every(64),
        each: |next: &Next, effects, number: &Number, entity: Entity| {
            effects.emit(Sent(number.0));
            effects.send(next.0, Note(number.0));
            effects.send(next.0, Letter(number.0));
            effects.emit(Keyed(number.0));
            effects.emit(Near(number.0));
            effects.emit(Within(number.0));
            if entity.index().is_multiple_of(100) {
                effects.emit(Kept(7));
            }
        },
    }
    system Receive {
        on: [Note, Letter],
        write: [Number],
        dependencies: [Send],
        parallelism: split_evenly(3),
        run: |data| {
            data.for_messages::<Note>(|one, notes, _| {
                notes.for_each(|note| one.number.0 = note.0);
            });
            data.for_messages::<Letter>(|one, letters, _| {
                letters.for_each(|letter| assert_eq!(letter.0, one.number.0));
            });
        },
    }
    system Find {
        on: [Keyed, Near, Within],
        read: [Number],
        write: [Found],
        dependencies: [Receive],
        parallelism: split_evenly(3),
        run: |data| {
            let (near, within) = (data.effects.events_by::<Near>(), data.effects.events_by::<Within>());
            data.for_events_by::<Keyed>(|one| one.number.0 % 50, |one, keyed, _| {
                let at = point(one.number.0);
                one.found.0 += keyed.count() + near.at(at).count() + within.at(at).count();
            });
        },
    }
    // Its subtasks share the events.
    system Repeat {
        emit: [Echo],
        add: [Shared],
        parallelism: split_every(100),
        each: |sent: &Sent, effects| {
            effects.emit(Echo(sent.0));
            effects.add(Shared(1));
        },
    }
    system Hear {
        on: [Echo],
        parallelism: split_evenly(3),
        run: |data| assert!(data.effects.events::<Echo>().map(|echo| echo.0).sum::<u64>() > 50_000),
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
        last = world.spawn((Number(number), Next(last), Found(0)));
    }
    world.insert(first, Next(last)).unwrap();
    let mut step = || world.tick().unwrap();
    // Parts of different sizes go round until each is large enough for every subtask.
    (0..60).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..20).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 20 steps");
    assert!(world.iter::<&Found>().all(|found| found.0 > 80 * (19 + 4)));
    // The numbers go round, too.
    assert_eq!(world.resource::<Sum>().0, 80 * (499_500 + 10 * 7));
    assert_eq!(world.resource::<Shared>().0, 80 * 1_000);
}
