//! Where two recordings diverge, and what differs between two saves.

use core::{error, fmt};

use serde::Serialize;

use super::recording::{Player, Recording, ReplayError};
use crate::proxy::step::selection::SystemSelection;
use crate::scheduling::settings::Settings;
use crate::state::save::{LoadError, PartKind, SaveFormat, Saveable, outline};
use crate::state::snapshot::{Cloneable, Differences, Hashable};
use crate::types::bytes::{Fault, postcard_bytes};
use crate::world::World;
use crate::world::desync::{self, Culprit};

/// The differences between two saves: for each part the first value that differs, with its entity and both values. The saves are loaded into the
/// worlds, and the worlds are compared. What one save lacks is as in a new world.
///
/// ```
/// use ecs_core::replay::compare_saves;
/// use ecs_core::{SaveFormat, StateHash, World, world};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Serialize, Deserialize, StateHash)]
/// struct Age(u32);
/// world! { world Village; component Age; }
///
/// let mut saves = [Vec::new(), Vec::new()];
/// for (save, age) in saves.iter_mut().zip([7, 8]) {
///     let mut world = World::<Village>::new();
///     world.spawn((Age(age),));
///     world.save(save)?;
/// }
/// let mut worlds = [World::<Village>::new(), World::<Village>::new()];
/// let [one, other] = &mut worlds;
/// let differences = compare_saves(&SaveFormat::new(), [&saves[0], &saves[1]], [one, other])?;
/// assert_eq!(differences.to_string(), "\
/// part             rows  entity  one     other
/// component `Age`  0     0v1     Age(7)  Age(8)
/// ");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// O(bytes).
///
/// # Errors
/// [`CompareError::Load`].
///
/// # Panics
/// As [`World::load`].
pub fn compare_saves<D: Saveable + Hashable, S: Settings>(
    format: &SaveFormat<D>,
    saves: [&[u8]; 2],
    worlds: [&mut World<D, S>; 2],
) -> Result<Differences, CompareError> {
    let [one, other] = worlds;
    let failed = |which| move |error| CompareError::Load { which, error };
    format.load(one, saves[0]).map_err(failed(0))?;
    format.load(other, saves[1]).map_err(failed(1))?;
    Ok(one.differences(other))
}

