//! Refreshes in the middle of a step: a later phase sees what an earlier phase has staged.

use std::sync::{Arc, Mutex};

use attacks::faults::{Fault, FaultCase, Fired, Program, Role, Tag, Tracked, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::events::Events;
use ecs_core::{Data, System, Threads, World, world};

tracked! {
    Seed: BUFFER;
    Plant: BUFFER;
    Ripe: INTERLEAVED;
    Sold: INTERLEAVED;
    Count: RESOURCE;
}

world! {
    world Garden { entity_limit: dynamic(16), staged_changes: refresh_before_dependents }
    component Tag: contiguous_buffer;
    component Seed: contiguous_buffer;
    component Plant: contiguous_buffer;
    component (Ripe, Sold): contiguous_buffer;
    resource Count = Count::new(&Fault::new(), 0);
    system Sow { read: [Tag, Seed], despawn, spawn: [(Tag, Plant)], defer, state: Sow(None) }
    system Water { dependencies: [Sow], write: [Plant], state: Water(None) }
    system Reap { dependencies: [Water], read: [Tag, Plant], insert: [Ripe], remove: [Plant], state: Reap(None) }
    system Tell { dependencies: [Reap], read: [Ripe], write_resources: [Count], insert: [Sold], state: Tell(None) }
}

macro_rules! shared {
    ($($system:ident)*) => {$(
        struct $system(Option<Shared>);
    )*};
}

shared!(Sow Water Reap Tell);

/// How far the execution has come.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Reached {
    Nothing,
    Sow,
    Water,
    Reap,
    Tell,
    End,
}

#[derive(Clone)]
struct Shared {
    fault: Fault,
    reached: Arc<Mutex<Reached>>,
}

impl Shared {
    fn reach(&self, reached: Reached) {
        *self.reached.lock().unwrap() = reached;
    }
}

impl System<Garden> for Sow {
    fn process(&self, data: &mut Data<'_, Garden, Self>) {
        let shared = self.0.as_ref().unwrap();
        shared.reach(Reached::Sow);
        let fault = &shared.fault;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            fault.point(places::ENTITIES);
            let capture = Tracked::new(fault, &Role::CAPTURE, 0);
            effects.spawn((Tag(e.tag.0 + 10), Plant::new(fault, e.seed.get())));
            if e.tag.0 % 2 == 0 {
                effects.despawn(e.entity);
            }
            effects.defer(move |_| capture.fault().point(places::DEFERRED));
        });
        fault.point(places::PROCESS);
    }
}

impl System<Garden> for Water {
    fn process(&self, data: &mut Data<'_, Garden, Self>) {
        let shared = self.0.as_ref().unwrap();
        shared.reach(Reached::Water);
        data.own.for_entities(|e| {
            shared.fault.point(places::ENTITIES);
            e.plant.set(e.plant.get() + 100);
        });
        shared.fault.point(places::PROCESS);
    }
}

impl System<Garden> for Reap {
    fn process(&self, data: &mut Data<'_, Garden, Self>) {
        let shared = self.0.as_ref().unwrap();
        shared.reach(Reached::Reap);
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            shared.fault.point(places::ENTITIES);
            effects.insert(e.entity, Ripe::new(&shared.fault, e.plant.get()));
            effects.remove::<Plant>(e.entity);
        });
        shared.fault.point(places::PROCESS);
    }
}

impl System<Garden> for Tell {
    fn process(&self, data: &mut Data<'_, Garden, Self>) {
        let shared = self.0.as_ref().unwrap();
        shared.reach(Reached::Tell);
        let fault = &shared.fault;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            fault.point(places::ENTITIES);
            effects.insert(e.entity, Sold::new(fault, e.ripe.get()));
            let count = data.resources.get_mut::<Count>();
            count.set(count.get() + 1);
        });
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

struct Phases {
    world: World<Garden>,
    shared: Shared,
}

/// The rows after the phase of `Sow`.
fn sown(state: &[Row]) -> Vec<Row> {
    let mut rows = Vec::new();
    for row in state {
        let (Some(tag), Some(seed)) = (row[0], row[1]) else {
            rows.push(row.clone());
            continue;
        };
        if tag % 2 == 1 {
            rows.push(row.clone());
        }
        rows.push(vec![Some(tag + 10), None, Some(seed), None, None]);
    }
    rows.sort_unstable();
    rows
}

fn watered(mut state: Vec<Row>) -> Vec<Row> {
    for row in &mut state {
        row[2] = row[2].map(|plant| plant + 100);
    }
    state.sort_unstable();
    state
}

