//! Which of several panics is passed on: the one of the lowest (node, subtask) seen.

use std::{
    any::Any,
    fmt, mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Mutex, PoisonError},
};

/// The payload of a panic.
///
/// ```
/// use ecs_core::scheduler::Payload;
///
/// let payload: Payload = std::panic::catch_unwind(|| panic!("spilled")).unwrap_err();
/// assert_eq!(payload.downcast_ref(), Some(&"spilled"));
/// ```
pub type Payload = Box<dyn Any + Send>;

/// A caught panic and where it came from.
///
/// ```
/// use ecs_core::scheduler::PanicSlot;
///
/// let slot = PanicSlot::new();
/// slot.catch(4, Some(2), || panic!("spilled"));
/// let failure = slot.take().unwrap();
/// assert_eq!((failure.node, failure.subtask, failure.message()), (4, Some(2), Some("spilled")));
/// ```
pub struct Failure {
    /// The node that failed.
    pub node: usize,
    /// The subtask that panicked, or `None` if the panic came from outside the node's subtasks.
    /// `None` is lower than any subtask.
    pub subtask: Option<usize>,
    /// The payload of the panic.
    pub payload: Payload,
}

impl Failure {
    /// Resumes the panic on the calling thread.
    pub fn resume(self) -> ! {
        resume_unwind(self.payload)
    }

    /// The message, if the payload is one. The payload of `panic!` always is.
    pub fn message(&self) -> Option<&str> {
        let text = self.payload.downcast_ref::<&'static str>().copied();
        text.or_else(|| self.payload.downcast_ref::<String>().map(String::as_str))
    }

    fn key(&self) -> (usize, Option<usize>) {
        (self.node, self.subtask)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("node", &self.node)
            .field("subtask", &self.subtask)
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.node)?;
        if let Some(subtask) = self.subtask {
            write!(f, ", subtask {subtask},")?;
        }
        write!(f, " panicked: {}", self.message().unwrap_or("with a payload that is no message"))
    }
}

impl std::error::Error for Failure {}

/// Collects the panics of work that runs side by side, and keeps the one of the lowest (node, subtask). Which
/// thread panicked first makes no difference.
///
/// Costs nothing until something panics. Reusable: [`take`](Self::take) empties it.
///
/// ```
/// use ecs_core::scheduler::PanicSlot;
///
/// let slot = PanicSlot::new();
/// assert_eq!(slot.catch(0, None, || 7), Some(7));
/// assert_eq!(slot.catch(1, None, || -> u32 { panic!("spilled") }), None);
/// assert_eq!(slot.take().unwrap().to_string(), "node 1 panicked: spilled");
/// ```
#[derive(Debug, Default)]
pub struct PanicSlot {
    lowest: Mutex<Option<Failure>>,
}

impl PanicSlot {
    /// An empty slot.
    pub const fn new() -> Self {
        Self { lowest: Mutex::new(None) }
    }

    /// Calls `f` and returns its result, or `None` if it panicked. The panic is then recorded as that of
    /// `subtask` of `node`.
    ///
    /// Values that `f` was changing when it panicked stay half changed, so the caller must not use them as if
    /// `f` had finished. It must look into the slot with [`take`](Self::take) first.
    pub fn catch<R>(
        &self,
        node: usize,
        subtask: Option<usize>,
        f: impl FnOnce() -> R,
    ) -> Option<R> {
        let (mut f, mut result) = (Some(f), None);
        self.catch_erased(node, subtask, &mut || result = f.take().map(|f| f()));
        result
    }

    /// [`catch`](Self::catch), called with a function that runs once. Its type is erased, so that the code that
    /// catches is compiled once, not for each function.
    fn catch_erased(&self, node: usize, subtask: Option<usize>, f: &mut dyn FnMut()) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(f)) {
            self.record(Failure { node, subtask, payload });
        }
    }

    /// Keeps `failure` if it is the lowest so far. Of equals, the first is kept.
    pub fn record(&self, failure: Failure) {
        let mut lowest = self.lowest.lock().unwrap_or_else(PoisonError::into_inner);
        let beaten = match &*lowest {
            Some(kept) if kept.key() <= failure.key() => Some(failure),
            _ => lowest.replace(failure),
        };
        drop(lowest);
        drop_quietly(beaten);
    }

    /// Whether nothing was recorded since the last [`take`](Self::take).
    pub fn is_empty(&self) -> bool {
        self.lowest.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Takes out the lowest failure recorded since the last call, if any.
    ///
    /// The answer is complete once all code that could record has returned.
    pub fn take(&self) -> Option<Failure> {
        self.lowest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Drops a failure that was not taken.
impl Drop for PanicSlot {
    fn drop(&mut self) {
        drop_quietly(self.lowest.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Drops a failure that is not to be resumed. Its payload is a user's type whose drop may itself panic. That
/// panic is dropped too. *Its* payload is leaked, because dropping it could panic again without end.
fn drop_quietly(failure: Option<Failure>) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(failure))) {
        mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(node: usize, subtask: Option<usize>) -> Failure {
        Failure { node, subtask, payload: Box::new(format!("{node} {subtask:?}")) }
    }

    #[test]
    fn the_lowest_wins_in_any_order_of_arrival() {
        let keys = [(2, None), (1, Some(3)), (1, None), (1, Some(0))];
        for rotation in 0..keys.len() {
            let slot = PanicSlot::new();
            let mut arrivals = keys;
            arrivals.rotate_left(rotation);
            for (node, subtask) in arrivals {
                slot.record(failure(node, subtask));
            }
            let kept = slot.take().unwrap();
            assert_eq!((kept.key(), kept.message()), ((1, None), Some("1 None")));
            assert!(slot.take().is_none(), "taking empties the slot");
        }
    }

    #[test]
    fn catch_passes_values_and_keeps_panics() {
        let slot = PanicSlot::new();
        assert_eq!(slot.catch(0, None, || 7), Some(7));
        assert!(slot.take().is_none());

        let caught: Option<()> = slot.catch(4, Some(2), || resume_unwind(Box::new("spilled")));
        assert_eq!(caught, None);
        let kept = slot.take().unwrap();
        assert_eq!(kept.to_string(), "node 4, subtask 2, panicked: spilled");
        let again = catch_unwind(AssertUnwindSafe(|| kept.resume())).unwrap_err();
        assert_eq!(again.downcast_ref(), Some(&"spilled"));
    }

    #[test]
    fn a_beaten_payload_that_panics_in_drop_does_no_harm() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                resume_unwind(Box::new(Bomb)); // and so on, if that were dropped
            }
        }
        let slot = PanicSlot::new();
        slot.record(Failure { node: 1, subtask: None, payload: Box::new(Bomb) });
        slot.record(failure(0, None));
        assert_eq!(slot.take().unwrap().node, 0);
        slot.record(Failure { node: 1, subtask: None, payload: Box::new(Bomb) });
        drop(slot); // nor does the one that is kept
    }
}