/// Finds where two recordings diverge: the first step with different states, the system or other code that makes the difference, and the parts,
/// entities and values that differ. Returns `None` if the states are the same after each step that both have.
///
/// The hashes tell the step. Both worlds get the state before it, and [`desync`] repeats the step in them, each with the
/// input of its recording. For this, `step` executes the given [systems](crate::Step::execute_selected) only, as that of [`desync::find`] does.
///
/// A fault that this program does not have, or that does not show again, is not found by repetition. Then the values are those of the
/// first step, from the one found on, of which both states are known: a recording has the state, or this program reaches the recorded hash.
/// At the latest, this is the next step of which both recordings have a state.
///
/// ```
/// use ecs_core::desync::Culprit;
/// use ecs_core::replay::{Recording, compare};
/// use ecs_core::{SaveFormat, StateHash, SystemSelection, World, world};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Serialize, Deserialize, StateHash)]
/// struct Position(i32);
/// #[derive(Clone, Debug, Default, Serialize, Deserialize, StateHash)]
/// struct Wind(i32);
///
/// world! {
///     world Sky;
///     component Position;
///     resource Wind;
///     system Drift { each: |position: &mut Position, wind: &Wind| position.0 += wind.0 }
/// }
///
/// fn step(world: &mut World<Sky>, wind: &i32, systems: &SystemSelection<Sky>) {
///     world.resource_mut::<Wind>().0 = *wind;
///     world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
/// }
///
/// let all = SystemSelection::of::<(Drift,)>();
/// let record = |winds: [i32; 3]| {
///     let mut world = World::<Sky>::new();
///     world.spawn((Position(0),));
///     let mut recording = Recording::start(&world, 10)?;
///     for wind in winds {
///         step(&mut world, &wind, &all);
///         recording.record(&world, wind)?;
///     }
///     Ok::<_, ecs_core::SaveError>(recording)
/// };
/// let recordings = [record([1, 2, 3])?, record([1, 5, 3])?];
///
/// let mut worlds = [World::<Sky>::new(), World::<Sky>::new()];
/// let [one, other] = &mut worlds;
/// let found = compare(&SaveFormat::new(), recordings.each_ref(), [one, other], step)?.unwrap();
/// assert_eq!(found.step, 2);
/// assert_eq!(found.inputs, Some((1, [&2, &5])));
/// assert_eq!(found.culprit, Culprit::BesideSystems);
/// assert_eq!(found.to_string(), "\
/// the recordings of `Sky` differ after 2 steps: what the step does beside executing systems makes the difference
/// the inputs of the last of these steps are 2 and 5
/// part             rows  entity  one      other
/// resource `Wind`                Wind(2)  Wind(5)
/// ");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// O(steps), O(systems) repetitions of one step, and at most as many further steps as there are between two states that both recordings have.
///
/// # Errors
/// See [`CompareError`].
///
/// # Panics
/// As [`World::load`] and [`desync::find`].
pub fn compare<'r, D, S, I>(
    format: &SaveFormat<D>,
    recordings: [&'r Recording<I>; 2],
    worlds: [&mut World<D, S>; 2],
    step: impl Fn(&mut World<D, S>, &I, &SystemSelection<D>),
) -> Result<Option<Divergence<'r, I>>, CompareError>
where
    D: Saveable + Cloneable + Hashable,
    S: Settings,
    I: Serialize,
{
    check_declarations(recordings)?;
    let [one, other] = worlds;
    let all = desync::all_systems(one);
    // Brings the world to the state after this number of steps, and returns whether that is the state of the recording.
    let play = |which: usize, world: &mut World<D, S>, to: u64| {
        let recording = recordings[which];
        let sought = Player::new(recording)
            .seek_in(format, world, to, |world, input| step(world, input, &all));
        match sought {
            Err(ReplayError::Load(error)) => Err(CompareError::Load { which, error }),
            // The step is one of the recording.
            Err(_) => Ok(false),
            Ok(()) => Ok(to.is_multiple_of(recording.every)
                || Some(world.state_hash()) == recording.state_hash(to)),
        }
    };

    let [ones, others] = recordings.map(|recording| &recording.hashes);
    let Some(at) = ones.iter().zip(others).position(|(one, other)| one != other) else {
        return Ok(None);
    };
    if at == 0 {
        play(0, one, 0)?;
        play(1, other, 0)?;
        return Err(CompareError::NoCommonStep { differences: one.differences(other) });
    }
    let (before, hashes) = (at - 1, [ones[at], others[at]]);

    // The state before is the same in both recordings, so one that this program reaches will do. If it reaches none, its fault may
    // show from any state.
    match [play(0, one, before as u64)?, play(1, other, before as u64)?] {
        [false, true] => copy(other, one, 0)?,
        _ => copy(one, other, 1)?,
    }
    let inputs = recordings.map(|recording| &recording.inputs[before]);
    let first = |world: &mut World<D, S>, _, systems: &_| step(world, inputs[0], systems);
    let second = |world: &mut World<D, S>, _, systems: &_| step(world, inputs[1], systems);
    let repeated = desync::find_between((&mut *one, first), (&mut *other, second), 1);
    let reproduced = [one.state_hash() == hashes[0], other.state_hash() == hashes[1]];
    let mut found = Divergence {
        world: D::NAME,
        step: at as u64,
        hashes,
        inputs: different_inputs(recordings, before)?,
        culprit: Culprit::Unknown(Vec::new()),
        reproduced,
        after: at as u64,
        differences: Differences::none(),
    };
    let is_known = repeated.is_some();
    if let Some(repeated) = repeated {
        found.culprit = repeated.culprit;
        found.differences = repeated.differences;
    }
    if is_known && reproduced == [true; 2] {
        return Ok(Some(found));
    }
    // The repetition of this step has made other values than those of the recordings, or no difference.
    for after in candidates(recordings, found.step) {
        if !(play(0, one, after)? && play(1, other, after)?) {
            continue;
        }
        let differences = one.differences(other);
        if differences.is_empty() {
            continue;
        }
        if !is_known {
            found.culprit = Culprit::Unknown(desync::suspects_in(one, &differences));
        }
        (found.after, found.differences) = (after, differences);
        break;
    }
    Ok(Some(found))
}

