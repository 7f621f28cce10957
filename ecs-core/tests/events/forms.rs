//! Messages of any form are received alike: copied or not, without a size, large, or with a destructor.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use ecs_core::{Entity, Threads, World, world};
use proptest::prelude::*;

use super::support::{cases, every_kind, mix};

/// Readers get copies of these.
#[derive(Clone, Copy)]
struct Copied(u32);
#[derive(Clone, Copy)]
struct Aligned(u8, u64);
#[derive(Clone, Copy)]
struct Nothing;

/// They find these where they lie.
struct Moved(u32);
#[derive(Clone, Copy)]
struct Large([u32; 50]);
struct Unit;

/// One that is counted while it is there. A copy of its bits would be counted when it is dropped.
struct Counted(u32, Arc<AtomicI64>);

impl Counted {
    fn new(number: u32, count: &Arc<AtomicI64>) -> Self {
        count.fetch_add(1, Relaxed);
        Self(number, Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Relaxed);
    }
}

/// What an entity sends, and to whom.
struct Sends(Vec<(Entity, u32)>);

/// Only entities with it receive.
struct Receives;

/// What has been received, by form.
#[derive(Default, PartialEq, Debug)]
struct Log([Vec<u32>; 7]);

#[derive(Default)]
struct Count(Arc<AtomicI64>);

/// The number of the message whose reader panics.
#[derive(Default)]
struct Trap(Option<u32>);

world! {
    world Forms;
    component Sends, Receives, Log;
    resource Count, Trap;
    event Copied: addressed;
    event Aligned: addressed;
    event Nothing: addressed;
    event Moved: addressed;
    event Large: addressed;
    event Unit: addressed;
    event Counted: addressed, keep(1);

    system Send {
        emit: [Copied, Aligned, Nothing, Moved, Large, Unit, Counted],
        parallelism: split_every(64),
        each: |sends: &Sends, effects, count: &Count| {
            for &(to, number) in &sends.0 {
                effects.send(to, Copied(number));
                effects.send(to, Aligned(number as u8, number.into()));
                effects.send(to, Nothing);
                effects.send(to, Moved(number));
                effects.send(to, Large([number; 50]));
                effects.send(to, Unit);
                effects.send(to, Counted::new(number, &count.0));
            }
        },
    }
    system Receive {
        on: [Copied, Aligned, Nothing, Moved, Large, Unit, Counted],
        write: [Log],
        with: [Receives],
        read_resources: [Trap],
        parallelism: split_evenly(5),
        run: |data| {
            let trap = data.resources.get::<Trap>().0;
            data.for_messages::<Copied>(|one, all, _| {
                assert_eq!(all.clone().count(), all.len());
                one.log.0[0].extend(all.map(|message| message.0));
            });
            data.for_messages::<Aligned>(|one, all, _| {
                // One by one, where the others fold.
                for message in all {
                    assert_eq!(u64::from(message.0), message.1 & 255);
                    one.log.0[1].push(message.1 as u32);
                }
            });
            data.for_messages::<Nothing>(|one, all, _| one.log.0[2].push(all.len() as u32));
            data.for_messages::<Moved>(|one, all, _| {
                one.log.0[3].extend(all.map(|message| message.0));
            });
            data.for_messages::<Large>(|one, all, _| {
                one.log.0[4].extend(all.map(|message| message.0[49]));
            });
            data.for_messages::<Unit>(|one, all, _| one.log.0[5].push(all.len() as u32));
            data.for_messages::<Counted>(|one, all, _| {
                for message in all {
                    assert!(trap != Some(message.0), "the trap");
                    one.log.0[6].push(message.0);
                }
            });
        },
    }
}

/// What each entity sends in a step: (the receiver, a number). Some have gone, and some do not receive.
type Sending = Vec<Vec<(usize, u32)>>;

