//! A world that saves, loads and advances as `ggrs` requests.

use std::collections::VecDeque;

use ecs_core::settings::Settings;
use ecs_core::{Cloneable, HasResource, Hashable, StateHash, StateHasher, StepError, World};
use ecs_core::description::Description;
use ggrs::{Config, Frame, GgrsRequest, InputStatus};

use crate::check::{self, Check, Checks};
use crate::error::{Divergence, RollbackError};
use crate::inputs::{Input, Inputs};
use crate::ring::Ring;

/// Worlds of this declaration can be played by players with inputs `I`: they can be [snapshotted](Cloneable) and
/// [hashed](Hashable), and have the resource [`Inputs<I>`](Inputs).
///
/// It holds by itself for every declaration with these properties. Generic code names it as a bound.
///
/// ```
/// use ecs_core::World;
/// use ecs_core::settings::Settings;
/// use ecs_rollback::{Builder, Input, Playable, RollbackError, Session, Udp};
///
/// fn alone<D: Playable<I>, S: Settings, I: Input>(
///     world: World<D, S>,
///     udp: Udp,
/// ) -> Result<Session<D, S, I>, RollbackError> {
///     Builder::new().local().start(world, udp)
/// }
/// ```
pub trait Playable<I>: Cloneable + Hashable + HasResource<Inputs<I>> {}

impl<I, D: Cloneable + Hashable + HasResource<Inputs<I>>> Playable<I> for D {}

/// How a frame is computed.
type Step<D, S> = Box<dyn FnMut(&mut World<D, S>) -> Result<(), StepError>>;

