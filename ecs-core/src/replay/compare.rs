//! Where two recordings part, and in what two saves differ.

use core::{error, fmt};

use serde::Serialize;

use super::recording::{Player, Recording, ReplayError};
use crate::scheduling::settings::Settings;
use crate::state::save::{LoadError, PartKind, SaveError, SaveFormat, Saveable, outline};
use crate::state::snapshot::{Cloneable, Differences, Hashable};
use crate::types::bytes::{Codec, Encoder, SERDE, SaveForm};
use crate::world::World;
use crate::{SystemSelection, desync};
use desync::Culprit;

/// In what two saves differ: for each part the first value that does, with its entity and both values. The saves are loaded into the
/// worlds, and the worlds are compared, so what one save lacks is there as in a new world.
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

/// Where two recordings part: the first step, what makes the difference, and the parts, entities and values that differ. `None` if
/// the states are the same after each step that both have.
///
/// The hashes tell the step. Both worlds are brought to the state before it, and [`desync`] repeats the step in them, each with the
/// input of its recording. So `step` takes the systems to [execute](crate::Step::execute_selected), as that of [`desync::find`] does.
/// A fault that this program does not have, or that does not show again, is not found so. The values then are those of the first
/// states that both recordings have, or that this program makes again: no later than the next steps after which both have a state.
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
/// after 1 steps the inputs are 2 and 5
/// part             rows  entity  one      other
/// resource `Wind`                Wind(2)  Wind(5)
/// ");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// O(steps), O(systems) repetitions of one step, and up to as many steps as there are between two states that both recordings have.
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
    // Brings the world to the state after this number of steps, and returns whether it is that of the recording.
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
    let after_step = at as u64;

    // The state before is the same in both recordings, so one that this program reaches will do.
    match [play(0, one, before as u64)?, play(1, other, before as u64)?] {
        [true, false] => copy(one, other, 1)?,
        [false, true] => copy(other, one, 0)?,
        _ => {}
    }
    let inputs = recordings.map(|recording| &recording.inputs[before]);
    let (mut repeated, mut reproduced) = (None, [false; 2]);
    if one.state_hash() == other.state_hash() {
        let one = (&mut *one, |world: &mut World<D, S>, _, systems: &_| {
            step(world, inputs[0], systems);
        });
        let other = (&mut *other, |world: &mut World<D, S>, _, systems: &_| {
            step(world, inputs[1], systems);
        });
        repeated = desync::find_between(one, other, 1);
        reproduced = [false, true].map(|_| false);
    }
    if repeated.is_some() || one.state_hash() == other.state_hash() {
        reproduced = [one.state_hash() == hashes[0], other.state_hash() == hashes[1]];
    }
    let (culprit, after, differences) = match repeated {
        Some(found) if reproduced == [true; 2] => (found.culprit, after_step, found.differences),
        repeated => {
            let mut stored = None;
            for after in Candidates::of(recordings, after_step) {
                if play(0, one, after)? && play(1, other, after)? {
                    let differences = one.differences(other);
                    if !differences.is_empty() {
                        stored = Some((after, differences));
                        break;
                    }
                }
            }
            match (stored, repeated) {
                (Some((after, differences)), Some(found)) => (found.culprit, after, differences),
                (Some((after, differences)), None) => {
                    (Culprit::Unknown(desync::suspects_in(one, &differences)), after, differences)
                }
                (None, Some(found)) => (found.culprit, after_step, found.differences),
                (None, None) => (Culprit::Unknown(Vec::new()), after_step, Differences::none()),
            }
        }
    };
    Ok(Some(Divergence {
        world: D::NAME,
        step: after_step,
        hashes,
        inputs: different_inputs(recordings, before)?,
        culprit,
        reproduced,
        after,
        differences,
    }))
}