/// Entities that send and receive in this world; every fourth does not receive, and every fifth has gone.
fn make(threads: Threads, sending: &Sending) -> (World<Forms>, Vec<Entity>) {
    let mut world = World::<Forms>::on(threads);
    let spawn = |at: usize| {
        let (sends, log) = (Sends(Vec::new()), Log::default());
        if at % 4 == 3 { world.spawn((sends, log)) } else { world.spawn((sends, log, Receives)) }
    };
    let entities: Vec<Entity> = (0..sending.len()).map(spawn).collect();
    for (entity, sends) in entities.iter().zip(sending) {
        let to = sends.iter().map(|&(to, number)| (entities[to], number)).collect();
        world.insert(*entity, Sends(to)).unwrap();
    }
    for &entity in entities.iter().skip(4).step_by(5) {
        world.despawn(entity);
    }
    (world, entities)
}

/// The living, in the order of their rows.
fn order(world: &World<Forms>, entities: &[Entity]) -> Vec<usize> {
    let at = |entity| entities.iter().position(|one| *one == entity).expect("it was spawned");
    world.iter::<Entity>().map(at).collect()
}

/// What an entity has received, if it does. The senders are in this order.
fn expected(sending: &Sending, senders: &[usize], receiver: usize) -> Option<Log> {
    if receiver % 5 == 4 {
        return None;
    }
    let sends = senders.iter().flat_map(|sender| &sending[*sender]);
    let all = sends.filter(|(to, _)| *to == receiver);
    let all: Vec<u32> = all.map(|(_, number)| *number).collect();
    if receiver % 4 == 3 || all.is_empty() {
        return Some(Log::default());
    }
    let counts = vec![all.len() as u32];
    let [one, two, four, five, seven] = [(); 5].map(|()| all.clone());
    Some(Log([one, two, counts.clone(), four, five, counts, seven]))
}

fn sending() -> impl Strategy<Value = Sending> {
    (1..200_usize, any::<u64>(), 0..12_u64).prop_map(|(count, seed, most)| {
        let sends = |at: usize| {
            let random = move |n: u64| mix(seed ^ mix((at as u64) << 8 | n));
            let sends = 0..random(99) % (most + 1);
            sends.map(|n| (random(n) as usize % count, (random(n) >> 40) as u32)).collect()
        };
        (0..count).map(sends).collect()
    })
}

proptest! {
    #![proptest_config(cases(16))]
    #[test]
    fn all_forms_are_received_in_the_order_of_sending(sending in sending()) {
        for threads in every_kind() {
            let (mut world, entities) = make(threads, &sending);
            let senders = order(&world, &entities);
            let count = Arc::clone(&world.resource::<Count>().0);
            world.tick().unwrap();
            for (at, entity) in entities.iter().enumerate() {
                let expected = expected(&sending, &senders, at);
                prop_assert_eq!(world.get::<Log>(*entity), expected.as_ref());
            }
            let sent: usize = senders.iter().map(|sender| sending[*sender].len()).sum();
            prop_assert_eq!(count.load(Relaxed), sent as i64);
            // Kept for one step more, and read once.
            world.tick().unwrap();
            prop_assert_eq!(count.load(Relaxed), 2 * sent as i64);
            world.tick().unwrap();
            prop_assert_eq!(count.load(Relaxed), 2 * sent as i64);
            drop(world);
            prop_assert_eq!(count.load(Relaxed), 0);
        }
    }

    #[test]
    fn a_reader_that_panics_drops_each_message_once(sending in sending(), trap in any::<prop::sample::Index>()) {
        let numbers: Vec<u32> = sending.iter().flatten().map(|(_, number)| *number).collect();
        prop_assume!(!numbers.is_empty());
        let trap = numbers[trap.index(numbers.len())];
        for threads in every_kind() {
            let (mut world, entities) = make(threads, &sending);
            let senders = order(&world, &entities);
            let count = Arc::clone(&world.resource::<Count>().0);
            world.resource_mut::<Trap>().0 = Some(trap);
            let received = (0..sending.len()).filter_map(|at| expected(&sending, &senders, at));
            let springs = received.filter_map(|log| log.0.into_iter().nth(6)).flatten().any(|number| number == trap);
            for _ in 0..3 {
                let outcome = catch_unwind(AssertUnwindSafe(|| world.tick()));
                prop_assert_eq!(outcome.is_err(), springs);
                prop_assert!(count.load(Relaxed) >= 0);
            }
            drop(world);
            prop_assert_eq!(count.load(Relaxed), 0);
        }
    }
}
