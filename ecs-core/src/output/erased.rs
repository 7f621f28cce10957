//! Outputs of erased types, so that what handles them is compiled once, not for each system.

use crossbeam::utils::CachePadded;

use super::Output;
use crate::output::stream::AnyEnd;

/// The output of a subtask, of any type.
pub(crate) trait AnyOutput: Send + Sync {
    /// [`Output::reset`].
    fn reset(&mut self);
}

// On cache lines of its own: subtasks write their outputs at the same time.
impl<O: Output> AnyOutput for CachePadded<O> {
    fn reset(&mut self) {
        O::reset(self);
    }
}

impl dyn AnyOutput + '_ {
    /// The output as what it is.
    ///
    /// # Safety
    /// It must be an output that [`OutputType::of::<O>`](OutputType::of) makes.
    #[inline]
    pub(crate) unsafe fn as_output<O: Output>(&self) -> &O {
        // SAFETY: it is a padded `O`, by the contract.
        unsafe { &*(&raw const *self).cast::<CachePadded<O>>() }
    }

    /// The same, to write.
    ///
    /// # Safety
    /// It must be an output that [`OutputType::of::<O>`](OutputType::of) makes.
    #[inline]
    pub(crate) unsafe fn as_output_mut<O: Output>(&mut self) -> &mut O {
        // SAFETY: it is a padded `O`, by the contract.
        unsafe { &mut *(&raw mut *self).cast::<CachePadded<O>>() }
    }
}

/// An output, and the sending end of its stream if it is one.
pub(crate) type Made = (Box<dyn AnyOutput>, Option<Box<dyn AnyEnd>>);

/// How the outputs of a system are made.
pub(crate) struct OutputType {
    /// Makes an output.
    pub(crate) make: fn() -> Made,
    /// Whether the output is `()`, which is not reset.
    pub(crate) is_nothing: bool,
    /// Whether it is a stream.
    pub(crate) streams: bool,
}

impl OutputType {
    pub(crate) const fn of<O: Output>() -> Self {
        Self {
            make: || (Box::new(CachePadded::new(O::default())), O::STREAM_END.0.map(|make| make())),
            is_nothing: O::IS_NOTHING.0,
            streams: O::STREAM_END.0.is_some(),
        }
    }
}
