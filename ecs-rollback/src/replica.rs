//! A world that saves, loads and advances as `ggrs` requests.

use std::collections::VecDeque;

use ecs_core::description::Description;
use ecs_core::settings::Settings;
use ecs_core::{Cloneable, HasResource, Hashable, Part, StateHash, StateHasher, StepError, World};
use ggrs::{Config, Frame, GgrsRequest, InputStatus};

use crate::check::{self, Check, Checks, Hashes};
use crate::error::{Divergence, RollbackError};
use crate::inputs::{Input, Inputs};
use crate::investigation::Investigation;
use crate::ring::Ring;

/// Worlds of this declaration can be played by players with inputs `I`: they can be [snapshotted](Cloneable) and
/// [hashed](Hashable), and have the resource [`Inputs<I>`](Inputs).
///
/// It holds by itself for every declaration with these properties. Generic code names it as a bound.
///
/// ```
/// use std::net::SocketAddr;
///
/// use ecs_core::World;
/// use ecs_core::settings::Settings;
/// use ecs_rollback::{Builder, Input, Playable, RollbackError, Session, Udp};
///
/// fn alone<D: Playable<I>, S: Settings, I: Input>(
///     world: World<D, S>,
///     udp: Udp,
/// ) -> Result<Session<D, I, SocketAddr, S>, RollbackError> {
///     Builder::new().local().start(world, udp)
/// }
/// ```
pub trait Playable<I>: Cloneable + Hashable + HasResource<Inputs<I>> {}

impl<I, D: Cloneable + Hashable + HasResource<Inputs<I>>> Playable<I> for D {}

/// How a frame is computed.
type Step<D, S> = Box<dyn FnMut(&mut World<D, S>) -> Result<(), StepError>>;

