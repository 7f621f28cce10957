//! A user's storage strategy whose every call may panic.

use attacks::faults::{Fault, FaultCase, Fired, Hook, Hooked, Program, Shelf, Tag, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Data, Entity, System, Threads, World, world};

tracked! {
    Own: STRATEGY;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

world! {
    world Shelved { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Own: storage(Shelf<Own, Hooks>);
    system Work {
        read: [Tag], write: [Own], despawn, insert: [Own], remove: [Own], spawn: [(Tag, Own)],
    }
    system OfTag { read: [Tag], without: [Own] }
}

attacks::idle_systems!(Shelved; OfTag);

#[derive(Default)]
struct Work;

impl System<Shelved> for Work {
    fn process(&self, data: &mut Data<'_, Shelved, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let fault = e.own.fault().clone();
            e.own.set(e.own.get() + 1);
            match e.tag.0 {
                6 => effects.despawn(e.entity),
                7 => effects.remove::<Own>(e.entity),
                8 => {
                    effects.insert(e.entity, Own::new(&fault, 870));
                    effects.spawn((Tag(101), Own::new(&fault, 10_100)));
                }
                _ => {}
            }
        });
    }
}

type Row = Vec<Option<u64>>;

/// The value of an entity is between 100 times its tag and 100 times its tag + 99.
struct Shelves {
    fault: Fault,
    world: World<Shelved>,
    entities: Vec<Entity>,
    over: bool,
}

impl Program for Shelves {
    type State = Vec<Row>;

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Shelved>::on(threads);
        let entities = world.step(|step| {
            let spawn = |tag| {
                let entity = step.spawn((Tag(tag),));
                if tag != 1 {
                    drop(step.insert(entity, Own::new(fault, 100 * tag)));
                }
                entity
            };
            (0..12).map(spawn).collect()
        });
        Self { fault: fault.clone(), world, entities: entities.unwrap(), over: false }
    }

    fn act(&mut self) {
        let Self { fault, world, entities, over } = self;
        *over = false;
        let own = |value| Own::new(fault, value);
        let step = world.step(|step| {
            step.spawn((Tag(100), own(10_000)));
            drop(step.insert(entities[0], own(50)).unwrap());
            drop(step.insert(entities[1], own(150)).unwrap());
            drop(step.remove::<Own>(entities[2]));
            let given = [3, 4].into_iter().map(|n| (entities[n], own(100 * n as u64 + 50)));
            step.insert_batch(given);
            step.remove_batch::<Own>([entities[5]]);
            step.get_mut::<Own>(entities[4]).unwrap().set(460);
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Own)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut rows = vec![vec![Some(100), Some(10_000)]];
        for row in state {
            let (tag, own) = (row[0].unwrap(), row[1]);
            let given = match tag {
                0 => Some(50),
                1 => Some(150),
                2 | 5 => None,
                3 => Some(350),
                4 => Some(460),
                _ => own,
            };
            // The system visits the entities that had a value at the last refresh.
            let is_visited = own.is_some() && given.is_some();
            let own = given.map(|own| own + u64::from(is_visited));
            match tag {
                6 if is_visited => {}
                7 => rows.push(vec![Some(7), None]),
                8 if is_visited => {
                    rows.push(vec![Some(8), Some(870)]);
                    rows.push(vec![Some(101), Some(10_100)]);
                }
                _ => rows.push(vec![Some(tag), own]),
            }
        }
        rows.sort_unstable();
        rows
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        let after = self.model(before);
        let tags = |rows: &[Row]| -> Vec<u64> { rows.iter().map(|row| row[0].unwrap()).collect() };
        let (was, is) = (tags(before), tags(found));
        if self.over && is != tags(&after) {
            return Err(format!("{after:?}"));
        }
        if !self.over {
            // The entity that the closure spawned may be there; no staged change is.
            let spawned: Vec<u64> = was.iter().copied().chain([100]).collect();
            let sorted = |mut tags: Vec<u64>| {
                tags.sort_unstable();
                tags
            };
            if is != was && is != sorted(spawned) {
                return Err(format!("{before:?} or one more"));
            }
        }
        for row in found {
            let (tag, own) = (row[0].unwrap(), row[1]);
            // No entity has the value of another one, and no value is lost that was not accessed.
            let is_own = own.is_none_or(|own| own / 100 == tag);
            let is_there = own.is_some() || self.over || !(9..100).contains(&tag);
            if !is_own || !is_there {
                return Err(format!("another value for {tag}"));
            }
        }
        Ok(())
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Work: [Tag, Own] []; OfTag: [Tag] [Own];);
    }
}

pub(super) static SHELVES: [FaultCase; 2] =
    [FaultCase::of::<Shelves>(), FaultCase::of_drop::<Shelves>()];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Shelves>();

#[test]
fn a_strategy_that_panics() {
    SHELVES[0].report();
}

#[test]
fn its_drop() {
    SHELVES[1].report();
}
