//! The counter of all user code of one run.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::places;

/// Which calls panic, from the chosen one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only the chosen call.
    Once,
    /// The chosen call, and every later destructor, unless its thread is unwinding.
    Drops,
    /// Only destructors count: the chosen one, and every later one, even during unwinding. If the panic of a destructor
    /// escapes it while its thread unwinds, the process aborts.
    HardDrops,
}

/// No call panics or is counted.
const OFF: u8 = 0;
const ONCE: u8 = 1;
const DROPS: u8 = 2;
const HARD_DROPS: u8 = 3;

/// Counts the calls of user code, panics in the chosen one, and counts the drops of all [`Tracked`] values.
///
/// [`Tracked`]: super::Tracked
#[derive(Clone, Debug)]
pub struct Fault(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    mode: AtomicU8,
    /// The number of the call that panics, from 1.
    chosen: AtomicUsize,
    calls: AtomicUsize,
    places: Mutex<Places>,
    /// The number of drops of each tracked value.
    drops: Mutex<Vec<u32>>,
}

#[derive(Debug, Default)]
struct Places {
    seen: BTreeSet<&'static str>,
    failed: BTreeSet<&'static str>,
    /// The place of the chosen call.
    first: Option<&'static str>,
}

/// What was observed of the calls.
#[derive(Clone, Debug)]
pub struct Fired {
    /// The place of the chosen call, if it was reached.
    pub first: Option<&'static str>,
    /// The origin of the caught panic.
    pub caught: Option<&'static str>,
    /// The number of calls.
    pub calls: usize,
}

/// The payload of a call's panic. It is itself a tracked value.
struct Payload {
    id: usize,
    place: &'static str,
    fault: Fault,
}

/// The payload of the panic of a payload's destructor.
struct Remnant;

impl Drop for Payload {
    fn drop(&mut self) {
        self.fault.count_drop(self.id);
        self.fault.drop_point(places::DROP_OF_PAYLOAD);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for Fault {
    fn default() -> Self {
        Self::new()
    }
}

impl Fault {
    /// Without calls or values.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::default())
    }

    /// Calls `f`, in which the call number `chosen` panics, if there are that many, and returns what was observed.
    pub fn during(&self, mode: Mode, chosen: usize, f: impl FnOnce()) -> Fired {
        let shared = &*self.0;
        lock(&shared.places).first = None;
        shared.calls.store(0, SeqCst);
        shared.chosen.store(chosen, SeqCst);
        let code = match mode {
            Mode::Once => ONCE,
            Mode::Drops => DROPS,
            Mode::HardDrops => HARD_DROPS,
        };
        shared.mode.store(code, SeqCst);
        let result = catch_unwind(AssertUnwindSafe(f));
        shared.mode.store(OFF, SeqCst);
        let caught = result.err().map(|payload| match payload.downcast::<Payload>() {
            Ok(payload) => payload.place,
            Err(other) if other.is::<Remnant>() => "the destructor of a payload",
            Err(other) => resume_unwind(other),
        });
        Fired { first: lock(&shared.places).first, caught, calls: shared.calls.load(SeqCst) }
    }

    /// A call of user code that may panic.
    pub fn point(&self, place: &'static str) {
        self.call(place, false);
    }

    /// The call of a destructor.
    pub fn drop_point(&self, place: &'static str) {
        self.call(place, true);
    }

    fn call(&self, place: &'static str, is_drop: bool) {
        let shared = &*self.0;
        let mode = shared.mode.load(SeqCst);
        if mode == OFF || (mode == HARD_DROPS && !is_drop) {
            return;
        }
        let number = shared.calls.fetch_add(1, SeqCst) + 1;
        let chosen = shared.chosen.load(SeqCst);
        let later = is_drop && mode != ONCE && chosen != 0 && number > chosen;
        let polite = is_drop && mode != HARD_DROPS && thread::panicking();
        let fails = (number == chosen || later) && !polite;
        let mut places = lock(&shared.places);
        places.seen.insert(place);
        if !fails {
            return;
        }
        places.failed.insert(place);
        if number == chosen {
            places.first = Some(place);
        }
        drop(places);
        if place == places::DROP_OF_PAYLOAD {
            resume_unwind(Box::new(Remnant));
        }
        resume_unwind(Box::new(Payload { id: self.new_value(), place, fault: self.clone() }));
    }

    /// Registers a value, and returns its number.
    #[must_use]
    pub fn new_value(&self) -> usize {
        let mut drops = lock(&self.0.drops);
        drops.push(0);
        drops.len() - 1
    }

    /// Records the drop of a value.
    pub fn count_drop(&self, id: usize) {
        lock(&self.0.drops)[id] += 1;
    }

    /// The number of living values.
    ///
    /// # Panics
    /// If one was dropped twice.
    #[must_use]
    pub fn living(&self) -> usize {
        let drops = lock(&self.0.drops);
        assert!(drops.iter().all(|&n| n < 2), "a value was dropped twice");
        drops.iter().filter(|&&n| n == 0).count()
    }

    /// The kinds of places that were called, and those that panicked.
    #[must_use]
    pub fn places(&self) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
        let places = lock(&self.0.places);
        (places.seen.clone(), places.failed.clone())
    }
}

/// The fault of the run in progress, for functions without a receiver. Programs that share a hook exclude each other by
/// [`Hook::turn`].
#[derive(Debug)]
pub struct Hook {
    fault: Mutex<Option<Fault>>,
    turn: Mutex<()>,
}

impl Default for Hook {
    fn default() -> Self {
        Self::new()
    }
}

impl Hook {
    /// Without a fault.
    #[must_use]
    pub const fn new() -> Self {
        Self { fault: Mutex::new(None), turn: Mutex::new(()) }
    }

    /// Waits until no other program uses the hook, and locks it.
    pub fn turn(&self) -> MutexGuard<'_, ()> {
        lock(&self.turn)
    }

    /// Sets the fault that counts the calls from now on.
    pub fn set(&self, fault: &Fault) {
        *lock(&self.fault) = Some(fault.clone());
    }

    /// The fault that was set.
    ///
    /// # Panics
    /// If none was set.
    #[must_use]
    pub fn fault(&self) -> Fault {
        lock(&self.fault).clone().expect("a fault for the run")
    }

    /// A call of user code that may panic.
    pub fn point(&self, place: &'static str) {
        self.fault().point(place);
    }
}
