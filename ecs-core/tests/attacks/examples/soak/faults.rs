//! Injected panics: the place, and the value or the call at which it panics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use attacks::support::fail;

/// Where a panic is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A system with several subtasks, at one entity.
    System,
    /// The consumer of a stream, at one item.
    Consumer,
    /// A sequential system, at its n-th entity.
    Sequential,
    /// The n-th deferred function.
    Deferred,
    /// The n-th function of an event.
    Event,
    /// The destructor of a component that is despawned.
    Drop,
    /// The closure of the step, after all systems.
    Closure,
    /// The clone of a component, as a snapshot is taken.
    Snapshot,
    /// The clone of a component, as a snapshot is restored.
    Restore,
}

impl Fault {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::System,
        Self::Consumer,
        Self::Sequential,
        Self::Deferred,
        Self::Event,
        Self::Drop,
        Self::Closure,
        Self::Snapshot,
        Self::Restore,
    ];

    /// The message of the panic at this place.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Consumer => "consumer",
            Self::Sequential => "sequential",
            Self::Deferred => "deferred",
            Self::Event => "event",
            Self::Drop => "drop",
            Self::Closure => "closure",
            Self::Snapshot => "snapshot",
            Self::Restore => "restore",
        }
    }

    /// Whether the target is the value of an entity, and not the number of a call.
    pub(crate) fn is_by_value(self) -> bool {
        matches!(self, Self::System | Self::Consumer) || self.is_of_load()
    }

    /// Whether the target is an entity with a load.
    pub(crate) fn is_of_load(self) -> bool {
        matches!(self, Self::Drop | Self::Snapshot | Self::Restore)
    }

    /// Whether the timing of threads decides how much of the step is done before the panic. Other systems, and other
    /// subtasks, run in parallel with it; their in-place writes stay.
    pub(crate) fn is_beside_others(self) -> bool {
        matches!(self, Self::System | Self::Consumer)
    }
}

/// The value of [`PLACE`] if no place panics.
const NOWHERE: u64 = u64::MAX;

/// The place that panics, as a number. One for the process is enough: the two worlds are stepped one after the other.
static PLACE: AtomicU64 = AtomicU64::new(NOWHERE);
/// The value at which it panics, or the number of calls before it does.
static TARGET: AtomicU64 = AtomicU64::new(0);

/// Makes `fault` panic at `target`.
pub(crate) fn arm(fault: Fault, target: u64) {
    TARGET.store(target, Relaxed);
    PLACE.store(fault as u64, Relaxed);
}

/// Ends the injection of panics.
pub(crate) fn disarm() {
    PLACE.store(NOWHERE, Relaxed);
}

/// Whether `fault` is to panic at `value`.
pub(crate) fn is_target(fault: Fault, value: u64) -> bool {
    PLACE.load(Relaxed) == fault as u64 && TARGET.load(Relaxed) == value
}

/// Whether any fault is to panic at `value`.
pub(crate) fn is_any_target(value: u64) -> bool {
    Fault::ALL.iter().any(|fault| fault.is_by_value() && is_target(*fault, value))
}

/// Panics once if `fault` is to panic at `value`.
pub(crate) fn at_value(fault: Fault, value: u64) {
    let place = fault as u64;
    if is_target(fault, value) && PLACE.compare_exchange(place, NOWHERE, Relaxed, Relaxed).is_ok() {
        fail(fault.message());
    }
}

/// Counts a call of `fault`, on one thread, and panics at the requested one.
pub(crate) fn at_call(fault: Fault) {
    if PLACE.load(Relaxed) == fault as u64 {
        match TARGET.load(Relaxed) {
            0 => {
                disarm();
                fail(fault.message());
            }
            calls => TARGET.store(calls - 1, Relaxed),
        }
    }
}
