//! The making of worlds: initial values, storage strategies and schedulers.

use attacks::faults::{Fault, FaultCase, Fired, Hook, Hooked, Program, Shelf, Worried, places};
use attacks::tracked;
use ecs_core::scheduler::Scheduler;
use ecs_core::settings::{Allow, Config, Fixed};
use ecs_core::{Data, System, Threads, World, world};

tracked! {
    Own: STRATEGY;
    Given: RESOURCE;
    Made: RESOURCE;
    State: STATE;
    Begun: STATE;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

type Anxious = Worried<Hooks>;

type Limited = Config<Fixed<10>, Allow, Anxious>;

fn faulty<T>(place: &'static str, make: impl FnOnce(&Fault) -> T) -> T {
    let fault = HOOK.fault();
    fault.point(place);
    let made = make(&fault);
    fault.point(place);
    made
}

world! {
    world Workshop { entity_limit: dynamic(16), scheduler: Anxious }
    component Own: storage(Shelf<Own, Hooks>);
    resource Given = faulty(places::RESOURCE_INITIAL, |fault| Given::new(fault, 1));
    resource Made;
    system First { write: [Own] }
    system Second {
        dependencies: [First],
        read: [Own],
        state: Second(faulty(places::SYSTEM_INITIAL, |fault| Begun::new(fault, 1))),
    }
}

impl Default for Made {
    fn default() -> Self {
        faulty(places::RESOURCE_DEFAULT, |fault| Self::new(fault, 2))
    }
}

struct First(State);
struct Second(Begun);

impl Default for First {
    fn default() -> Self {
        faulty(places::SYSTEM_DEFAULT, |fault| Self(State::new(fault, 3)))
    }
}

impl System<Workshop> for First {
    fn process(&self, data: &mut Data<'_, Workshop, Self>) {
        data.own.for_entities(|e| e.own.set(self.0.get()));
    }
}

impl System<Workshop> for Second {
    fn process(&self, data: &mut Data<'_, Workshop, Self>) {
        data.own.for_entities(|e| assert_eq!(e.own.get(), 3));
        let _ = self.0.get();
    }
}

/// Worlds that are created one after the other.
struct Makes {
    threads: Threads,
    dynamic: Option<World<Workshop>>,
    fixed: Option<World<Workshop, Limited>>,
    scheduled: Option<World<Workshop>>,
}

impl Program for Makes {
    type State = [bool; 3];

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(_: &Fault, threads: Threads) -> Self {
        Self { threads, dynamic: None, fixed: None, scheduled: None }
    }

    fn act(&mut self) {
        let threads = || self.threads.clone();
        if self.dynamic.is_none() {
            self.dynamic = Some(World::on(threads()));
        }
        if self.fixed.is_none() {
            self.fixed = Some(World::on(threads()));
        }
        if self.scheduled.is_none() {
            self.scheduled = Some(World::with_scheduler(threads(), |dag| {
                HOOK.point(places::MAKE_SCHEDULER);
                Anxious::new(dag)
            }));
        }
        // If all worlds exist already, this is the only call of user code.
        HOOK.point(places::STEP);
    }

    fn state(&self) -> [bool; 3] {
        [self.dynamic.is_some(), self.fixed.is_some(), self.scheduled.is_some()]
    }

    fn model(&self, _: &[bool; 3]) -> [bool; 3] {
        [true; 3]
    }

    fn verify(&self, _: &[bool; 3], found: &[bool; 3], _: &Fired) -> Result<(), String> {
        // The worlds are created in order.
        if found.is_sorted_by(|a, b| a >= b) { Ok(()) } else { Err("others first".to_owned()) }
    }

    fn check(&mut self) {
        let fault = HOOK.fault();
        for world in [&mut self.dynamic, &mut self.scheduled].into_iter().flatten() {
            world
                .step(|step| {
                    step.spawn((Own::new(&fault, 0),));
                })
                .unwrap();
            world.tick().unwrap();
            assert_eq!((world.resource::<Given>().get(), world.resource::<Made>().get()), (1, 2));
        }
        if let Some(world) = &mut self.fixed {
            world.tick().unwrap();
        }
    }
}

pub(super) static MAKES: [FaultCase; 2] = [FaultCase::of::<Makes>(), FaultCase::of_drop::<Makes>()];

#[test]
fn worlds_that_are_made() {
    MAKES[0].report();
}

#[test]
fn their_drop() {
    MAKES[1].report();
}
