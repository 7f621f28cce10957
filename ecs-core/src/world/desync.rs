//! *Desynchronisation*: where two worlds diverge that should stay the same, down to the step, the system, the component and the
//! entity.
//!
//! The same steps give the same bits, unless a system computes from something that is not of the world: a clock, a global
//! counter, an address, the order of a hash table. [`find`] runs two worlds side by side. After the first step that leaves
//! them different, it goes back, repeats the step with one system more each time, in the order of the declaration's graph, and names
//! the first system after which they differ.
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//!
//! use ecs_core::desync::{Culprit, find};
//! use ecs_core::{StateHash, World, world};
//!
//! #[derive(Clone, Debug, StateHash)]
//! struct Position(u32);
//!
//! world! {
//!     world Race;
//!     component Position;
//!     system Drive { each: |position: &mut Position| position.0 += 1 }
//!     system Drift { dependencies: [Drive], each: |position: &mut Position| position.0 += wind() }
//! }
//!
//! /// A fault: it depends on how often it was called in the program.
//! fn wind() -> u32 {
//!     static CALLS: AtomicU32 = AtomicU32::new(0);
//!     CALLS.fetch_add(1, Relaxed)
//! }
//!
//! let mut one = World::<Race>::new();
//! one.spawn((Position(0),));
//! let mut other = one.clone();
//! let step = |world: &mut World<Race>, _, systems: &_| {
//!     world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
//! };
//! let desync = find(&mut one, &mut other, 100, step).unwrap();
//! assert_eq!(desync.culprit, Culprit::System("Drift"));
//! assert_eq!(desync.step, Some(0));
//! println!("{desync}");
//! ```
//!
//! Where the other world is on another machine, both send each other the [hashes of the parts](crate::StateHashes) after each step, and
//! [compare](crate::StateHashes::differences) them. That tells the step and the parts. To find the system and the values, [`find`] needs the state
//! before that step, on one machine. `replay::compare` compares two recordings.
//!
//! Two worlds with [schedule fuzzing](crate::scheduler#hidden-orders) in one of them, or with different threads, show hidden orders.
//! [`find_between`] takes worlds with different settings.

use core::fmt;

use super::World;
use crate::parallel::PanicSlot;
use crate::proxy::step::selection::SystemSelection;
use crate::scheduling::settings::Settings;
use crate::signature::tables::streams::consumer_of;
use crate::signature::{Declaration, systems_of};
use crate::state::snapshot::{Cloneable, Differences, Hashable, Part, Snapshot};
use ecs_rules::influence;

/// Where two worlds part: what [`find`] has found. As text, it is a sentence and a table of the differences.
///
/// ```
/// use ecs_core::desync::find;
/// use ecs_core::{StateHash, World, world};
///
/// #[derive(Clone, Debug, StateHash)]
/// struct Fuel(u32);
/// #[derive(Clone, Default)]
/// struct Machine(u32);
///
/// world! {
///     world Race;
///     component Fuel;
///     // Not part of the state, and a fault where the state depends on it.
///     resource Machine: transient;
///     system Burn { each: |fuel: &mut Fuel, machine: &Machine| fuel.0 -= machine.0 }
/// }
///
/// let mut one = World::<Race>::new();
/// let car = one.spawn((Fuel(9),));
/// let mut other = one.clone();
/// other.resource_mut::<Machine>().0 = 1;
/// let desync = find(&mut one, &mut other, 10, |world, _, systems| {
///     world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
/// }).unwrap();
/// assert_eq!((desync.world, desync.step), ("Race", Some(0)));
/// assert_eq!(desync.differences.iter().next().unwrap().entity, Some(car));
/// assert_eq!(desync.to_string(), "\
/// the worlds of `Race` differ after step 0: the system `Burn` makes the difference
/// part              rows  entity  one      other
/// component `Fuel`  0     0v1     Fuel(9)  Fuel(8)
/// ");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Desync {
    /// The name of the declaration.
    pub world: &'static str,
    /// The number of the step after which they differ, from 0 on; `None` if they differ at the start.
    pub step: Option<usize>,
    /// What makes them differ.
    pub culprit: Culprit,
    /// In what they differ: after the system that makes them differ, if one was found, else after the step. (The first world is
    /// `one`.) What later systems make of it is not among it.
    pub differences: Differences,
}