/// How the parts of a state are hashed.
type Parts<D, S> = Box<dyn Fn(&World<D, S>, &mut Vec<(&'static str, u64)>)>;

/// What a machine finds that computes the past again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replay {
    /// The frames are too long ago.
    Impossible,
    /// Each replay gives the same states as the first time. So what this machine computes is a function of state and
    /// inputs, and the cause is another machine, or a difference between the machines: of compilers, floating-point
    /// functions, numbers of pointers, or of files that are read.
    Same {
        /// The first frame that was computed again.
        from: Frame,
        /// The frame before which the replay ended.
        to: Frame,
    },
    /// A replay gives other states. The cause is in this machine's program: a clock, randomness of the system's, an
    /// address, the order of a hash table, or state outside of the world.
    Differs(Divergence),
}

/// How often the past is computed again. A system that reads a clock may read the same twice.
const REPLAYS: usize = 3;

pub(crate) struct Replica<D: Playable<I>, S: Settings, I: Input> {
    pub(crate) world: World<D, S>,
    /// The frame that comes next.
    pub(crate) frame: Frame,
    /// How many frames were computed, again and again ones included.
    pub(crate) steps: u64,
    /// Frames whose number is a multiple of it are compared between peers.
    interval: Frame,
    /// Whether `ggrs` asks for saves. Otherwise it never goes back.
    saves: bool,
    ring: Ring<D>,
    /// The inputs of the latest frames, and the frame of the first.
    log: VecDeque<Vec<(I, InputStatus)>>,
    log_start: Frame,
    pub(crate) checks: Checks,
    /// Whether the same frame must have the same check each time.
    strict: bool,
    divergence: Option<Divergence>,
    step: Step<D, S>,
    parts: Parts<D, S>,
    /// The names of the parts in the latest check.
    names: Vec<(&'static str, u64)>,
}

impl<D: Playable<I>, S: Settings, I: Input> Replica<D, S, I> {
    /// A replica that can go back by `window` frames, of a world that has the inputs of so many players.
    pub(crate) fn new(
        mut world: World<D, S>,
        players: usize,
        window: usize,
        interval: u32,
        saves: bool,
        strict: bool,
    ) -> Self {
        world.resource_mut::<Inputs<I>>().set(core::iter::repeat_n(I::default(), players));
        // About half a second apart, and at compared frames.
        let distance = interval * 32_u32.div_ceil(interval);
        Self {
            world,
            frame: 0,
            steps: 0,
            interval: Frame::try_from(interval).expect("the builder bounds the interval"),
            saves,
            ring: Ring::new(window, distance),
            log: VecDeque::new(),
            log_start: 0,
            checks: Checks::default(),
            strict,
            divergence: None,
            step: Box::new(World::tick),
            parts: Box::new(|_, _| ()),
            names: Vec::new(),
        }
    }

    pub(crate) fn set_step(
        &mut self,
        step: impl FnMut(&mut World<D, S>) -> Result<(), StepError> + 'static,
    ) {
        self.step = Box::new(step);
    }

    pub(crate) fn set_parts(
        &mut self,
        parts: impl Fn(&World<D, S>, &mut Vec<(&'static str, u64)>) + 'static,
    ) {
        self.parts = Box::new(parts);
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
                    if !self.saves {
                        if self.ring.is_anchor(self.frame) {
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
            Some(divergence) => Err(RollbackError::NotDeterministic(divergence)),
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
    fn advance(&mut self) -> Result<(), StepError> {
        self.steps += 1;
        (self.step)(&mut self.world)
    }

    /// Sets the resource.
    fn assign(&mut self, inputs: &[(I, InputStatus)]) {
        let inputs =
            inputs.iter().map(|&(input, status)| (input, status != InputStatus::Disconnected));
        self.world.resource_mut::<Inputs<I>>().assign(inputs);
    }

    /// Notes the inputs of the current frame.
    fn note(&mut self, inputs: &[(I, InputStatus)]) {
        let at = usize::try_from(self.frame - self.log_start).expect("the log begins earlier");
        let forgotten = self.ring.oldest().min(self.frame) - self.log_start;
        self.log.truncate(at);
        self.log.push_back(inputs.to_vec());
        for _ in 0..forgotten.max(0) {
            self.log.pop_front();
            self.log_start += 1;
        }
    }

    /// The hash of the state, and the hashes of its parts.
    fn hashes(&mut self) -> (u64, Vec<u64>) {
        self.names.clear();
        (self.parts)(&self.world, &mut self.names);
        (self.world.state_hash(), self.names.iter().map(|&(_, hash)| hash).collect())
    }

    /// Enters a check of the current frame, if it is one that is compared, and returns its hash.
    fn check(&mut self) -> Option<u64> {
        if self.frame % self.interval != 0 {
            return None;
        }
        let (hash, parts) = self.hashes();
        let check = Check { frame: self.frame, hash, parts };
        if self.strict && self.divergence.is_none() {
            let other = self.checks.get(self.frame).filter(|first| **first != check);
            if let Some(parts) = other.map(|first| self.differing(&first.parts, &check.parts)) {
                let frame = self.frame - 1;
                let after = self.checks.before(self.frame).unwrap_or(frame).min(frame);
                self.divergence = Some(Divergence { after, frame, parts });
            }
        }
        if !(self.strict && self.checks.get(self.frame).is_some()) {
            self.checks.enter(check);
        }
        Some(hash)
    }

    /// The parts in which two states differ, and the systems that may be the cause.
    pub(crate) fn differing(&self, one: &[u64], other: &[u64]) -> Vec<crate::Suspects> {
        let names = check::differing(one, other).filter_map(|at| self.names.get(at));
        names.map(|&(name, _)| check::suspects::<D>(name)).collect()
    }

    /// A hash of what is compared: the declaration, the parts, and the frames.
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
        self.interval.state_hash(&mut hasher);
        hasher.finish()
    }

    /// Computes the frames before `to` again, from a state that is known to be good, several times. The world is as before
    /// afterwards.
    pub(crate) fn replay(&mut self, good: Option<Frame>, to: Frame) -> Replay {
        let from = match self.ring.anchor(good.unwrap_or(0)) {
            Some(from) if from < to && from >= self.log_start && to <= self.frame => from,
            _ => return Replay::Impossible,
        };
        let now = self.world.snapshot();
        let steps = self.steps;
        let replays: Vec<_> = (0..REPLAYS).map_while(|_| self.compute_again(from, to)).collect();
        let back = self.world.restore(&now);
        self.steps = steps;
        if back.is_err() || replays.is_empty() {
            return Replay::Impossible;
        }
        self.first_difference(from, to, &replays)
            .map_or(Replay::Same { from, to }, Replay::Differs)
    }

    /// The first frame after which two of the replays, or a replay and what was recorded, differ.
    fn first_difference(
        &self,
        from: Frame,
        to: Frame,
        replays: &[Vec<(u64, Vec<u64>)>],
    ) -> Option<Divergence> {
        let first = &replays[0];
        for (number, frame) in (from..to).enumerate() {
            let (hash, parts) = &first[number];
            let among_replays = replays[1..]
                .iter()
                .map(|replay| &replay[number])
                .find(|other| other.0 != *hash)
                .map(|other| (frame, other.1.as_slice()));
            let recorded = self
                .checks
                .get(frame + 1)
                .filter(|check| check.hash != *hash)
                .map(|check| (self.checks.before(frame + 1).unwrap_or(from), check.parts.as_slice()));
            if let Some((after, other)) = among_replays.or(recorded) {
                let parts = self.differing(parts, other);
                return Some(Divergence { after: after.max(from), frame, parts });
            }
        }
        None
    }

    /// The hashes after each frame, computed from an anchor.
    fn compute_again(&mut self, from: Frame, to: Frame) -> Option<Vec<(u64, Vec<u64>)>> {
        self.world.restore(self.ring.get(from)?).ok()?;
        let mut hashes = Vec::new();
        for frame in from..to {
            let at = usize::try_from(frame - self.log_start).ok()?;
            let inputs = core::mem::take(self.log.get_mut(at)?);
            self.assign(&inputs);
            self.log[at] = inputs;
            // The same error was reported the first time.
            let _ = self.advance();
            hashes.push(self.hashes());
        }
        Some(hashes)
    }
}
