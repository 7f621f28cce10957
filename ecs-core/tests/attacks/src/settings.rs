//! One random program on two worlds with different settings. Both must give the same answers, the same entities in the
//! same order, and equal hashes after each step.
//!
//! The worlds differ in threads, limits, inner parallelism, schedulers, storages, and in how systems are split. Rows by
//! archetype have another order of entities, so worlds with them are compared only with one another.

use std::sync::OnceLock;

use arbitrary::Unstructured;
use ecs_core::scheduler::Shuffled;
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
};
use ecs_core::{Entity, Threads, World};

use crate::arena::{
    Answer, Arena, Parts, Playing, ROOM, StepProgram, act, columns, contents, mixed, steps, swapped,
};
use crate::faults::Fault;
use crate::random::below;
use crate::support::{caught, fail, four, fresh};

/// The maximum number of steps of a program.
const STEPS: usize = 8;

/// Runs the program that the bytes encode.
///
/// # Panics
/// If the two worlds differ.
pub fn run(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let makers = if below(&mut u, 3) == 0 { BY_ARCHETYPE } else { IN_ORDER };
    let [one, other] = [below(&mut u, makers.len()), below(&mut u, makers.len())];
    // Waking threads takes long, so one of the worlds runs inline.
    let (on_one, on_other) = (Threads::Inline, pool([1, 1, 2, 4, 3][below(&mut u, 5)]));
    let program = steps(&mut u, STEPS);
    let (one, other) = (makers[one], makers[other]);
    let (mut first, mut second) = ((one.1)(on_one), (other.1)(on_other));
    for (number, step) in program.iter().enumerate() {
        let (expected, seen) = (first.step(step), second.step(step));
        assert_eq!(seen, expected, "{} and {} differ after step {number}", one.0, other.0);
    }
}

/// A pool of that many threads, which is created once.
fn pool(threads: usize) -> Threads {
    static POOLS: [OnceLock<Threads>; 2] = [const { OnceLock::new() }; 2];
    match threads {
        1 => Threads::Inline,
        4 => four(),
        _ => POOLS[threads - 2].get_or_init(|| fresh(threads)).clone(),
    }
}

/// The observed state of a world after a step.
#[derive(Debug, PartialEq)]
struct Seen {
    answers: Vec<Answer>,
    contents: Vec<(Entity, Parts)>,
    hash: u64,
}

/// A world with any settings.
trait Plays {
    fn step(&mut self, program: &StepProgram) -> Seen;
}

struct Player<D: Arena, S: Settings> {
    world: World<D, S>,
    playing: Playing,
    fault: Fault,
}

impl<D: Arena, S: Settings> Plays for Player<D, S> {
    fn step(&mut self, program: &StepProgram) -> Seen {
        let Self { world, playing, fault } = self;
        playing.breeds = true;
        let mut answers = Vec::new();
        let mut take = || {
            world.step(|step| {
                answers.extend(program.ops.iter().map(|op| act(step, op, playing, fault)));
                if program.panics {
                    fail("as the program says");
                }
            })
        };
        if program.panics {
            let text = caught(|| take().unwrap());
            assert_eq!(text.as_deref(), Some("as the program says"));
        } else {
            take().expect("a step without errors");
        }
        let contents = contents(world);
        let new = contents.iter().map(|(entity, _)| *entity);
        let new: Vec<Entity> = new.filter(|entity| !playing.handles.contains(entity)).collect();
        playing.handles.extend(new);
        Seen { answers, contents, hash: world.state_hash() }
    }
}

fn player<D: Arena, S: Settings>(world: World<D, S>) -> Box<dyn Plays> {
    Box::new(Player { world, playing: Playing::default(), fault: Fault::new() })
}

fn of<D: Arena, S: Settings>(threads: Threads) -> Box<dyn Plays> {
    player(World::<D, S>::on(threads))
}

/// Systems and subtasks in any permitted order.
fn shuffled<D: Arena, L: ecs_core::settings::EntityLimit>(threads: Threads) -> Box<dyn Plays> {
    let make = |dag: &_| Shuffled::seeded(dag, 5);
    player(World::<D, Config<L, Allow, Shuffled>>::with_scheduler(threads, make))
}

/// A name, and the constructor of a world.
type Maker = (&'static str, fn(Threads) -> Box<dyn Plays>);

const IN_ORDER: &[Maker] = &[
    ("mixed, dynamic", of::<mixed::Ring, Config<Dynamic<4>, Allow, AtomicCounter>>),
    ("mixed, fixed, shuffled", shuffled::<mixed::Ring, Fixed<ROOM>>),
    ("mixed, disallow", of::<mixed::Ring, Config<Dynamic<1>, Disallow, AtomicCounter>>),
    ("columns, fixed, sequential", of::<columns::Ring, Config<Fixed<ROOM>, Allow, Sequential>>),
    ("columns, disallow", of::<columns::Ring, Config<Dynamic<300>, Disallow, Sequential>>),
    ("swapped, dynamic", of::<swapped::Ring, Config<Dynamic<4>, Allow, AtomicCounter>>),
    ("swapped, fixed", of::<swapped::Ring, Config<Fixed<ROOM>, Disallow, AtomicCounter>>),
    ("swapped, shuffled", shuffled::<swapped::Ring, Dynamic<4>>),
];

const BY_ARCHETYPE: &[Maker] = &[
    ("mixed, by archetype", of::<mixed::Ring, Config<ByArchetype<4>, Allow, AtomicCounter>>),
    ("mixed, by archetype, shuffled", shuffled::<mixed::Ring, ByArchetype<1>>),
    ("columns, by archetype", of::<columns::Ring, Config<ByArchetype<300>, Disallow, Sequential>>),
    ("swapped, by archetype", of::<swapped::Ring, Config<ByArchetype<4>, Allow, Sequential>>),
    (
        "swapped, by archetype, disallow",
        of::<swapped::Ring, Config<ByArchetype<1>, Disallow, AtomicCounter>>,
    ),
];
