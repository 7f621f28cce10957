//! Schedule fuzzing finds dependences on order that no rule of a declaration detects.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ecs_core::scheduler::{AtomicCounter, Delayed, Shuffled, assert_orderless};
use ecs_core::settings::{Scheduled, Settings};
use ecs_core::{Data, System, Threads, World, world};

use crate::support::{caught, fresh};

struct Ticket(u64);

/// A counter with interior mutability: systems change it, though they declare it as *read*.
#[derive(Default)]
struct Counter(AtomicU64);

/// The values of the counter that systems have read.
#[derive(Default)]
struct Seen(Vec<u64>);

world! {
    world Hidden { entity_limit: dynamic(16), staged_changes: refresh_before_dependents }
    component Ticket: contiguous_buffer;
    resource Counter;
    resource Seen;

    system Tickets { parallelism: split_every(64), write: [Ticket] }
    system Double { read_resources: [Counter] }
    system Add { read_resources: [Counter] }
    system Listen { dependencies: [Double, Add], read_resources: [Counter], write_resources: [Seen] }
    system Breed { dependencies: [Tickets], spawn: [Ticket] }
    system Late { dependencies: [Listen, Breed], with: [Ticket], read_resources: [Counter] }
    system Later { dependencies: [Listen, Breed], with: [Ticket], read_resources: [Counter] }
}

/// Numbers entities in the order in which its subtasks happen to run.
#[derive(Default)]
struct Tickets(AtomicU64);

impl System<Hidden> for Tickets {
    fn process(&self, data: &mut Data<'_, Hidden, Self>) {
        data.own.for_entities(|e| e.ticket.0 = self.0.fetch_add(1, Relaxed));
    }
}

/// Systems that change the counter, each by its own operation.
macro_rules! counting {
    ($($name:ident: $change:expr;)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<Hidden> for $name {
            fn process(&self, data: &mut Data<'_, Hidden, Self>) {
                let change: fn(u64) -> u64 = $change;
                let counter = &data.resources.get::<Counter>().0;
                counter.fetch_update(Relaxed, Relaxed, |count| Some(change(count))).unwrap();
            }
        }
    )*};
}

counting! {
    Double: |count| count.wrapping_mul(2);
    Add: |count| count.wrapping_add(1);
    Late: |count| count.wrapping_mul(3);
    Later: |count| count.wrapping_add(5);
}

#[derive(Default)]
struct Listen;

impl System<Hidden> for Listen {
    fn process(&self, data: &mut Data<'_, Hidden, Self>) {
        let count = data.resources.get::<Counter>().0.load(Relaxed);
        data.resources.get_mut::<Seen>().0.push(count);
    }
}

#[derive(Default)]
struct Breed;

impl System<Hidden> for Breed {
    fn process(&self, data: &mut Data<'_, Hidden, Self>) {
        data.effects.spawn((Ticket(0),));
    }
}

/// The tickets, the values read of the counter, and the counter, after `steps` steps.
fn end<S: Settings>(mut world: World<Hidden, S>, steps: usize) -> (Vec<u64>, Vec<u64>, u64) {
    world
        .step(|step| {
            for _ in 0..300 {
                step.spawn((Ticket(0),));
            }
        })
        .unwrap();
    for _ in 0..steps {
        world.tick().unwrap();
    }
    let mut tickets = Vec::new();
    for (ticket,) in world.iter::<(&Ticket,)>() {
        tickets.push(ticket.0);
    }
    let count = world.resource::<Counter>().0.load(Relaxed);
    (tickets, world.resource::<Seen>().0.clone(), count)
}

type Shuffling = Scheduled<Hidden, Shuffled>;
type Delaying = Scheduled<Hidden, Delayed>;

fn shuffled(seed: u64) -> World<Hidden, Shuffling> {
    World::with_scheduler(Threads::Inline, |dag| Shuffled::seeded(dag, seed))
}

#[test]
fn shuffling_finds_the_order_of_subtasks_and_of_systems_in_both_phases() {
    let (mut tickets, mut counters) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..1_500 {
        let found = end(shuffled(seed), 1);
        tickets.insert(found.0);
        counters.insert((found.1, found.2));
        if seed % 100 == 0 {
            assert_eq!(end(shuffled(seed), 3), end(shuffled(seed), 3), "a seed gives the same");
        }
    }
    assert_eq!(tickets.len(), 120, "the five subtasks of `Tickets` in any order");
    // `Double` and `Add` in either order; after a refresh, `Late` and `Later` in either order.
    let expected = [(1, 8), (1, 18), (2, 11), (2, 21)].map(|(seen, count)| (vec![seen], count));
    assert_eq!(counters, expected.into());
}

#[test]
fn delays_find_the_order_of_subtasks_and_of_systems() {
    let expected = end(World::<Hidden>::on(Threads::Inline), 1);
    let threads = fresh(4);
    let (mut tickets, mut systems) = (false, false);
    for seed in 0..2_000 {
        let world = World::<Hidden, Delaying>::with_scheduler(threads.clone(), |dag| {
            Delayed::seeded(dag, seed)
        });
        let found = end(world, 1);
        tickets |= found.0 != expected.0;
        systems |= found.1 != expected.1;
        if tickets && systems {
            return;
        }
    }
    panic!("found: subtasks {tickets}, systems {systems}");
}

#[test]
fn the_helper_names_the_seed() {
    let run = || {
        let expected = end(World::<Hidden>::on(Threads::Inline), 1);
        assert_orderless(0..100, &expected, |seed| end(shuffled(seed), 1));
    };
    let message = catch_unwind(run).expect_err("something is found");
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(message.starts_with("seed 0 gives another result: something depends on"), "{message}");
}

#[test]
fn a_scheduler_for_another_graph_breaks_nothing() {
    use ecs_core::scheduler::Dag;
    // An edge from `Tickets` to `Later`, which is in another phase.
    let other = Dag::from_edges(9, [(0, 6)]).unwrap();
    // On one thread the scheduler would not be called.
    let mut world =
        World::<Hidden, Scheduled<Hidden, AtomicCounter>>::with_scheduler(fresh(2), |_| {
            ecs_core::scheduler::Scheduler::new(&other)
        });
    let message = caught(|| world.tick());
    assert!(message.contains("the scheduler called for node"), "{message}");
    assert!(world.resource::<Seen>().0.is_empty());
}
