//! The consumer of a stream while its producer runs, and the producer as its consumer sees it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, TryLockError};

use crate::output::stream::{Batch, Sink, Take};
use crate::parallel::PanicSlot;
use crate::signature::{Data, Declaration, Effects, Own, Resources, SystemName};
use crate::state::{Core, SubtaskState};

/// The payload that unwinds a consumer when its producer has panicked.
pub(crate) struct ProducerFailed;

/// The one subtask of the consumer `N`. The thread that holds the lock may call its body.
pub(crate) struct Pump<'a, D: Declaration, N: SystemName<D>, F> {
    core: &'a Core<D>,
    state: Mutex<&'a mut SubtaskState<D, N>>,
    body: F,
    panics: &'a PanicSlot,
    /// Whether the body was ever called.
    called: AtomicBool,
    /// Whether the body has panicked. It is not called after that.
    failed: AtomicBool,
}

impl<'a, D, N, F> Pump<'a, D, N, F>
where
    D: Declaration,
    N: SystemName<D>,
    F: Fn(&mut Data<'_, D, N>) + Sync,
{
    pub(crate) fn new(
        core: &'a Core<D>,
        state: &'a mut SubtaskState<D, N>,
        body: F,
        panics: &'a PanicSlot,
    ) -> Self {
        let (called, failed) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { core, state: Mutex::new(state), body, panics, called, failed }
    }

    fn call(&self, state: &mut SubtaskState<D, N>, mut batch: Option<&mut Batch>) {
        if !self.failed.load(Relaxed) {
            self.call_body(state, batch.as_deref_mut());
        }
        // Items that were not taken are dropped here, so that their panics are the consumer's, whichever thread
        // feeds it.
        if let Some(batch) = batch {
            batch.clear(N::INDEX, self.panics);
        }
    }

    fn call_body(&self, state: &mut SubtaskState<D, N>, batch: Option<&mut Batch>) {
        self.called.store(true, Relaxed);
        let set = &self.core.subscriptions[N::INDEX].set;
        let done = self.panics.catch(N::INDEX, Some(0), || {
            (self.body)(&mut Data {
                // SAFETY: the consumer has one subtask, which has exclusive access to its subscription.
                own: unsafe { Own::new(&self.core.storage, set, set.whole()) },
                // SAFETY: the consumer has one subtask, whose state is locked here, so this is the only call of it.
                resources: unsafe { Resources::new(self.core) },
                effects: Effects {
                    core: self.core,
                    state,
                    subtask: 0,
                    round: None,
                    received: batch,
                },
            });
        });
        self.failed.store(done.is_none(), Relaxed);
    }

    /// Calls the body once, without items, if no items have come.
    pub(crate) fn finish(&self) {
        if !self.called.load(Relaxed) {
            self.with_state(|state| self.call(state, None));
        }
    }

    /// Calls `f` if the lock is free. Returns whether it was.
    fn with_state(&self, f: impl FnOnce(&mut SubtaskState<D, N>)) -> bool {
        match self.state.try_lock() {
            Ok(mut state) => f(&mut state),
            Err(TryLockError::Poisoned(state)) => f(&mut state.into_inner()),
            Err(TryLockError::WouldBlock) => return false,
        }
        true
    }
}

impl<D, N, F> Sink for Pump<'_, D, N, F>
where
    D: Declaration,
    N: SystemName<D>,
    F: Fn(&mut Data<'_, D, N>) + Sync,
{
    fn feed(&self, source: &mut dyn FnMut(&mut Take<'_>)) -> bool {
        self.with_state(|state| source(&mut |batch| self.call(state, Some(batch))))
    }

    fn may_feed_here(&self) -> bool {
        self.core.threads.contain_current_thread()
    }

    fn is_unordered(&self) -> bool {
        D::SYSTEMS[N::INDEX].declared.unordered
    }
}
