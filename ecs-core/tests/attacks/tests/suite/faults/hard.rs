//! Destructors that all panic, also while a thread unwinds: each value is dropped once, and the process does not abort.
//!
//! An abort would end the process, so each of these programs runs in a process of its own.

use std::cell::RefCell;
use std::env;
use std::panic::resume_unwind;
use std::process::Command;

use attacks::faults::{Fault, FaultCase, Hook, Hooked, Mode, Role, Shelf, Tag, Tracked};
use attacks::support::{caught, fail, watched};
use attacks::tracked;
use ecs_core::events::Events;
use ecs_core::{Data, Entity, Output, Snapshot, System, Threads, World, world};

use super::{many, merges, phases, snapshots, staged, strategy, updates};

tracked! {
    Flat: BUFFER;
    Left: INTERLEAVED;
    Right: INTERLEAVED;
    Sparse: SPARSE_SET;
    Mapped: HASH_MAP;
    Own: STRATEGY;
    Till: RESOURCE;
    Memory: STATE;
    Ticket: OUTPUT;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

/// At most one value: dropping a list of values whose destructors all panic aborts without the library.
#[derive(Clone, Default)]
struct One {
    #[expect(dead_code, reason = "it is there to be dropped")]
    ticket: Option<Ticket>,
}

impl Output for One {}

world! {
    world Mines { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Flat: contiguous_buffer;
    component (Left, Right): contiguous_buffer;
    component Sparse: sparse_set;
    component Mapped: hash_map;
    component Own: storage(Shelf<Own, Hooks>);
    resource Till = Till::new(&HOOK.fault(), 0);
    system Keep { read: [Tag], output: One, state: Keep(Memory::new(&HOOK.fault(), 0)) }
    system Stage {
        dependencies: [Keep],
        read: [Tag], despawn, defer, insert: [Flat, Sparse, Own], remove: [Mapped],
        spawn: [(Tag, Left)], state: Stage(Memory::new(&HOOK.fault(), 0)),
    }
    system Fail { dependencies: [Stage], state: Fail(false) }
}

#[derive(Clone)]
struct Keep(Memory);
#[derive(Clone)]
struct Stage(Memory);
#[derive(Clone)]
struct Fail(bool);

impl System<Mines> for Keep {
    fn process(&self, data: &mut Data<'_, Mines, Self>) {
        *data.effects.output() = One { ticket: Some(Ticket::new(self.0.fault(), 0)) };
    }
}

impl System<Mines> for Stage {
    fn process(&self, data: &mut Data<'_, Mines, Self>) {
        let fault = self.0.fault();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let tag = e.tag.0;
            effects.insert(e.entity, Flat::new(fault, tag));
            effects.insert(e.entity, Sparse::new(fault, tag));
            effects.insert(e.entity, Own::new(fault, tag));
            effects.remove::<Mapped>(e.entity);
            effects.spawn((Tag(100), Left::new(fault, tag)));
            let capture = Tracked::new(fault, &Role::CAPTURE, tag);
            effects.defer(move |_| drop(capture));
            if tag == 3 {
                effects.despawn(e.entity);
            }
        });
    }
}

impl System<Mines> for Fail {
    fn process(&self, _: &mut Data<'_, Mines, Self>) {
        if self.0 {
            fail("the system");
        }
    }
}

fn mines(fault: &Fault, entities: u64) -> (World<Mines>, Vec<Entity>) {
    let mut world = World::<Mines>::on(Threads::Inline);
    let entities = world.step(|step| {
        let spawn = |tag| {
            let bundle = (Tag(tag), Flat::new(fault, tag), Left::new(fault, tag));
            let entity = step.spawn(bundle);
            drop(step.insert(entity, Right::new(fault, tag)));
            drop(step.insert(entity, Sparse::new(fault, tag)));
            drop(step.insert(entity, Mapped::new(fault, tag)));
            drop(step.insert(entity, Own::new(fault, tag)));
            entity
        };
        (0..entities).map(spawn).collect()
    });
    world.step(|step| step.execute_systems_from::<(Keep,)>()).unwrap();
    (world, entities.unwrap())
}

thread_local! {
    /// A snapshot without entities.
    static EMPTY: RefCell<Option<Snapshot<Mines>>> = const { RefCell::new(None) };
}

/// An operation on a world; its return value is dropped when no destructor panics any more.
type Deed = fn(&Fault, &mut Option<World<Mines>>, &[Entity]);

fn drop_world(_: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    drop(world.take());
}

fn drop_snapshot(_: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    let snapshot = world.as_ref().unwrap().snapshot();
    drop(snapshot);
}

fn despawn_all(_: &Fault, world: &mut Option<World<Mines>>, entities: &[Entity]) {
    let world = world.as_mut().unwrap();
    world.step(|step| entities.iter().for_each(|&entity| step.despawn(entity))).unwrap();
}

fn apply(_: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    world.as_mut().unwrap().tick().unwrap();
}

