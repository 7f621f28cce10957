//! The functions that a refresh calls for subscribed, unsubscribed and despawned entities.

use std::sync::Mutex;

use attacks::faults::{Fault, FaultCase, Fired, Program, Role, Tag, Tracked, places};
use attacks::{assert_subscribed, idle_systems, rows, tracked};
use ecs_core::events::Events;
use ecs_core::settings::Settings;
use ecs_core::{Entity, Step, Threads, World, world};

tracked! {
    Mass: BUFFER;
    Fixed: HASH_MAP;
    Told: RESOURCE;
}

world! {
    world Yard { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Mass: contiguous_buffer;
    component Fixed: hash_map;
    resource Told = Told::new(&Fault::new(), 0);
    system Free { read: [Mass], without: [Fixed] }
    system Held { read: [Mass], with: [Fixed] }
}

idle_systems!(Yard; Free, Held);

type Row = Vec<Option<u64>>;

/// The rows, and the number of events that were reported.
type Account = (Vec<Row>, u64);

const OPERATIONS: usize = 5;

struct Tells {
    fault: Fault,
    world: World<Yard>,
    entities: Vec<Entity>,
    acts: u64,
    done: usize,
    over: bool,
    /// For each event: the tag of the entity, if the event is a subscription to `Free`.
    journal: Mutex<Vec<Option<u64>>>,
}

fn perform<S: Settings>(
    operation: usize,
    step: &mut Step<'_, Yard, S>,
    entities: &[Entity],
    fault: &Fault,
    tag: u64,
) {
    match operation {
        0 => drop(step.spawn((Tag(tag), Mass::new(fault, 5)))),
        1 => step.despawn(entities[1]),
        2 => drop(step.insert(entities[2], Fixed::new(fault, 7))),
        3 => drop(step.remove::<Fixed>(entities[3])),
        4 => drop(step.remove::<Mass>(entities[4])),
        _ => unreachable!(),
    }
}

impl Tells {
    /// The rows after the first `operations` operations.
    fn after(&self, rows: &[Row], operations: usize) -> Vec<Row> {
        let mut rows = rows.to_vec();
        for operation in 0..operations {
            let mut set = |tag: u64, column: usize, value: Option<u64>| {
                let found = rows.iter_mut().find(|row| row[0] == Some(tag));
                if let Some(row) = found {
                    row[column] = value;
                }
            };
            match operation {
                0 => rows.push(vec![Some(100 + self.acts), Some(5), None]),
                2 => set(2, 2, Some(7)),
                3 => set(3, 2, None),
                4 => set(4, 1, None),
                _ => {}
            }
        }
        rows
    }

    /// The number of events from `before` to `after`, and the tags of the entities that subscribe to `Free`.
    fn told(before: &[Row], after: &[Row]) -> (u64, Vec<u64>) {
        let of = |rows: &[Row], held: bool| -> Vec<u64> {
            let of = rows.iter().filter(|row| row[1].is_some() && row[2].is_some() == held);
            of.map(|row| row[0].unwrap()).collect()
        };
        let count = |some: &[u64], others: &[u64]| {
            some.iter().filter(|tag| !others.contains(tag)).count() as u64
        };
        let mut told = 0;
        for held in [false, true] {
            let (before, after) = (of(before, held), of(after, held));
            told += count(&before, &after) + count(&after, &before);
        }
        let tags = |rows: &[Row]| rows.iter().map(|row| row[0].unwrap()).collect::<Vec<_>>();
        told += count(&tags(before), &tags(after));
        let (was, is) = (of(before, false), of(after, false));
        (told, is.into_iter().filter(|tag| !was.contains(tag)).collect())
    }

    /// The rows after the events of the subscriptions to `Free`.
    fn tell((mut rows, told): Account, free: &[u64]) -> Vec<Row> {
        let _ = told;
        for tag in free {
            let row = rows.iter_mut().find(|row| row[0] == Some(*tag)).expect("it has a row");
            row[1] = row[1].map(|mass| mass + 100);
        }
        rows.sort_unstable();
        rows
    }

    fn despawned(mut rows: Vec<Row>) -> Vec<Row> {
        rows.retain(|row| row[0] != Some(1));
        rows
    }
}

impl Program for Tells {
    type State = Account;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Yard>::on(threads);
        *world.resource_mut::<Told>() = Told::new(fault, 0);
        let entities = world.step(|step| {
            let spawn = |tag| {
                let entity = step.spawn((Tag(tag), Mass::new(fault, tag)));
                if tag % 3 == 0 {
                    drop(step.insert(entity, Fixed::new(fault, tag)));
                }
                entity
            };
            (0..6).map(spawn).collect()
        });
        Self {
            fault: fault.clone(),
            world,
            entities: entities.unwrap(),
            acts: 0,
            done: 0,
            over: false,
            journal: Mutex::default(),
        }
    }

    fn act(&mut self) {
        let Self { fault, world, entities, acts, done, over, journal } = self;
        *acts += 1;
        (*done, *over) = (0, false);
        journal.get_mut().unwrap().clear();
        let journal = &*journal;
        let [first, second, third] = [(); 3].map(|()| Tracked::new(fault, &Role::CALLBACK, 0));
        let note = |free| journal.lock().unwrap().push(free);
        let events = Events::new()
            .on_subscribe::<Free>(|event| {
                let fault = first.fault();
                fault.point(places::ON_SUBSCRIBE);
                let mass = event.get_mut::<Mass>().unwrap();
                mass.set(mass.get() + 100);
                let told = event.resource_mut::<Told>();
                told.set(told.get() + 1);
                note(Some(event.get::<Tag>().unwrap().0));
                fault.point(places::ON_SUBSCRIBE);
            })
            .on_subscribe::<Held>(|event| {
                let told = event.resource_mut::<Told>();
                told.set(told.get() + 1);
                note(None);
                fault.point(places::ON_SUBSCRIBE);
            })
            .on_unsubscribe::<Free>(move |event| {
                second.fault().point(places::ON_UNSUBSCRIBE);
                let told = event.resource_mut::<Told>();
                told.set(told.get() + 1);
                note(None);
            })
            .on_unsubscribe::<Held>(|event| {
                let told = event.resource_mut::<Told>();
                told.set(told.get() + 1);
                note(None);
                fault.point(places::ON_UNSUBSCRIBE);
            })
            .on_reclaim(move |event| {
                third.fault().point(places::ON_RECLAIM);
                let told = event.resource_mut::<Told>();
                told.set(told.get() + 1);
                note(None);
                third.fault().point(places::ON_RECLAIM);
            });
        let step = world.step_with(events, |step| {
            for operation in 0..OPERATIONS {
                fault.point(places::STEP);
                perform(operation, step, entities, fault, 100 + *acts);
                *done = operation + 1;
            }
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Account {
        (rows!(self.world; Tag, Mass, Fixed), self.world.resource::<Told>().get())
    }

    fn model(&self, (rows, told): &Account) -> Account {
        let after = Self::despawned(self.after(rows, OPERATIONS));
        let (more, free) = Self::told(rows, &after);
        (Self::tell((after, 0), &free), told + more)
    }

    fn verify(&self, before: &Account, found: &Account, fired: &Fired) -> Result<(), String> {
        let bases = if self.over {
            vec![Self::despawned(self.after(&before.0, OPERATIONS))]
        } else {
            let last = (self.done + 1).min(OPERATIONS);
            vec![self.after(&before.0, self.done), self.after(&before.0, last)]
        };
        let journal = self.journal.lock().unwrap();
        let told: Vec<u64> = journal.iter().filter_map(|free| *free).collect();
        let in_event = [places::ON_RECLAIM, places::ON_SUBSCRIBE, places::ON_UNSUBSCRIBE];
        let mut allowed = Vec::new();
        for base in bases {
            let (count, mut free) = Self::told(&before.0, &base);
            let is_whole = count == journal.len() as u64;
            if fired.first.is_some_and(|place| in_event.contains(&place)) || is_whole {
                free.retain(|tag| told.contains(tag));
                let count = before.1 + journal.len() as u64;
                allowed.push((Self::tell((base, 0), &free), count));
            }
        }
        attacks::faults::one_of(found, &allowed)
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Free: [Mass] [Fixed]; Held: [Mass, Fixed] [];);
    }
}

pub(super) static TELLS: [FaultCase; 2] = [FaultCase::of::<Tells>(), FaultCase::of_drop::<Tells>()];

#[test]
fn functions_of_events() {
    TELLS[0].report();
}

#[test]
fn their_drop() {
    TELLS[1].report();
}