/// The step, and all later steps of which one of the recordings has a state.
fn candidates<I>(recordings: [&Recording<I>; 2], step: u64) -> impl Iterator<Item = u64> {
    let [one, other] = recordings.map(|recording| recording.every);
    let last = recordings[0].steps().min(recordings[1].steps());
    let next = move |&after: &u64| {
        let [one, other] =
            [one, other].map(|every| (after / every).saturating_add(1).saturating_mul(every));
        Some(one.min(other))
    };
    core::iter::successors(Some(step), next).take_while(move |&after| after <= last)
}

/// Copies the state of one world to another, which is for the recording with this index.
fn copy<D: Cloneable, S: Settings>(
    from: &World<D, S>,
    to: &mut World<D, S>,
    which: usize,
) -> Result<(), CompareError> {
    let copied = to.restore(&from.snapshot());
    copied.map_err(|error| CompareError::Load { which, error: LoadError::LimitReached(error) })
}

/// The last inputs that differ by their bytes, up to those with this index.
fn different_inputs<I: Serialize>(
    recordings: [&Recording<I>; 2],
    last: usize,
) -> Result<Option<(u64, [&I; 2])>, CompareError> {
    for index in (0..=last).rev() {
        let [one, other] = recordings.map(|recording| &recording.inputs[index]);
        if bytes_of(one)? != bytes_of(other)? {
            return Ok(Some((index as u64, [one, other])));
        }
    }
    Ok(None)
}

fn bytes_of<I: Serialize>(input: &I) -> Result<Vec<u8>, CompareError> {
    postcard_bytes(input).map_err(|Fault(fault)| CompareError::Input { fault })
}

/// Checks that the first states have the same parts, and, if they differ, the same seed.
fn check_declarations<I>(recordings: [&Recording<I>; 2]) -> Result<(), CompareError> {
    let failed = |which| move |error| CompareError::Load { which, error };
    let one = outline(&recordings[0].states[0]).map_err(failed(0))?;
    let other = outline(&recordings[1].states[0]).map_err(failed(1))?;
    if let Some((kind, name)) = one.first_difference(&other) {
        return Err(CompareError::Declarations { kind, name });
    }
    let is_same = recordings[0].hashes[0] == recordings[1].hashes[0];
    let seeds = [one.seed, other.seed];
    if !is_same && seeds[0] != seeds[1] { Err(CompareError::Seeds { seeds }) } else { Ok(()) }
}