/// What makes two worlds differ in a step.
///
/// ```
/// use ecs_core::desync::{Culprit, find};
/// use ecs_core::{StateHash, World, world};
///
/// #[derive(Clone, Debug, Default, StateHash)]
/// struct Score(u32);
/// world! { world Game; resource Score; }
///
/// let mut one = World::<Game>::new();
/// let mut other = one.clone();
/// other.resource_mut::<Score>().0 = 1;
/// let desync = find(&mut one, &mut other, 10, |world, _, systems| {
///     world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
/// }).unwrap();
/// assert_eq!(desync.culprit, Culprit::Start);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Culprit {
    /// They are different before the first step.
    Start,
    /// What the step does beside executing the systems that it is given, such as inputs that differ, or systems that run at transitions of
    /// states.
    BesideSystems,
    /// The system of this name. All systems before it in the order of execution leave the worlds the same.
    System(&'static str),
    /// One of these two systems: the first sends a stream to the second.
    SenderOrReceiver(&'static str, &'static str),
    /// It is not known: when the step was repeated, the fault did not show, or not each time. These systems may change what
    /// differs, by their declarations, in the order of execution.
    Unknown(Vec<&'static str>),
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, step, culprit, differences } = self;
        write!(f, "the worlds of `{world}` differ ")?;
        match step {
            Some(step) => write!(f, "after step {step}: ")?,
            None => f.write_str("before the first step")?,
        }
        if step.is_some() {
            write!(f, "{culprit}")?;
        }
        write!(f, "\n{differences}")
    }
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("they differ before the first step"),
            Self::BesideSystems => {
                f.write_str("what the step does beside executing systems makes the difference")
            }
            Self::System(name) => write!(f, "the system `{name}` makes the difference"),
            Self::SenderOrReceiver(from, to) => {
                write!(f, "one of the systems `{from}` and `{to}` makes the difference")
            }
            Self::Unknown(systems) => {
                f.write_str("when the step was repeated, the fault did not show each time")?;
                if !systems.is_empty() {
                    let systems: Vec<_> = systems.iter().map(|name| format!("`{name}`")).collect();
                    write!(f, "; what differs can be changed by {}", systems.join(", "))?;
                }
                Ok(())
            }
        }
    }
}

/// Runs up to `steps` steps in both worlds, and stops after the first one that leaves them different: `None` if there is no such
/// step. `step` takes the world, the number of the step, from 0 on, and the systems to
/// [execute](crate::Step::execute_selected): all of them, at first.
///
/// The worlds must be the same at the start; [`World::clone`] makes a second one. `step` may do anything, as long as it does
/// the same for the same number, also when it is called again. Both worlds are left as they were after their last step.
///
/// To name the system, the step is repeated in both worlds with none of its systems, with the first one, with the first two,
/// and so on. A system whose fault does not show again cannot be named so: see [`Culprit::Unknown`]. What is
/// [`transient`](crate::snapshot) stays as it is when a step is repeated.
///
/// O(steps × entities × components), and for the step that is found, O(systems) steps.
///
/// # Panics
/// With the panic of `step`. When a step is repeated with some of its systems, its panics are caught, and the states after them are
/// compared. (In the middle of a [step](World::step), a panic drops what is staged, and then a later system may be named.)
pub fn find<D: Cloneable + Hashable, S: Settings>(
    one: &mut World<D, S>,
    other: &mut World<D, S>,
    steps: usize,
    step: impl Fn(&mut World<D, S>, usize, &SystemSelection<D>),
) -> Option<Desync> {
    find_between((one, &step), (other, &step), steps)
}

