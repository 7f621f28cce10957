//! Systems that defer functions, with batches of staged changes before and between them.

use std::sync::{Arc, Mutex};

use attacks::faults::{Fault, FaultCase, Fired, Program, Role, Tag, Tracked, one_of, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Data, Defer, Entity, System, Threads, World, world};

tracked! {
    Ink: BUFFER;
    Seal: SPARSE_SET;
    Sum: RESOURCE;
}

world! {
    world Office { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Ink: contiguous_buffer;
    component Seal: sparse_set;
    resource Sum = Sum::new(&Fault::new(), 0);

    system First: Clerk {
        read: [Tag], defer, despawn, insert: [Ink, Seal], spawn: [(Tag, Ink)], state: Clerk::idle(0),
    }
    system Second: Clerk {
        dependencies: [First],
        read: [Tag], defer, despawn, insert: [Ink, Seal], spawn: [(Tag, Ink)], state: Clerk::idle(1),
    }
    // It defers nothing: its batch is applied last.
    system Third {
        dependencies: [Second],
        read: [Tag], despawn, insert: [Ink], spawn: [(Tag, Ink)], state: Third(None),
    }
}

/// The number of functions that each clerk defers.
const FUNCTIONS: u64 = 3;

/// What all called code shares: the fault, and the functions that have begun and ended.
#[derive(Clone)]
struct Shared {
    fault: Fault,
    journal: Arc<Mutex<Vec<(u64, bool)>>>,
}

impl Shared {
    fn note(&self, function: u64, is_over: bool) {
        self.journal.lock().unwrap().push((function, is_over));
    }
}

struct Clerk {
    number: u64,
    shared: Option<Shared>,
}

impl Clerk {
    fn idle(number: u64) -> Self {
        Self { number, shared: None }
    }
}

struct Third(Option<Shared>);

impl<N> System<Office, N> for Clerk
where
    N: ecs_core::SystemName<Office, System = Self>
        + ecs_core::access::Reads<Tag, Office>
        + ecs_core::access::Despawns<Office>
        + ecs_core::access::Inserts<Ink, Office>
        + ecs_core::access::Inserts<Seal, Office>
        + ecs_core::access::Spawns<(Tag, Ink), Office>
        + ecs_core::access::Defers<Office>,
{
    fn process(&self, data: &mut Data<'_, Office, N>) {
        let shared = self.shared.as_ref().unwrap();
        let fault = &shared.fault;
        fault.point(places::PROCESS);
        let number = self.number;
        let (own, effects) = data.split();
        own.query::<(Entity, &Tag)>().for_each(|(entity, tag)| {
            fault.point(places::ENTITIES);
            if tag.0 < 4 {
                effects.insert(entity, Ink::new(fault, 10 * number + tag.0));
                effects.insert(entity, Seal::new(fault, 10 * number + tag.0));
            }
            if tag.0 == 4 + number {
                effects.despawn(entity);
            }
            if tag.0 < FUNCTIONS {
                let (capture, shared) = (Tracked::new(fault, &Role::CAPTURE, 0), shared.clone());
                let function = number * FUNCTIONS + tag.0;
                effects.defer(move |defer| act(function, entity, &capture, &shared, defer));
            }
        });
        effects.spawn((Tag(100 + number), Ink::new(fault, number)));
        fault.point(places::PROCESS);
    }
}

/// A deferred function.
fn act(
    function: u64,
    entity: Entity,
    capture: &Tracked,
    shared: &Shared,
    defer: &mut Defer<'_, Office>,
) {
    let (fault, value) = (&shared.fault, capture.get() + 50 + function);
    shared.note(function, false);
    fault.point(places::DEFERRED);
    drop(defer.insert(entity, Ink::new(fault, value)).unwrap());
    fault.point(places::DEFERRED);
    defer.spawn((Tag(200 + function), Seal::new(fault, value))).unwrap();
    fault.point(places::DEFERRED);
    let sum = defer.resource_mut::<Sum>();
    sum.set(sum.get() + value);
    fault.point(places::DEFERRED);
    if function == 4 {
        defer.despawn(entity);
    }
    fault.point(places::DEFERRED);
    shared.note(function, true);
}

impl System<Office> for Third {
    fn process(&self, data: &mut Data<'_, Office, Self>) {
        let fault = &self.0.as_ref().unwrap().fault;
        fault.point(places::PROCESS);
        let (own, effects) = data.split();
        own.for_entities(|e| {
            if e.tag.0 < 2 {
                effects.insert(e.entity, Ink::new(fault, 30 + e.tag.0));
            }
            if e.tag.0 == 3 {
                effects.despawn(e.entity);
            }
        });
        effects.spawn((Tag(102), Ink::new(fault, 2)));
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

/// The rows and the sum.
#[derive(Clone, Debug, PartialEq)]
struct Book {
    rows: Vec<Row>,
    sum: u64,
}

impl Book {
    fn set(&mut self, tag: u64, column: usize, value: u64) {
        for row in self.rows.iter_mut().filter(|row| row[0] == Some(tag)) {
            row[column] = Some(value);
        }
    }

    fn sorted(mut self) -> Self {
        self.rows.sort_unstable();
        self
    }

    fn without(mut self, tags: &[u64]) -> Self {
        self.rows.retain(|row| tags.iter().all(|&tag| row[0] != Some(tag)));
        self.sorted()
    }

    fn has(&self, tag: u64) -> bool {
        self.rows.iter().any(|row| row[0] == Some(tag))
    }

    /// Applies the batch of a system.
    fn batch(&mut self, system: u64) {
        if system < 2 {
            for tag in 0..4 {
                self.set(tag, 1, 10 * system + tag);
                self.set(tag, 2, 10 * system + tag);
            }
        } else {
            self.set(0, 1, 30);
            self.set(1, 1, 31);
        }
        self.rows.push(vec![Some(100 + system), Some(system), None]);
    }

    /// Runs a function: the states that a panic inside it may leave, and whether it despawns its entity.
    fn function(&mut self, function: u64) -> (Vec<Self>, bool) {
        let mut stages = vec![self.clone()];
        // The entity existed when the function was deferred.
        let value = 50 + function;
        self.set(function % FUNCTIONS, 1, value);
        stages.push(self.clone());
        self.rows.push(vec![Some(200 + function), None, Some(value)]);
        stages.push(self.clone());
        self.sum += value;
        stages.push(self.clone());
        (stages, function == 4)
    }
}

struct Defers {
    world: World<Office>,
    shared: Shared,
    over: bool,
}

impl Defers {
    /// The functions that a system defers in this state: a despawned entity defers none.
    fn functions(state: &Book, system: u64) -> impl Iterator<Item = u64> {
        let there = (0..FUNCTIONS).filter(|&tag| state.has(tag)).collect::<Vec<_>>();
        there.into_iter().map(move |tag| system * FUNCTIONS + tag)
    }

    /// All states that a panic in the refresh may leave, given the functions that have begun and ended.
    fn allowed(before: &Book, journal: &[(u64, bool)]) -> Vec<Book> {
        // The systems mark these as despawned, wherever the refresh panics.
        let mut doomed = vec![4, 5, 3];
        let mut state = before.clone();
        let mut allowed = Vec::new();
        let begun = |function| journal.contains(&(function, false));
        let ended = |function| journal.contains(&(function, true));
        let mut stopped = false;
        for system in 0..3 {
            if system < 2 || !stopped {
                // The panic may be that of a destructor in the batches: they are applied all the same.
                let last = state.clone();
                state.batch(system);
                let none = Self::functions(before, system).all(|function| !begun(function));
                if system == 2 || none {
                    allowed.extend([last.without(&doomed), state.clone().without(&doomed)]);
                    stopped |= none && system < 2;
                }
            }
            let runs = system < 2 && !stopped;
            for function in Self::functions(before, system).filter(move |_| runs) {
                if !begun(function) {
                    stopped = true;
                    break;
                }
                let (stages, despawns) = state.function(function);
                let mut tags = doomed.clone();
                if despawns {
                    tags.push(function % FUNCTIONS);
                }
                if ended(function) {
                    doomed = tags;
                    allowed = vec![state.clone().without(&doomed)];
                } else {
                    allowed = stages.iter().map(|stage| stage.clone().without(&doomed)).collect();
                    allowed.push(state.clone().without(&tags));
                    stopped = true;
                }
            }
            if stopped {
                break;
            }
        }
        allowed
    }
}

impl Program for Defers {
    type State = Book;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let shared = Shared { fault: fault.clone(), journal: Arc::default() };
        let mut world = World::<Office>::on(threads);
        *world.resource_mut::<Sum>() = Sum::new(fault, 0);
        world.system_mut::<First>().shared = Some(shared.clone());
        world.system_mut::<Second>().shared = Some(shared.clone());
        world.system_mut::<Third>().0 = Some(shared.clone());
        let filled = world.step(|step| {
            for tag in 0..7 {
                let entity = step.spawn((Tag(tag), Ink::new(fault, tag))).unwrap();
                if tag % 2 == 0 {
                    drop(step.insert(entity, Seal::new(fault, tag)));
                }
            }
        });
        filled.unwrap();
        Self { world, shared, over: false }
    }

    fn act(&mut self) {
        let Self { world, shared, over } = self;
        *over = false;
        shared.journal.lock().unwrap().clear();
        let step = world.step(|step| {
            step.execute_systems().run();
            shared.fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Book {
        let rows = rows!(self.world; Tag, Ink, Seal);
        Book { rows, sum: self.world.resource::<Sum>().get() }
    }

    fn model(&self, state: &Book) -> Book {
        let mut after = state.clone();
        let mut doomed = vec![4, 5, 3];
        for system in 0..3 {
            after.batch(system);
            for function in Self::functions(state, system).filter(|_| system < 2) {
                if after.function(function).1 {
                    doomed.push(function % FUNCTIONS);
                }
            }
        }
        after.without(&doomed)
    }

    fn verify(&self, before: &Book, found: &Book, _: &Fired) -> Result<(), String> {
        if !self.over {
            return one_of(found, std::slice::from_ref(before));
        }
        let journal = self.shared.journal.lock().unwrap().clone();
        one_of(found, &Self::allowed(before, &journal))
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; First: [Tag] []; Third: [Tag] [];);
    }
}

pub(super) static DEFERS: [FaultCase; 2] =
    [FaultCase::of::<Defers>(), FaultCase::of_drop::<Defers>()];

#[test]
fn functions_between_batches() {
    DEFERS[0].report();
}

#[test]
fn their_drop() {
    DEFERS[1].report();
}