/// Where two recordings diverge: the result of [`compare`]. Its text is a sentence and a table of the differences.
///
/// ```
/// use ecs_core::replay::Divergence;
///
/// /// The recording of a program whose step is not that of this program.
/// fn faulty<I>(found: &Divergence<'_, I>) -> Option<&'static str> {
///     match found.reproduced {
///         [true, false] => Some("the other one"),
///         [false, true] => Some("the first one"),
///         _ => None,
///     }
/// }
/// # let _ = faulty::<()>;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divergence<'r, I> {
    /// The name of the declaration.
    pub world: &'static str,
    /// The number of steps after which the states differ for the first time: 1 or more.
    pub step: u64,
    /// The hashes after these steps.
    pub hashes: [u64; 2],
    /// The last inputs up to this step that differ, and the number of steps before them. The number is [`step`](Self::step) − 1 if
    /// the inputs of this step differ. `None` if all inputs are the same.
    pub inputs: Option<(u64, [&'r I; 2])>,
    /// What makes the states differ when the step is repeated. [`Culprit::Unknown`] if the repetition gives the same states; its systems are
    /// those that may change what differs.
    pub culprit: Culprit,
    /// Whether the repeated step leads to the recorded hash: that of the first recording, and that of the other one. If it does not, another program has
    /// made the recording, or the step depends on more than state and inputs.
    pub reproduced: [bool; 2],
    /// The number of steps after which the states have these differences.
    pub after: u64,
    /// The differences of the states: after the culprit, if the repetition has reproduced both recordings, else after
    /// [`after`](Self::after) steps. They are empty if the recordings end before the first state that both have.
    pub differences: Differences,
}

impl<I: fmt::Debug> fmt::Display for Divergence<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, step, inputs, culprit, reproduced, after, differences, .. } = self;
        writeln!(f, "the recordings of `{world}` differ after {step} steps: {culprit}")?;
        match inputs {
            Some((before, [one, other])) if before + 1 == *step => {
                writeln!(f, "the inputs of the last of these steps are {one:?} and {other:?}")?;
            }
            Some((before, [one, other])) => {
                writeln!(f, "the inputs after {before} steps are {one:?} and {other:?}")?;
            }
            None => {}
        }
        match reproduced {
            [true, true] => {}
            [true, false] => writeln!(f, "this program reproduces the first recording only")?,
            [false, true] => writeln!(f, "this program reproduces the other recording only")?,
            [false, false] => writeln!(f, "this program reproduces neither recording")?,
        }
        if after != step {
            writeln!(f, "the states after {after} steps:")?;
        }
        write!(f, "{differences}")
    }
}

/// Why two recordings or two saves cannot be compared.
///
/// ```
/// use ecs_core::replay::{CompareError, Recording, compare};
/// use ecs_core::{SaveFormat, StateHash, World, world};
/// use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Debug, Serialize, Deserialize, StateHash)]
/// # struct Age(u32);
/// # world! { world Village; component Age; }
///
/// let mut worlds = [World::<Village>::new(), World::<Village>::new()];
/// worlds[0].spawn((Age(7),));
/// let recordings = [Recording::<()>::start(&worlds[0], 1)?, Recording::start(&worlds[1], 1)?];
/// let [one, other] = &mut worlds;
/// let error = compare(&SaveFormat::new(), recordings.each_ref(), [one, other], |_, (), _| {});
/// assert!(matches!(error, Err(CompareError::NoCommonStep { .. })));
/// # Ok::<_, ecs_core::SaveError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CompareError {
    /// The world does not load a state.
    Load {
        /// 0 for the first recording or save, 1 for the other one.
        which: usize,
        /// Why.
        error: LoadError,
    },
    /// The recordings are of different declarations: a part is in one recording only, or in another form or version.
    Declarations {
        /// The kind of the part.
        kind: PartKind,
        /// Its name.
        name: String,
    },
    /// The recordings begin in different states, with different seeds of their random numbers.
    Seeds {
        /// The seeds.
        seeds: [u64; 2],
    },
    /// The recordings begin in different states, so there is no common step from which they diverge.
    NoCommonStep {
        /// The differences of these states.
        differences: Differences,
    },
    /// An input cannot be compared: its `Serialize` fails.
    Input {
        /// What `Serialize` says.
        fault: String,
    },
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load { which, error } => {
                let which = if *which == 0 { "first" } else { "other" };
                write!(f, "a state of the {which} one is not loaded: {error}")
            }
            Self::Declarations { kind, name } => write!(
                f,
                "the recordings are of different declarations: the {kind} `{name}` is in one only, or in another form \
                 or version"
            ),
            Self::Seeds { seeds: [one, other] } => write!(
                f,
                "the recordings begin in different states, with the seeds {one} and {other} of their random numbers"
            ),
            Self::NoCommonStep { differences } => write!(
                f,
                "the recordings have no step in common: they begin in different states\n{differences}"
            ),
            Self::Input { fault } => write!(f, "an input cannot be compared: {fault}"),
        }
    }
}

impl error::Error for CompareError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Load { error, .. } => Some(error),
            _ => None,
        }
    }
}
