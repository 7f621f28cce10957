//! The consumer of a stream while its producer runs, and the producer as its consumer sees it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, TryLockError};

use crate::output::stream::{Batch, Sink, Take};
use crate::parallel::PanicSlot;
use crate::proxy::step::subtasks::{RunSubtask, Subtask};
use crate::signature::Declaration;
use crate::state::{Core, SubtaskState};

/// The payload that unwinds a consumer when its producer has panicked.
pub(crate) struct ProducerFailed;

/// The one subtask of a consumer. The thread that holds the lock may call its body.
pub(crate) struct Pump<'a, D: Declaration> {
    core: &'a Core<D>,
    /// The index of the consumer.
    system: usize,
    state: Mutex<&'a mut SubtaskState<D>>,
    body: RunSubtask<'a, D>,
    panics: &'a PanicSlot,
    /// Whether the body was ever called.
    called: AtomicBool,
    /// Whether the body has panicked. It is not called after that.
    failed: AtomicBool,
}

impl<'a, D: Declaration> Pump<'a, D> {
    pub(crate) fn new(
        core: &'a Core<D>,
        system: usize,
        state: &'a mut SubtaskState<D>,
        body: RunSubtask<'a, D>,
        panics: &'a PanicSlot,
    ) -> Self {
        let (called, failed) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { core, system, state: Mutex::new(state), body, panics, called, failed }
    }

    fn call(&self, state: &mut SubtaskState<D>, mut batch: Option<&mut Batch>) {
        if !self.failed.load(Relaxed) {
            self.call_body(state, batch.as_deref_mut());
        }
        // Items that were not taken are dropped here, so that their panics are the consumer's, whichever thread
        // feeds it.
        if let Some(batch) = batch {
            batch.clear(self.system, self.panics);
        }
    }

    fn call_body(&self, state: &mut SubtaskState<D>, batch: Option<&mut Batch>) {
        self.called.store(true, Relaxed);
        let (core, set) = (self.core, &self.core.subscriptions[self.system].set);
        let done = self.panics.catch(self.system, Some(0), || {
            // The consumer has one subtask, whose state is locked here, so this is the only call of it.
            let slice = set.whole();
            (self.body)(Subtask {
                core,
                set,
                state,
                number: 0,
                slice,
                round: None,
                received: batch,
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
    fn with_state(&self, f: impl FnOnce(&mut SubtaskState<D>)) -> bool {
        match self.state.try_lock() {
            Ok(mut state) => f(&mut state),
            Err(TryLockError::Poisoned(state)) => f(&mut state.into_inner()),
            Err(TryLockError::WouldBlock) => return false,
        }
        true
    }
}

impl<D: Declaration> Sink for Pump<'_, D> {
    fn feed(&self, source: &mut dyn FnMut(&mut Take<'_>)) -> bool {
        self.with_state(|state| source(&mut |batch| self.call(state, Some(batch))))
    }

    fn may_feed_here(&self) -> bool {
        self.core.threads.contain_current_thread()
    }

    fn is_unordered(&self) -> bool {
        self.core.systems[self.system].declared.unordered
    }
}
