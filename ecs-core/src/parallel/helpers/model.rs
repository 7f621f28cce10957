//! Checks a slot on *every* interleaving of the thread that offers and of one that helps, and with every value that a weak
//! memory model lets a load see. The state is the model checker's, with the orderings of the real one.
//!
//! The pieces use cells that the model checker watches: it reports an access that no happens-before relation orders. The last
//! tests prove that a report would come.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

use loom::cell::UnsafeCell;
use loom::sync::atomic::AtomicU32;

use super::{DONE, EMPTY, OFFERED, Slot, SlotState, Taker};

/// The memory orderings of a state, as a type.
trait Order: Send + Sync + 'static {
    const OFFER: Ordering;
    const TAKE: Ordering;
    const FINISH: Ordering;
    const END: Ordering;
}

macro_rules! orders {
    ($($name:ident: $offer:ident $take:ident $finish:ident $end:ident)*) => {$(
        struct $name;
        impl Order for $name {
            const OFFER: Ordering = $offer;
            const TAKE: Ordering = $take;
            const FINISH: Ordering = $finish;
            const END: Ordering = $end;
        }
    )*};
}
orders! {
    Right: Release Acquire Release Acquire
    RelaxedOffer: Relaxed Acquire Release Acquire
    RelaxedTake: Release Relaxed Release Acquire
    RelaxedFinish: Release Acquire Relaxed Acquire
    RelaxedEnd: Release Acquire Release Relaxed
}

struct Modelled<O>(AtomicU32, PhantomData<O>);

impl<O: Order> SlotState for Modelled<O> {
    fn offer(&self) {
        self.0.store(OFFERED, O::OFFER);
    }

    fn take(&self, by: Taker) -> bool {
        self.0.load(Relaxed) == OFFERED
            && self.0.compare_exchange(OFFERED, by.state(), O::TAKE, Relaxed).is_ok()
    }

    fn take_back(&self) -> bool {
        self.0.compare_exchange(OFFERED, EMPTY, Relaxed, Relaxed).is_ok()
    }

    fn taker(&self) -> Option<Taker> {
        Taker::of(self.0.load(Relaxed))
    }

    fn finish(&self) {
        self.0.store(DONE, O::FINISH);
    }

    fn end(&self) -> bool {
        let is_done = self.0.load(O::END) == DONE;
        if is_done {
            self.0.store(EMPTY, Relaxed);
        }
        is_done
    }
}

/// A number that the model checker watches.
struct Watched(UnsafeCell<usize>);

// SAFETY: the model checker reports what this allows wrongly.
unsafe impl Sync for Watched {}

impl Watched {
    fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    fn get(&self) -> usize {
        // SAFETY: the model checker reports an access at the same time as another one.
        self.0.with(|value| unsafe { *value })
    }

    fn set(&self, to: usize) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = to });
    }
}

/// What the pieces of one round use.
struct Round {
    before: Watched,
    first: Watched,
    second: Watched,
}

/// Two joins by the same slot, while another thread looks for offers three times.
fn explore<O: Order>() {
    loom::model(|| {
        let slot = Arc::new(Slot::new(Modelled::<O>(AtomicU32::new(EMPTY), PhantomData)));
        let rounds: Arc<[Round; 2]> = Arc::new(core::array::from_fn(|_| Round {
            before: Watched::new(),
            first: Watched::new(),
            second: Watched::new(),
        }));
        let helper = {
            let slot = Arc::clone(&slot);
            loom::thread::spawn(move || {
                for _ in 0..3 {
                    slot.run(Taker { member: 1, depth: 0 }, || ());
                }
            })
        };
        let this = std::thread::current();
        for (number, round) in rounds.iter().enumerate() {
            round.before.set(number + 1);
            let mut a = || round.first.set(10 + round.before.get());
            let mut b = || round.second.set(20 + round.before.get());
            let wait = |slot: &Slot<Modelled<O>>, _: &dyn Fn() -> bool| {
                // It is taken, or has ended meanwhile.
                assert!(matches!(slot.state.taker(), None | Some(Taker { member: 1, depth: 0 })));
                loom::thread::yield_now();
            };
            // SAFETY: only this thread offers by the slot, which is empty.
            unsafe { slot.join(&this, &mut a, &mut b, || (), wait) };
            assert_eq!((round.first.get(), round.second.get()), (11 + number, 21 + number));
        }
        helper.join().unwrap();
    });
}

#[test]
fn pieces_run_once_and_in_order_with_the_thread_that_offers() {
    explore::<Right>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn an_offer_without_release_is_found_out() {
    explore::<RelaxedOffer>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_take_without_acquire_is_found_out() {
    explore::<RelaxedTake>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_finish_without_release_is_found_out() {
    explore::<RelaxedFinish>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn an_end_without_acquire_is_found_out() {
    explore::<RelaxedEnd>();
}