fn discard(_: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    let step = |step: &mut ecs_core::Step<'_, Mines, _>| {
        step.system_mut::<Fail>().0 = true;
        step.execute_systems();
    };
    world.as_mut().unwrap().step(step).unwrap();
}

fn undo(fault: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    let world = world.as_mut().unwrap();
    let batch = |fault: &Fault| {
        let fault = fault.clone();
        (0..5).map(move |n| {
            if n == 4 {
                fail("the iterator");
            }
            (Tag(n), Flat::new(&fault, n), Left::new(&fault, n))
        })
    };
    let rares = |fault: &Fault| {
        let fault = fault.clone();
        (0..5).map(move |n| {
            if n == 4 {
                fail("the iterator");
            }
            (Sparse::new(&fault, n), Mapped::new(&fault, n), Own::new(&fault, n))
        })
    };
    let first = caught(|| {
        world.step(|step| {
            step.spawn_batch(batch(fault));
        })
    });
    let second = caught(|| {
        world.step(|step| {
            step.spawn_batch(rares(fault));
        })
    });
    assert_eq!((first.as_deref(), second.as_deref()), (Some("the iterator"), Some("the iterator")));
    fail("as it should");
}

fn restore(_: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    // All values are removed.
    EMPTY.with_borrow(|empty| {
        world.as_mut().unwrap().restore(empty.as_ref().unwrap()).unwrap();
    });
}

fn throw(fault: &Fault, world: &mut Option<World<Mines>>, _: &[Entity]) {
    // The step unwinds with a payload whose destructor panics; then the function of an event panics.
    let world = world.as_mut().unwrap();
    let events = Events::new().on_subscribe::<Keep>(|_| fail("the event"));
    let step = world.step_with(events, |step| {
        step.spawn((Tag(50),));
        resume_unwind(Box::new(Tracked::new(fault, &Role::CALLBACK, 0)));
    });
    step.unwrap();
}

/// Runs `deed` once for each call of a destructor: that call panics, and with `rest` each later one, too.
fn one_and_all(deed: Deed, rest: bool) {
    let mut chosen = 1;
    loop {
        let fault = Fault::new();
        HOOK.set(&fault);
        EMPTY.set(Some(World::<Mines>::on(Threads::Inline).snapshot()));
        let (world, entities) = mines(&fault, 5);
        let mut world = Some(world);
        // Any other panic of `deed` is not an injected one.
        let mut fired = None;
        let _ = caught(|| {
            fired = Some(fault.during(Mode::HardDrops, chosen, || {
                let _ = caught(|| deed(&fault, &mut world, &entities));
            }));
        });
        if let Some(world) = &mut world {
            let stepped = world.step(|step| {
                step.system_mut::<Fail>().0 = false;
                step.execute_systems();
            });
            stepped.unwrap();
            let mut tags = 0;
            for _ in world.iter::<&Tag>() {
                tags += 1;
            }
            assert_eq!(tags, world.entity_count());
        }
        assert_eq!(world.is_some(), rest);
        drop((world, EMPTY.take()));
        assert_eq!(fault.living(), 0, "leaked after {fired:?}");
        if fired.is_none_or(|fired| fired.first.is_none()) {
            break;
        }
        chosen += 1;
    }
    assert!(chosen > 1, "no destructor was called");
}

/// The environment variable that names the single program of a child process.
const APART: &str = "ATTACKS_APART";

/// Calls a function in a process of its own.
fn apart(test: &str, f: impl FnOnce()) {
    let name = format!("faults::hard::{test}");
    if env::var(APART).as_deref() == Ok(name.as_str()) {
        return f();
    }
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args([&name, "--exact", "--include-ignored", "--nocapture"]).env(APART, &name);
    let output = command.output().expect("a second process");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", output.status);
}

macro_rules! apart {
    ($($(#[$attribute:meta])* $test:ident: $f:expr;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $test() {
            apart(stringify!($test), $f);
        }
    )*};
}

/// A test of `deed`.
fn deed(deed: Deed, rest: bool) -> impl FnOnce() {
    move || watched(move || one_and_all(deed, rest))
}

/// A test of a whole program.
fn program(case: &'static FaultCase) -> impl FnOnce() {
    move || assert!(case.report().runs > 2)
}

apart! {
    the_drop_of_a_world: deed(drop_world, false);
    the_drop_of_a_snapshot: deed(drop_snapshot, true);
    the_reclamation_of_all: deed(despawn_all, true);
    what_is_applied: deed(apply, true);
    what_is_discarded: deed(discard, true);
    a_spawn_batch_that_is_undone: deed(undo, true);
    a_restoration: deed(restore, true);
    a_payload_behind_which_an_event_panics: deed(throw, true);
    many: program(&many::HARD);
    merges: program(&merges::HARD);
    phases: program(&phases::HARD);
    snapshots: program(&snapshots::HARD);
    staged: program(&staged::HARD);
    strategy: program(&strategy::HARD);
    updates: program(&updates::HARD);
}