fn reaped(mut state: Vec<Row>) -> Vec<Row> {
    for row in state.iter_mut().filter(|row| row[2].is_some()) {
        row[3] = row[2].take();
    }
    state.sort_unstable();
    state
}

fn sold(mut state: Vec<Row>) -> Vec<Row> {
    for row in state.iter_mut().filter(|row| row[3].is_some()) {
        row[4] = row[3];
    }
    state.sort_unstable();
    state
}

impl Program for Phases {
    type State = (Vec<Row>, u64);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Garden>::on(threads);
        let shared =
            Shared { fault: fault.clone(), reached: Arc::new(Mutex::new(Reached::Nothing)) };
        *world.resource_mut::<Count>() = Count::new(fault, 0);
        world.system_mut::<Sow>().0 = Some(shared.clone());
        world.system_mut::<Water>().0 = Some(shared.clone());
        world.system_mut::<Reap>().0 = Some(shared.clone());
        world.system_mut::<Tell>().0 = Some(shared.clone());
        let bundles = (0..4).map(|n| (Tag(n), Seed::new(fault, n)));
        world
            .step(|step| {
                step.spawn_batch(bundles);
            })
            .unwrap();
        Self { world, shared }
    }

    fn act(&mut self) {
        let Self { world, shared } = self;
        shared.reach(Reached::Nothing);
        let fault = &shared.fault;
        let events = Events::new()
            .on_subscribe::<Water>(|_| fault.point(places::ON_SUBSCRIBE))
            .on_unsubscribe::<Reap>(|_| fault.point(places::ON_UNSUBSCRIBE))
            .on_reclaim(|_| fault.point(places::ON_RECLAIM));
        let step = world.step_with(events, |step| {
            shared.fault.point(places::STEP);
            step.execute_systems();
            shared.fault.point(places::STEP);
            shared.reach(Reached::End);
        });
        step.unwrap();
    }

    fn state(&self) -> (Vec<Row>, u64) {
        let rows = rows!(self.world; Tag, Seed, Plant, Ripe, Sold);
        (rows, self.world.resource::<Count>().get())
    }

    fn model(&self, (rows, count): &Self::State) -> Self::State {
        let rows = sold(reaped(watered(sown(rows))));
        let ripe = rows.iter().filter(|row| row[3].is_some()).count();
        (rows, count + ripe as u64)
    }

    fn verify(&self, before: &Self::State, found: &Self::State, _: &Fired) -> Result<(), String> {
        let reached = *self.shared.reached.lock().unwrap();
        let whole = self.model(before);
        let counts =
            if reached == Reached::Tell { before.1..=whole.1 } else { before.1..=before.1 };
        let is_counted =
            counts.contains(&found.1) || (reached == Reached::End && found.1 == whole.1);
        let first = sown(&before.0);
        let second = reaped(watered(first.clone()));
        let allowed = match reached {
            Reached::Nothing => vec![before.0.clone()],
            // The panic was in the system, or in the refresh after it, which still completes.
            Reached::Sow => vec![before.0.clone(), first],
            // In-place writes stay.
            Reached::Water => {
                let mut rows = first.clone();
                for row in rows.iter_mut().filter(|row| row[2].is_some()) {
                    let found =
                        found.0.iter().find(|found| found[0] == row[0] && found[2] != row[2]);
                    if found.is_some_and(|found| found[2] == row[2].map(|plant| plant + 100)) {
                        row[2] = row[2].map(|plant| plant + 100);
                    }
                }
                rows.sort_unstable();
                vec![rows]
            }
            Reached::Reap => vec![watered(first), second],
            Reached::Tell => vec![second],
            Reached::End => vec![whole.0],
        };
        if !is_counted {
            return Err(format!("a count of {counts:?}"));
        }
        attacks::faults::one_of(&found.0, &allowed)
    }

    fn check(&mut self) {
        assert_subscribed!(self.world;
            Sow: [Tag, Seed] [];
            Water: [Plant] [];
            Reap: [Tag, Plant] [];
            Tell: [Ripe] [];
        );
    }
}

pub(super) static PHASES: [FaultCase; 2] =
    [FaultCase::of::<Phases>(), FaultCase::of_drop::<Phases>()];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Phases>();

#[test]
fn refreshes_between_systems() {
    PHASES[0].report();
}

#[test]
fn their_drop() {
    PHASES[1].report();
}
