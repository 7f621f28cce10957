//! The members of the family: worlds, each with the same systems, and how they are run.
//!
//! | worlds | their systems |
//! | --- | --- |
//! | [`staged`](crate::staged) | stage what they do |
//! | [`rolled`](crate::rolled) | are sequential |
//! | [`paired`](crate::paired) | are sequential, and go over pairs |

use ecs_core::Threads;
use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Sequential};

use crate::case::Case;
use crate::runs::Trace;
use crate::table::{Kind, NAMES};
use crate::{paired, rolled, staged};

/// No more entities are ever alive at once in a case that runs under a fixed limit.
pub(crate) const LIMIT: usize = 2_048;

/// Runs a case for so many steps.
pub(crate) type Run = fn(&Case, Threads, usize) -> Trace;

/// By the numbers of [`SETTINGS`].
type Runs = [Run; SETTINGS.len()];

/// A world of the family.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    /// Whether a system sees what those before it have staged.
    pub(crate) refreshes: bool,
    /// How systems go over entities.
    pub(crate) way: Way,
    /// In which order systems run, or may run.
    pub(crate) order: Order,
    /// How it is run.
    pub(crate) runs: Runs,
}

/// How systems go over entities, and when what they do happens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// One by one; it is staged.
    Stages,
    /// One by one; it happens at once.
    Rolls,
    /// Pair by pair; it happens at once.
    RollsOverPairs,
}

/// An order of systems.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// That of their numbers.
    Numbers,
    /// The opposite one.
    Backward,
    /// The last kind first, and of each kind that of numbers.
    KindsBackward,
}

impl Order {
    /// What systems are to be sorted by.
    pub(crate) fn key(self, system: usize) -> usize {
        let (kind, filter) = (system / 3, system % 3);
        match self {
            Self::Numbers => system,
            Self::Backward => NAMES.len() - system,
            Self::KindsBackward => (Kind::ALL.len() - kind) * 3 + filter,
        }
    }
}

/// The settings that worlds run under: every scheduler, and any two other choices. Those under which large
/// cases run come first.
pub(crate) const SETTINGS: [&str; 5] = [
    "dynamic, disallow, sequential",
    "dynamic, allow, atomic_counter",
    "fixed, allow, shuffled",
    "fixed, disallow, atomic_counter",
    "dynamic, allow, delayed",
];

pub(crate) type DynamicSequential = Config<Dynamic<16>, Disallow, Sequential>;
pub(crate) type DynamicAtomic = Config<Dynamic<16>, Allow, AtomicCounter>;
pub(crate) type FixedShuffled = Config<Fixed<LIMIT>, Allow, Shuffled>;
pub(crate) type FixedAtomic = Config<Fixed<LIMIT>, Disallow, AtomicCounter>;
pub(crate) type DynamicDelayed = Config<Dynamic<16>, Allow, Delayed>;

const fn member(name: &'static str, refreshes: bool, way: Way, order: Order, runs: Runs) -> Member {
    Member { name, refreshes, way, order, runs }
}

/// All of them.
#[rustfmt::skip]
pub(crate) const MEMBERS: [Member; 10] = [
    member("forward", true, Way::Stages, Order::Numbers, staged::forward::RUNS),
    member("reverse", true, Way::Stages, Order::KindsBackward, staged::reverse::RUNS),
    member("forward_staged", false, Way::Stages, Order::Numbers, staged::forward_staged::RUNS),
    member("backward_staged", false, Way::Stages, Order::Backward, staged::backward_staged::RUNS),
    member("loose", false, Way::Stages, Order::Numbers, staged::loose::RUNS),
    member("rolled", false, Way::Rolls, Order::Numbers, rolled::rolled::RUNS),
    member("rolled_backward", false, Way::Rolls, Order::Backward, rolled::rolled_backward::RUNS),
    member("rolled_refreshed", true, Way::Rolls, Order::Numbers, rolled::rolled_refreshed::RUNS),
    member("paired", false, Way::RollsOverPairs, Order::Numbers, paired::paired::RUNS),
    member("paired_backward", false, Way::RollsOverPairs, Order::Backward, paired::paired_backward::RUNS),
];
