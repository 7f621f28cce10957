//! Recordings, and players of them.

use core::{error, fmt};

use crate::scheduling::settings::Settings;
use crate::state::save::{LoadError, SaveError, SaveFormat, Saveable};
use crate::state::snapshot::Hashable;
use crate::world::World;

/// The inputs of a run, with states and hashes: see [`replay`](crate::replay).
///
/// `I` is the type of an input. The world's declaration and settings are no part of it: a recording can be played in any world
/// that loads its states.
///
/// ```
/// use ecs_core::replay::Recording;
/// use ecs_core::{World, world};
///
/// world! { world Empty; }
///
/// let mut world = World::<Empty>::new();
/// let mut recording = Recording::start(&world, 60)?;
/// world.tick().expect("nothing is spawned");
/// recording.record(&world, "jump")?;
/// assert_eq!((recording.steps(), recording.inputs()), (1, &["jump"][..]));
/// assert_eq!(recording.state_hash(1), Some(world.state_hash()));
/// # Ok::<_, ecs_core::SaveError>(())
/// ```
pub struct Recording<I> {
    /// The number of steps between two states.
    pub(super) every: u64,
    pub(super) inputs: Vec<I>,
    /// After each step; the first one is that of the beginning.
    pub(super) hashes: Vec<u64>,
    /// Saves, after each `every` steps; the first one is that of the beginning.
    pub(super) states: Vec<Vec<u8>>,
}

impl<I> Recording<I> {
    /// Begins with the world as it is. The world is saved again after each `every` steps.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// If `every` is 0, and as [`World::save`].
    pub fn start<D: Saveable + Hashable, S: Settings>(
        world: &World<D, S>,
        every: u64,
    ) -> Result<Self, SaveError> {
        Self::start_in(&SaveFormat::new(), world, every)
    }

    /// As [`start`](Self::start), with states in this format.
    ///
    /// # Errors
    /// As [`World::save`].
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn start_in<D: Saveable + Hashable, S: Settings>(
        format: &SaveFormat<D>,
        world: &World<D, S>,
        every: u64,
    ) -> Result<Self, SaveError> {
        assert!(every > 0, "a state after each 0 steps: write 1 for a state after each step");
        let mut this = Self { every, inputs: Vec::new(), hashes: Vec::new(), states: Vec::new() };
        this.note(format, world)?;
        Ok(this)
    }

    /// Adds a step: the world after it, and its input. O(state), and a save after each `every` steps.
    ///
    /// # Errors
    /// As [`World::save`]. The step is not added.
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn record<D: Saveable + Hashable, S: Settings>(
        &mut self,
        world: &World<D, S>,
        input: I,
    ) -> Result<(), SaveError> {
        self.record_in(&SaveFormat::new(), world, input)
    }

    /// As [`record`](Self::record), with states in this format.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    ///
    /// # Panics
    /// As [`World::save`].
    pub fn record_in<D: Saveable + Hashable, S: Settings>(
        &mut self,
        format: &SaveFormat<D>,
        world: &World<D, S>,
        input: I,
    ) -> Result<(), SaveError> {
        self.note(format, world)?;
        self.inputs.push(input);
        Ok(())
    }

    /// Adds the hash of a world, and a save if it is time for one.
    fn note<D: Saveable + Hashable, S: Settings>(
        &mut self,
        format: &SaveFormat<D>,
        world: &World<D, S>,
    ) -> Result<(), SaveError> {
        let hash = world.state_hash();
        if (self.hashes.len() as u64).is_multiple_of(self.every) {
            let mut save = Vec::new();
            format.save(world, &mut save)?;
            self.states.push(save);
        }
        self.hashes.push(hash);
        Ok(())
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.inputs.len() as u64
    }

    /// The inputs, by step.
    #[must_use]
    pub fn inputs(&self) -> &[I] {
        &self.inputs
    }

    /// The hash of the state after `step` steps. `None` if the recording is shorter.
    #[must_use]
    pub fn state_hash(&self, step: u64) -> Option<u64> {
        self.hashes.get(usize::try_from(step).ok()?).copied()
    }

    /// Takes all steps in `world`, from the state at the beginning, and compares the hash after each.
    ///
    /// # Errors
    /// [`ReplayError::Differs`] at the first step whose state has another hash; the world then is after that step. [`ReplayError::Load`]
    /// if it does not load the state.
    ///
    /// # Panics
    /// As [`World::load`], and with the panics of `advance`.
    pub fn verify<D: Saveable + Hashable, S: Settings>(
        &self,
        world: &mut World<D, S>,
        advance: impl FnMut(&mut World<D, S>, &I),
    ) -> Result<(), ReplayError> {
        self.verify_in(&SaveFormat::new(), world, advance)
    }

    /// As [`verify`](Self::verify), with states in this format. A migration can change the state, and then its hash is another one:
    /// [`Player::seek_in`] goes to the steps of such a recording, too.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    ///
    /// # Panics
    /// As [`verify`](Self::verify), and if a migration panics.
    pub fn verify_in<D: Saveable + Hashable, S: Settings>(
        &self,
        format: &SaveFormat<D>,
        world: &mut World<D, S>,
        mut advance: impl FnMut(&mut World<D, S>, &I),
    ) -> Result<(), ReplayError> {
        format.load(world, &self.states[0]).map_err(ReplayError::Load)?;
        let mut inputs = self.inputs.iter();
        for (step, &recorded) in (0..).zip(&self.hashes) {
            let found = world.state_hash();
            if recorded != found {
                return Err(ReplayError::Differs { step, recorded, found });
            }
            if let Some(input) = inputs.next() {
                advance(world, input);
            }
        }
        Ok(())
    }
}