/// The same for worlds that differ in their settings: each comes with the function that takes a step in it.
///
/// ```
/// use ecs_core::desync::find_between;
/// use ecs_core::scheduler::Shuffled;
/// use ecs_core::settings::Scheduled;
/// use ecs_core::{StateHash, World, world};
/// # #[derive(Clone, Debug, StateHash)]
/// # struct Position(u32);
/// # world! {
/// #     world Race;
/// #     component Position;
/// #     system Drive { each: |position: &mut Position| position.0 += 1 }
/// # }
///
/// let mut one = World::<Race>::new();
/// let mut other = World::<Race, Scheduled<Race, Shuffled>>::new();
/// one.spawn((Position(0),));
/// other.restore(&one.snapshot()).unwrap();
/// let found = find_between(
///     (&mut one, |world, _, systems| {
///         world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
///     }),
///     (&mut other, |world, _, systems| {
///         world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
///     }),
///     100,
/// );
/// assert_eq!(found, None);
/// ```
///
/// # Panics
/// As [`find`].
pub fn find_between<D: Cloneable + Hashable, S: Settings, T: Settings>(
    one: (&mut World<D, S>, impl Fn(&mut World<D, S>, usize, &SystemSelection<D>)),
    other: (&mut World<D, T>, impl Fn(&mut World<D, T>, usize, &SystemSelection<D>)),
    steps: usize,
) -> Option<Desync> {
    let (mut one, mut other) = (Side::new(one.0, one.1), Side::new(other.0, other.1));
    let found =
        |step, culprit, differences| Some(Desync { world: D::NAME, step, culprit, differences });
    if one.world.state_hash() != other.world.state_hash() {
        return found(None, Culprit::Start, one.world.differences(other.world));
    }
    let all = first_ones::<D>(one.world.schedule.order(), usize::MAX).0;
    for number in 0..steps {
        one.step(number, &all);
        other.step(number, &all);
        if one.world.state_hash() == other.world.state_hash() {
            continue;
        }
        let differences = one.world.differences(other.world);
        let ends = (one.world.snapshot(), other.world.snapshot());
        let suspects = suspects::<D>(one.world.schedule.order(), &differences);
        let culprit = culprit(&mut one, &mut other, number);
        one.restore(&ends.0);
        other.restore(&ends.1);
        return match culprit {
            Some((culprit, differences)) => found(Some(number), culprit, differences),
            None => found(Some(number), Culprit::Unknown(suspects), differences),
        };
    }
    None
}

/// What makes the worlds differ in the step with this number, and in what they differ then.
fn culprit<D: Cloneable + Hashable, S: Settings, T: Settings>(
    one: &mut Side<'_, D, S, impl Fn(&mut World<D, S>, usize, &SystemSelection<D>)>,
    other: &mut Side<'_, D, T, impl Fn(&mut World<D, T>, usize, &SystemSelection<D>)>,
    number: usize,
) -> Option<(Culprit, Differences)> {
    let differ = |one: &mut Side<'_, D, S, _>, other: &mut Side<'_, D, T, _>, systems| {
        let (selection, last) = first_ones::<D>(one.world.schedule.order(), systems);
        one.repeat(number, &selection);
        other.repeat(number, &selection);
        (one.world.state_hash() != other.world.state_hash(), last)
    };
    for systems in 0.. {
        let (is_different, last) = differ(one, other, systems);
        if !is_different {
            // There are no more.
            if systems > 0 && last.is_none() {
                break;
            }
            continue;
        }
        let differences = one.world.differences(other.world);
        let name = |index: usize| systems_of::<D>()[index].name;
        let culprit = match last {
            Some((index, None)) => Culprit::System(name(index)),
            Some((index, Some(to))) => Culprit::SenderOrReceiver(name(index), name(to)),
            None if systems == 0 => Culprit::BesideSystems,
            // With all systems they differ, and with all but none they did not: by chance.
            None => return None,
        };
        // Once more, since a fault that shows at times only can be that of an earlier system.
        let again = differ(one, other, systems).0;
        let before = systems > 0 && differ(one, other, systems - 1).0;
        if again && !before {
            return Some((culprit, differences));
        }
        let order = one.world.schedule.order();
        return Some((Culprit::Unknown(suspects::<D>(order, &differences)), differences));
    }
    None
}

