//! A fixed entity limit that is reached, bundles without room, and the user's outputs.

use attacks::faults::{
    Counting, Fault, FaultCase, Fired, Hook, Program, Role, Tag, one_of, places,
};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Bundle, BundleSink, Data, Output, StepError, System, Threads, World, world};

tracked! {
    Load: BUFFER;
    Ticket: OUTPUT;
}

static HOOK: Hook = Hook::new();

/// Tickets in a type that does not concatenate.
struct Heap(Vec<Ticket>);

impl Default for Heap {
    fn default() -> Self {
        HOOK.point(places::OUTPUT_DEFAULT);
        Self(Vec::new())
    }
}

impl Output for Heap {
    fn reset(&mut self) {
        HOOK.point(places::OUTPUT_RESET);
        self.0.clear();
        HOOK.point(places::OUTPUT_RESET);
    }
}

/// A user's bundle, which may panic between its components.
struct Crate(Load);

impl Bundle<Tight> for Crate {
    fn put(self, sink: &mut BundleSink<'_, Tight>) {
        let fault = self.0.fault().clone();
        fault.point(places::PUT);
        sink.put(Tag(102));
        fault.point(places::PUT);
        sink.put(self.0);
        fault.point(places::PUT);
    }
}

world! {
    world Tight { entity_limit: fixed(8) }
    component Tag: contiguous_buffer;
    component Load: contiguous_buffer;
    system Breed {
        read: [Tag], despawn, spawn: [(Tag, Load), Crate], output: Heap, state: Breed(None),
    }
    system Read { inputs: [Breed], output: Vec<Ticket>, state: Read(None) }
}

struct Breed(Option<Fault>);
struct Read(Option<Fault>);

fn load(fault: &Fault, value: u64) -> Load {
    Load::of(fault, &Role::WITHOUT_ROOM, value)
}

impl System<Tight> for Breed {
    fn process(&self, data: &mut Data<'_, Tight, Self>) {
        let fault = self.0.as_ref().unwrap();
        fault.point(places::PROCESS);
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            if e.tag.0 >= 100 {
                effects.despawn(e.entity);
            }
            effects.output().0.push(Ticket::new(fault, e.tag.0));
        });
        effects.spawn(Crate(load(fault, 5)));
        effects.spawn((Tag(101), load(fault, 3)));
        effects.spawn((Tag(101), load(fault, 4)));
        effects.spawn(Crate(load(fault, 6)));
        fault.point(places::PROCESS);
    }
}

impl System<Tight> for Read {
    fn process(&self, data: &mut Data<'_, Tight, Self>) {
        let fault = self.0.as_ref().unwrap();
        let mut read = Vec::new();
        data.effects.output_parts_of::<Breed>().for_each(|heap| {
            fault.point(places::OUTPUTS);
            read.extend(heap.0.iter().map(|ticket| Ticket::new(fault, ticket.get())));
        });
        data.effects.output().append(&mut read);
    }
}

type Row = Vec<Option<u64>>;

const OPERATIONS: usize = 5;

struct Limits {
    world: World<Tight>,
    fault: Fault,
    done: usize,
    over: bool,
}

impl Limits {
    /// The state after the first `operations` operations of the closure.
    fn after(state: &[Row], operations: usize) -> Vec<Row> {
        let mut rows = state.to_vec();
        if operations > 0 && rows.len() < 8 {
            rows.push(vec![Some(100), Some(1)]);
        }
        rows.sort_unstable();
        rows
    }
}

impl Program for Limits {
    type State = Vec<Row>;

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Tight>::on(threads);
        world.system_mut::<Breed>().0 = Some(fault.clone());
        world.system_mut::<Read>().0 = Some(fault.clone());
        let bundles = (0..5).map(|n| (Tag(n), Load::new(fault, n)));
        world
            .step(|step| {
                step.spawn_batch(bundles);
            })
            .unwrap();
        Self { world, fault: fault.clone(), done: 0, over: false }
    }

    fn act(&mut self) {
        let Self { world, fault, done, over } = self;
        (*done, *over) = (0, false);
        let step = world.step(|step| {
            for operation in 0..OPERATIONS {
                fault.point(places::STEP);
                let pairs = (0..4).map(|n| (Tag(100), load(fault, n)));
                let before = step.entity_count();
                match operation {
                    0 => {
                        step.spawn((Tag(100), load(fault, 1)));
                    }
                    // Iterators in turn: with an exact hint, without, and without but with the user's bundles.
                    1 => assert_eq!(step.spawn_batch(Counting::new(fault, pairs)).len(), 0),
                    2 => {
                        let pairs = pairs.filter(|_| true);
                        assert_eq!(step.spawn_batch(Counting::new(fault, pairs).later()).len(), 0);
                    }
                    3 => {
                        let crates = (0..4).map(|n| Crate(load(fault, n))).filter(|_| true);
                        assert_eq!(step.spawn_batch(Counting::new(fault, crates)).len(), 0);
                    }
                    _ => step.execute_systems(),
                }
                assert!(step.entity_count() == before || operation == 0);
                *done = operation + 1;
            }
            fault.point(places::STEP);
            *over = true;
        });
        assert!(matches!(step, Err(StepError::LimitReached { limit: 8, lost: 1.. })));
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Load)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut rows = Self::after(state, OPERATIONS);
        let room = 8 - rows.len();
        // The system despawns entities of tag 100 or more, if they existed at the last refresh: not those of this step.
        let spawned = rows.len() - state.len();
        rows.retain(|row| row[0].is_none_or(|tag| tag < 100));
        rows.extend((0..spawned).map(|_| vec![Some(100), Some(1)]));
        // The batches are spawned in the order of the `spawn` list: tuples, then crates.
        let batch = [(101, 3), (101, 4), (102, 5), (102, 6)];
        rows.extend(batch[..room.min(4)].iter().map(|&(tag, n)| vec![Some(tag), Some(n)]));
        rows.sort_unstable();
        rows
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        if !self.over {
            let states = [self.done, self.done + 1].map(|done| Self::after(before, done));
            return one_of(found, &states);
        }
        let after = self.model(before);
        // A spawned crate may have only the components that were put before the panic.
        let mut allowed = vec![after.clone()];
        for (at, _) in after.iter().enumerate().filter(|(_, row)| row[0] == Some(102)) {
            for row in [vec![None; 2], vec![Some(102), None]] {
                let mut rows = after.clone();
                rows[at] = row;
                rows.sort_unstable();
                allowed.push(rows);
            }
        }
        one_of(found, &allowed)
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Breed: [Tag] [];);
    }
}

pub(super) static LIMITS: [FaultCase; 2] =
    [FaultCase::of::<Limits>(), FaultCase::of_drop::<Limits>()];

#[test]
fn bundles_without_room() {
    LIMITS[0].report();
}

#[test]
fn their_drop() {
    LIMITS[1].report();
}