impl<I> fmt::Debug for Recording<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("steps", &self.inputs.len())
            .field("states", &self.states.len())
            .finish_non_exhaustive()
    }
}

/// Why a recording is not played.
///
/// ```
/// use ecs_core::replay::{Player, Recording, ReplayError};
/// use ecs_core::{World, world};
///
/// world! { world Empty; }
///
/// let mut world = World::<Empty>::new();
/// let recording = Recording::<()>::start(&world, 1)?;
/// let error = Player::new(&recording).seek(&mut world, 9, |_, ()| {}).unwrap_err();
/// assert!(matches!(error, ReplayError::NoSuchStep { step: 9, steps: 0 }));
/// # Ok::<_, ecs_core::SaveError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The recording has fewer steps.
    NoSuchStep {
        /// The step.
        step: u64,
        /// How many there are.
        steps: u64,
    },
    /// The world does not load a state of the recording.
    Load(LoadError),
    /// The state after a step has another hash than it had: the program has changed, or depends on more than state and inputs.
    Differs {
        /// The number of steps taken: the last one is that after which the states differ. 0 is the state at the beginning.
        step: u64,
        /// The hash in the recording.
        recorded: u64,
        /// The hash of the world.
        found: u64,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchStep { step, steps } => {
                write!(f, "the recording has {steps} steps, so there is no state after {step}")
            }
            Self::Load(error) => write!(f, "a state of the recording is not loaded: {error}"),
            Self::Differs { step, recorded, found } => write!(
                f,
                "after {step} steps the state has the hash {found:016x}, and had {recorded:016x} when it was \
                 recorded: the program has changed, or depends on more than state and inputs"
            ),
        }
    }
}

impl error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Load(error) => Some(error),
            _ => None,
        }
    }
}

/// Goes to any step of a recording, forwards and backwards.
///
/// ```
/// # use ecs_core::replay::{Player, Recording};
/// # use ecs_core::{World, world};
/// # world! { world Empty; }
/// # let mut world = World::<Empty>::new();
/// let mut recording = Recording::start(&world, 3)?;
/// for input in 0..10_u8 {
///     recording.record(&world, input)?;
/// }
/// let mut player = Player::new(&recording);
/// let mut seen = Vec::new();
/// for step in [7, 8, 5] {
///     player.seek(&mut world, step, |_, input| seen.push(*input))?;
/// }
/// // From the state after six steps, then on from there, then from that after three.
/// assert_eq!(seen, [6, 7, 3, 4]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Player<'r, I> {
    recording: &'r Recording<I>,
    /// After how many steps the world is; `None` if it is another world still.
    at: Option<u64>,
}

impl<'r, I> Player<'r, I> {
    /// At no step yet.
    #[must_use]
    pub const fn new(recording: &'r Recording<I>) -> Self {
        Self { recording, at: None }
    }

    /// The number of steps after which the world is; `None` before the first call of [`seek`](Self::seek), and after an error or
    /// a panic.
    #[must_use]
    pub const fn step(&self) -> Option<u64> {
        self.at
    }

    /// Brings the world to the state after `step` steps: from where it is, or from the last state before, whichever takes
    /// fewer steps. Each call is to be made with the same world, which nothing else changes.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchStep`], and the world is unchanged. [`ReplayError::Load`].
    ///
    /// # Panics
    /// As [`World::load`], and with the panics of `advance`.
    pub fn seek<D: Saveable, S: Settings>(
        &mut self,
        world: &mut World<D, S>,
        step: u64,
        advance: impl FnMut(&mut World<D, S>, &I),
    ) -> Result<(), ReplayError> {
        self.seek_in(&SaveFormat::new(), world, step, advance)
    }

    /// As [`seek`](Self::seek), with states in this format: those of an older program are loaded with its migrations.
    ///
    /// # Errors
    /// As [`seek`](Self::seek).
    ///
    /// # Panics
    /// As [`seek`](Self::seek), and if a migration panics.
    pub fn seek_in<D: Saveable, S: Settings>(
        &mut self,
        format: &SaveFormat<D>,
        world: &mut World<D, S>,
        step: u64,
        mut advance: impl FnMut(&mut World<D, S>, &I),
    ) -> Result<(), ReplayError> {
        let steps = self.recording.steps();
        if step > steps {
            return Err(ReplayError::NoSuchStep { step, steps });
        }
        let first = self.begin(format, world, step)?;
        for input in &self.recording.inputs[first as usize..step as usize] {
            advance(world, input);
        }
        self.at = Some(step);
        Ok(())
    }

    /// Loads the last state before the step, unless the world is nearer. Returns after how many steps it is.
    fn begin<D: Saveable, S: Settings>(
        &mut self,
        format: &SaveFormat<D>,
        world: &mut World<D, S>,
        step: u64,
    ) -> Result<u64, ReplayError> {
        let every = self.recording.every;
        let stored = (step / every).min(self.recording.states.len() as u64 - 1);
        let at = self.at.take().filter(|at| (stored * every..=step).contains(at));
        if let Some(at) = at {
            return Ok(at);
        }
        let state = &self.recording.states[stored as usize];
        format.load(world, state).map_err(ReplayError::Load)?;
        Ok(stored * every)
    }
}

impl<I> fmt::Debug for Player<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { recording, at } = self;
        f.debug_struct("Player").field("recording", recording).field("step", at).finish()
    }
}