/// All systems of the world.
#[cfg(feature = "serde")]
pub(crate) fn all_systems<D: Declaration, S: Settings>(world: &World<D, S>) -> SystemSelection<D> {
    first_ones::<D>(world.schedule.order(), usize::MAX).0
}

/// The systems of the world that may change what differs, in the order of execution.
#[cfg(feature = "serde")]
pub(crate) fn suspects_in<D: Declaration, S: Settings>(
    world: &World<D, S>,
    differences: &Differences,
) -> Vec<&'static str> {
    suspects::<D>(world.schedule.order(), differences)
}

/// The systems that may change what differs, in the order of execution.
fn suspects<D: Declaration>(
    order: impl Iterator<Item = usize>,
    differences: &Differences,
) -> Vec<&'static str> {
    let systems = systems_of::<D>();
    let may_change = |&index: &usize| {
        let declared = &systems[index].declared;
        let changes_component = |name: &str| {
            let is_it = |&component: &usize| D::COMPONENTS[component].name() == name;
            influence::changes(declared, true).iter().any(|list| list.iter().any(is_it))
                || declared.bundles.iter().any(|all| all.is_none_or(|all| all.iter().any(is_it)))
                || declared.despawn
        };
        let changes_resource = |name: &str| {
            let lists =
                [declared.write_resources, declared.add, declared.emit, declared.on, declared.link];
            lists.iter().any(|list| list.iter().any(|&at| D::RESOURCES[at].name() == name))
        };
        let changes = |part: Part| match part {
            Part::Entities => declared.spawns() || declared.despawn,
            Part::Component(name) => changes_component(name),
            Part::Resource(name) => changes_resource(name),
            Part::System(name) => systems[index].name == name,
            Part::CurrentStates => !declared.set_states.is_empty(),
            Part::Subscriptions(_) | Part::Random => false,
        };
        declared.defer || differences.iter().any(|difference| changes(difference.part))
    };
    order.filter(may_change).map(|index| systems[index].name).collect()
}

/// The first `count` systems in this order, and the last of them: with the one that takes its stream, if one does. `None` in its
/// place if there are fewer.
fn first_ones<D: Declaration>(
    order: impl Iterator<Item = usize>,
    count: usize,
) -> (SystemSelection<D>, Option<(usize, Option<usize>)>) {
    let systems = systems_of::<D>();
    let mut selection = SystemSelection::new();
    let (mut left, mut last) = (count, None);
    for index in order {
        // A query that makes an index runs with the systems that use it.
        let is_query = systems[index].is_idle() || systems[index].declared.indexed;
        if left == 0 || is_query || selection.has(index) {
            continue;
        }
        let receiver = consumer_of(systems, index);
        selection.add(index);
        if let Some(receiver) = receiver {
            selection.add(receiver);
        }
        left -= 1;
        last = Some((index, receiver));
    }
    (selection, last.filter(|_| left == 0))
}

/// One of the two worlds.
struct Side<'w, D: Declaration, S: Settings, F> {
    world: &'w mut World<D, S>,
    step: F,
    /// The state before the latest step.
    before: Snapshot<D>,
}

impl<'w, D: Cloneable, S: Settings, F: Fn(&mut World<D, S>, usize, &SystemSelection<D>)>
    Side<'w, D, S, F>
{
    fn new(world: &'w mut World<D, S>, step: F) -> Self {
        let before = world.snapshot();
        Self { world, step, before }
    }

    /// Takes the step with this number.
    fn step(&mut self, number: usize, systems: &SystemSelection<D>) {
        self.world.snapshot_into(&mut self.before);
        (self.step)(self.world, number, systems);
    }

    /// Takes that step again, with these of its systems.
    fn repeat(&mut self, number: usize, systems: &SystemSelection<D>) {
        self.world.restore(&self.before).expect("the world was in this state");
        let Self { world, step, .. } = self;
        // Unwind safety: a world is whole after the panic of a step.
        PanicSlot::new().catch(0, None, || step(world, number, systems));
    }

    fn restore(&mut self, to: &Snapshot<D>) {
        self.world.restore(to).expect("the world was in this state");
    }
}