/// How the parts of a state are hashed.
type Parts<D, S> = Box<dyn Fn(&World<D, S>, &mut Vec<(&'static str, u64)>)>;

/// For how many frames the past is kept if peers do not compare states.
const KEPT_FRAMES: Frame = 1_000;

/// What a replica does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// How many frames it can go back.
    pub(crate) window: usize,
    /// The number of frames from one whose state is hashed to the next.
    pub(crate) interval: u32,
    /// Whether `ggrs` asks for saves. Otherwise it never goes back.
    pub(crate) saves: bool,
    /// Whether older states are kept, from which the past can be computed again.
    pub(crate) anchors: bool,
    /// Whether the same frame must have the same hash each time.
    pub(crate) strict: bool,
}

pub(crate) struct Replica<D: Playable<I>, S: Settings, I: Input> {
    pub(crate) world: World<D, S>,
    /// The frame that comes next.
    pub(crate) frame: Frame,
    /// How many frames were computed, again and again ones included.
    pub(crate) steps: u64,
    /// Frames whose number is a multiple of it are compared between peers.
    interval: Frame,
    rules: Rules,
    pub(crate) ring: Ring<D>,
    /// The inputs of the latest frames, and the frame of the first.
    log: VecDeque<Vec<(I, InputStatus)>>,
    pub(crate) log_start: Frame,
    pub(crate) checks: Checks,
    divergence: Option<Divergence>,
    step: Step<D, S>,
    /// Whether a step is an execution of all systems.
    pub(crate) ticks: bool,
    /// What was found about a desync.
    pub(crate) investigation: Option<Investigation<D, I>>,
    /// Those of the program's choice; without it, all that a world has.
    parts: Option<Parts<D, S>>,
    /// The names of the parts in the latest check.
    names: Vec<(&'static str, u64)>,
}

impl<D: Playable<I>, S: Settings, I: Input> Replica<D, S, I> {
    /// A replica of a world, with the inputs of `players` players.
    pub(crate) fn new(mut world: World<D, S>, players: usize, rules: Rules) -> Self {
        world.resource_mut::<Inputs<I>>().set(core::iter::repeat_n(I::default(), players));
        // About half a second apart, and at compared frames.
        let distance = rules.interval * 32_u32.div_ceil(rules.interval);
        Self {
            world,
            frame: 0,
            steps: 0,
            interval: Frame::try_from(rules.interval).expect("the builder bounds the interval"),
            rules,
            ring: Ring::new(rules.window, distance),
            log: VecDeque::new(),
            log_start: 0,
            checks: Checks::default(),
            divergence: None,
            step: Box::new(World::tick),
            ticks: true,
            investigation: None,
            parts: None,
            names: Vec::new(),
        }
    }

    pub(crate) fn set_step(
        &mut self,
        step: impl FnMut(&mut World<D, S>) -> Result<(), StepError> + 'static,
    ) {
        self.step = Box::new(step);
        self.ticks = false;
    }

    pub(crate) fn set_parts(
        &mut self,
        parts: impl Fn(&World<D, S>, &mut Vec<(&'static str, u64)>) + 'static,
    ) {
        self.parts = Some(Box::new(parts));
    }

    /// The statuses of the inputs of the latest frame.
    pub(crate) fn statuses(&self) -> &[(I, InputStatus)] {
        self.log.back().map_or(&[], Vec::as_slice)
    }

    /// Does what `ggrs` requests, in order. Returns whether a frame that is new was computed.
    ///
    /// An error of a step is reported when everything is done.
    pub(crate) fn carry_out<C: Config<Input = I, State = ()>>(
        &mut self,
        requests: Vec<GgrsRequest<C>>,
    ) -> Result<bool, RollbackError> {
        let before = self.frame;
        let mut failed = Ok(());
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    assert_eq!(frame, self.frame, "ggrs saves the current frame");
                    self.ring.save(frame, &self.world);
                    let hash = self.check().map(u128::from);
                    cell.save(frame, None, hash);
                }
                GgrsRequest::LoadGameState { frame, .. } => self.load(frame)?,
                GgrsRequest::AdvanceFrame { inputs } => {
                    if !self.rules.saves {
                        if self.rules.anchors && self.ring.is_anchor(self.frame) {
                            self.ring.save(self.frame, &self.world);
                        }
                        self.check();
                    }
                    let frame = self.frame;
                    self.note(&inputs);
                    self.assign(&inputs);
                    if let Err(error) = self.advance() {
                        failed = failed.and(Err(RollbackError::Step { frame, error }));
                    }
                    self.frame += 1;
                }
            }
        }
        match self.divergence.take() {
            Some(mut divergence) => {
                let now = self.world.snapshot();
                self.find_system_of(&mut divergence);
                // It was this world's state just now.
                let _ = self.world.restore(&now);
                Err(RollbackError::NotDeterministic(divergence))
            }
            None => failed.map(|()| self.frame > before),
        }
    }

    /// Goes back to a frame.
    fn load(&mut self, frame: Frame) -> Result<(), RollbackError> {
        let snapshot = self.ring.get(frame).ok_or(RollbackError::Restore { frame, error: None })?;
        self.world
            .restore(snapshot)
            .map_err(|error| RollbackError::Restore { frame, error: Some(error) })?;
        self.frame = frame;
        Ok(())
    }

    /// Computes a frame.
    pub(crate) fn advance(&mut self) -> Result<(), StepError> {
        self.steps += 1;
        (self.step)(&mut self.world)
    }

    /// Sets the resource.
    pub(crate) fn assign(&mut self, inputs: &[(I, InputStatus)]) {
        let inputs =
            inputs.iter().map(|&(input, status)| (input, status != InputStatus::Disconnected));
        self.world.resource_mut::<Inputs<I>>().assign(inputs);
    }

    /// Keeps the state before a frame on which the peers have agreed, from which the past can be computed again, also if a
    /// difference is heard of late.
    pub(crate) fn keep(&mut self, agreed: Frame) {
        let is_recent = self.frame - agreed < KEPT_FRAMES;
        self.ring.pin(Some(agreed).filter(|_| is_recent && self.rules.anchors));
    }

    /// Notes the inputs of the current frame.
    fn note(&mut self, inputs: &[(I, InputStatus)]) {
        let at = usize::try_from(self.frame - self.log_start).expect("the log begins earlier");
        let forgotten = self.ring.oldest().unwrap_or(self.frame).min(self.frame) - self.log_start;
        self.log.truncate(at);
        self.log.push_back(inputs.to_vec());
        for _ in 0..forgotten.max(0) {
            self.log.pop_front();
            self.log_start += 1;
        }
    }

    /// The hash of the state, and the hashes of its parts.
    pub(crate) fn hashes(&mut self) -> Hashes {
        self.names.clear();
        let hash = if let Some(parts) = &self.parts {
            parts(&self.world, &mut self.names);
            self.world.state_hash()
        } else {
            let hashes = self.world.state_hashes();
            self.names.extend(hashes.parts().map(|(part, hash)| (name_of(part), hash)));
            hashes.state_hash()
        };
        Hashes { hash, parts: self.names.iter().map(|&(_, hash)| hash).collect() }
    }

    /// Enters a check of the current frame, if it is one that is compared, and returns its hash.
    fn check(&mut self) -> Option<u64> {
        if self.frame % self.interval != 0 {
            return None;
        }
        let hashes = self.hashes();
        let hash = hashes.hash;
        match self.checks.get(self.frame).filter(|_| self.rules.strict) {
            None => self.checks.enter(Check { frame: self.frame, hashes }),
            Some(first) if first.hashes != hashes && self.divergence.is_none() => {
                let parts = self.differing(&first.hashes.parts, &hashes.parts);
                let frame = self.frame - 1;
                let divergence = Divergence { after: frame, frame, systems: Vec::new(), parts };
                self.divergence = Some(divergence);
            }
            Some(_) => {}
        }
        Some(hash)
    }

    /// The parts in which two states differ, and the systems that may be the cause.
    pub(crate) fn differing(&self, one: &[u64], other: &[u64]) -> Vec<crate::Suspects> {
        let names = self.names(check::differing(one, other));
        names.map(|name| check::suspects::<D>(name)).collect()
    }

    /// The names of parts with these numbers.
    pub(crate) fn names(
        &self,
        parts: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = &'static str> {
        parts.filter_map(|at| self.names.get(at)).map(|&(name, _)| name)
    }

    /// A hash of what is compared: the declaration, the parts, the frames, and whether steps are whole executions.
    pub(crate) fn layout(&mut self) -> u64 {
        self.hashes();
        let mut hasher = StateHasher::new();
        let description = Description::of::<D>();
        let mut put = |name: &str| name.state_hash(&mut hasher);
        put(D::NAME);
        description.components().iter().for_each(|component| put(component.name()));
        description.resources().iter().for_each(|resource| put(resource.name()));
        description.systems().iter().for_each(|system| put(system.name()));
        self.names.iter().for_each(|(name, _)| put(name));
        (self.interval, self.ticks).state_hash(&mut hasher);
        hasher.finish()
    }

    /// Looks for the system that makes the step of a divergence differ, from the state in the ring.
    fn find_system_of(&mut self, divergence: &mut Divergence) {
        let (before, inputs) = (self.ring.get(divergence.frame), self.inputs_of(divergence.frame));
        if let (Some(before), Some(inputs)) = (before, inputs)
            && self.world.restore(before).is_ok()
        {
            let before = self.world.snapshot();
            self.find_system(divergence, &before, &inputs);
        }
    }

    /// The inputs of a frame, if they are still known.
    pub(crate) fn inputs_of(&self, frame: Frame) -> Option<Vec<(I, InputStatus)>> {
        let at = usize::try_from(frame - self.log_start).ok()?;
        self.log.get(at).cloned()
    }

    /// The number of a part, by its name.
    pub(crate) fn number_of_part(&self, name: &str) -> Option<u16> {
        let number = self.names.iter().position(|(other, _)| *other == name)?;
        u16::try_from(number).ok()
    }

    /// How many parts there are.
    pub(crate) fn part_count(&self) -> usize {
        self.names.len()
    }
}

/// The name of a part of a world: that of what is declared, if it is one.
fn name_of(part: Part) -> &'static str {
    match part {
        Part::Component(name)
        | Part::Resource(name)
        | Part::System(name)
        | Part::Subscriptions(name) => name,
        Part::Entities => "entities",
        Part::Random => "random numbers",
        Part::CurrentStates => "states",
        _ => "others",
    }
}
