//! Random operations on a world, compared with a model after each step.

mod model;
mod systems;

use arbitrary::Unstructured;
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential, Settings,
};
use ecs_core::{StepError, Threads, World};

use crate::arena::{
    Arena, Orders, Playing, StepProgram, act, contents, looked_up, mixed, steps, swapped,
};
use crate::faults::Fault;
use crate::random::below;
use crate::support::{caught, fail, four};
pub(crate) use model::Model;

/// The entity limit that programs reach.
const LIMIT: usize = 24;
/// The maximum number of steps of a program.
const STEPS: usize = 8;

/// Runs the program that the bytes encode.
///
/// # Panics
/// If the world differs from the model.
pub fn run(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let settings = below(&mut u, 6);
    let program = steps(&mut u, STEPS);
    match settings {
        0 => play::<mixed::Ring, Config<Dynamic<4>, Allow, AtomicCounter>>(
            Threads::Inline,
            None,
            &program,
        ),
        1 => play::<mixed::Ring, Config<Dynamic<4>, Allow, AtomicCounter>>(four(), None, &program),
        2 => play::<mixed::Ring, Config<ByArchetype<4>, Disallow, Sequential>>(
            four(),
            None,
            &program,
        ),
        3 => {
            type Tight = Config<Fixed<LIMIT>, Allow, Sequential>;
            play::<mixed::Ring, Tight>(Threads::Inline, Some(LIMIT), &program);
        }
        4 => play::<swapped::Ring, Config<ByArchetype<4>, Allow, AtomicCounter>>(
            four(),
            None,
            &program,
        ),
        _ => play::<swapped::Ring, Config<Dynamic<4>, Disallow, AtomicCounter>>(
            Threads::Inline,
            None,
            &program,
        ),
    }
}

fn play<D: Arena, S: Settings>(threads: Threads, limit: Option<usize>, program: &[StepProgram]) {
    let fault = Fault::new();
    let mut pair = Pair::<D, S>::new(threads, &fault, limit);
    for step in program {
        pair.step(step);
        assert_eq!(fault.living(), pair.model.tracked(), "values are missing, or were not dropped");
    }
    drop(pair);
    assert_eq!(fault.living(), 0, "leaked");
}

/// A world and its model.
pub(crate) struct Pair<D: Arena, S: Settings> {
    pub(crate) world: World<D, S>,
    pub(crate) model: Model,
    pub(crate) playing: Playing,
    pub(crate) fault: Fault,
}

impl<D: Arena, S: Settings> Pair<D, S> {
    pub(crate) fn new(threads: Threads, fault: &Fault, limit: Option<usize>) -> Self {
        let playing = Playing { tight: limit.is_some(), ..Playing::default() };
        let world = World::on(threads);
        Self { world, model: Model::new(limit), playing, fault: fault.clone() }
    }

    /// Executes a step in both, and compares.
    pub(crate) fn step(&mut self, program: &StepProgram) {
        let Self { world, model, playing, fault } = self;
        playing.breeds = true;
        let mut take = || {
            world.step(|step| {
                for op in &program.ops {
                    let before = playing.clone();
                    let answer = act(step, op, playing, fault);
                    model.act(op, &answer, &before, step.resource::<Orders>());
                }
                if program.panics {
                    fail("as the program says");
                }
            })
        };
        if program.panics {
            let text = caught(|| take().unwrap());
            assert_eq!(text.as_deref(), Some("as the program says"));
            model.discard();
        } else {
            // Spawns without room are reported by the step, too.
            assert!(matches!(take(), Ok(()) | Err(StepError::LimitReached { .. })));
        }
        self.compare();
    }

    /// Compares all contents: the entities in any order, their parts, and the result of looking up each handle.
    pub(crate) fn compare(&mut self) {
        let Self { world, model, playing, .. } = self;
        let contents = contents(world);
        model.refresh(&contents);
        assert_eq!(world.entity_count(), contents.len());
        for (entity, _) in &contents {
            if !playing.handles.contains(entity) {
                playing.handles.push(*entity);
            }
        }
        for &entity in &playing.handles {
            let parts = model.beings.get(&entity);
            assert_eq!(world.is_alive(entity), parts.is_some(), "{entity:?}");
            assert_eq!(looked_up(world, entity), parts.copied().unwrap_or_default(), "{entity:?}");
        }
    }
}
