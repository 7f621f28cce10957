//! The members of the family: worlds with the same systems, and how they are run.
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

/// The most entities that are alive at once in a case under a fixed limit.
pub(crate) const LIMIT: usize = 2_048;

/// Runs a case for the given number of steps.
pub(crate) type Run = fn(&Case, Threads, usize) -> Trace;

/// The settings of a member, each with the run under them. The first run is the reference. Large cases run under the
/// first two only.
pub(crate) type Runs = &'static [(&'static str, Run)];

/// The runs of a world under the named settings, by the function `trace` in scope.
macro_rules! runs {
    ($world:ty: $($settings:ident),*) => {
        &[$((stringify!($settings), trace::<$world, $settings>)),*]
    };
}
pub(crate) use runs;

/// A world of the family.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    /// Whether a system sees the changes that the systems before it have staged.
    pub(crate) refreshes: bool,
    /// How systems visit entities.
    pub(crate) way: Way,
    /// The order in which systems run, or may run.
    pub(crate) order: Order,
    pub(crate) runs: Runs,
}

/// How systems visit entities, and when their changes take effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// One entity at a time; changes are staged.
    Stages,
    /// One entity at a time; changes are immediate.
    Rolls,
    /// One pair at a time; changes are immediate.
    RollsOverPairs,
}

/// An order of systems.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// The order of their numbers.
    Numbers,
    /// The opposite order.
    Backward,
    /// The last kind first, and within a kind the order of numbers.
    KindsBackward,
}

impl Order {
    /// The sort key of a system.
    pub(crate) fn key(self, system: usize) -> usize {
        let (kind, filter) = (system / 3, system % 3);
        match self {
            Self::Numbers => system,
            Self::Backward => NAMES.len() - system,
            Self::KindsBackward => (Kind::ALL.len() - kind) * 3 + filter,
        }
    }
}

// The settings: every scheduler, and any two other choices. A sequential system is alone in its phase, so the worlds of
// such systems run under three of them.

pub(crate) type DynamicSequential = Config<Dynamic<16>, Disallow, Sequential>;
pub(crate) type DynamicAtomic = Config<Dynamic<16>, Allow, AtomicCounter>;
pub(crate) type FixedShuffled = Config<Fixed<LIMIT>, Allow, Shuffled>;
pub(crate) type FixedAtomic = Config<Fixed<LIMIT>, Disallow, AtomicCounter>;
pub(crate) type DynamicDelayed = Config<Dynamic<16>, Allow, Delayed>;

const fn member(name: &'static str, refreshes: bool, way: Way, order: Order, runs: Runs) -> Member {
    Member { name, refreshes, way, order, runs }
}

/// All members.
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
