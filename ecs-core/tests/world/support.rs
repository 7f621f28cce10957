//! Helpers shared by the other modules: pools, panics without a message, and values that count their drops.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ecs_core::Threads;
use proptest::prelude::ProptestConfig;
use rayon::ThreadPoolBuilder;

/// As many random cases as `PROPTEST_CASES` says, which `.ci/thorough` sets, and `few` without it.
pub(crate) fn cases(few: u32) -> ProptestConfig {
    let told = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: told.unwrap_or(few), ..ProptestConfig::default() }
}

/// The sizes of [`pools`].
pub(crate) const POOL_SIZES: [usize; 5] = [1, 2, 3, 4, 8];

/// A pool that no other test uses, for work that blocks.
pub(crate) fn fresh(threads: usize) -> Threads {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Threads::Eager(Arc::new(pool.expect("threads to make a pool of")))
}

/// Pools of 1, 2, 3, 4 and 8 threads, started once.
pub(crate) fn pools() -> &'static [Threads] {
    static POOLS: OnceLock<Vec<Threads>> = OnceLock::new();
    POOLS.get_or_init(|| POOL_SIZES.map(fresh).into())
}

/// The pool of three threads.
pub(crate) fn three() -> Threads {
    pools()[2].clone()
}

/// The calling thread alone, and every pool.
pub(crate) fn every_kind() -> Vec<Threads> {
    [Threads::Inline].into_iter().chain(pools().iter().cloned()).collect()
}

/// Panics with `payload`, without a message on the terminal.
pub(crate) fn fail(payload: &'static str) -> ! {
    resume_unwind(Box::new(payload))
}

/// What `f` panics with: a payload of [`fail`], or a message.
pub(crate) fn caught<R>(f: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { return "no panic".to_owned() };
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Counts the drops of each value that it has made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Arc<Mutex<Vec<u32>>>);

impl Ledger {
    fn drops(&self) -> std::sync::MutexGuard<'_, Vec<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a value.
    pub(crate) fn make(&self) -> Counted {
        self.value(false)
    }

    /// Makes a value whose drop panics with `"bomb"` after it was counted.
    pub(crate) fn bomb(&self) -> Counted {
        self.value(true)
    }

    fn value(&self, bomb: bool) -> Counted {
        let mut drops = self.drops();
        drops.push(0);
        Counted { id: Box::new(drops.len() - 1), bomb, ledger: self.clone() }
    }

    /// The number of values that were made and not dropped.
    ///
    /// # Panics
    /// If a value was dropped twice.
    pub(crate) fn living(&self) -> usize {
        let drops = self.drops();
        assert!(drops.iter().all(|&n| n < 2), "dropped twice: {drops:?}");
        drops.iter().filter(|&&n| n == 0).count()
    }

    /// The number of values that were made.
    pub(crate) fn made(&self) -> usize {
        self.drops().len()
    }
}

/// A value of a [`Ledger`]. Its box lets an address sanitizer detect a second drop.
#[derive(Debug)]
pub(crate) struct Counted {
    id: Box<usize>,
    bomb: bool,
    ledger: Ledger,
}

/// Makes another value of the same ledger.
impl Clone for Counted {
    fn clone(&self) -> Self {
        self.ledger.make()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.ledger.drops()[*self.id] += 1;
        if self.bomb && !std::thread::panicking() {
            fail("bomb");
        }
    }
}

/// Mixes a number: the finalizer of `SplitMix64`.
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
