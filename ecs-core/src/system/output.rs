//! What a system may put out, and how it is reused.

mod collections;

use crate::component::ThreadSafe;
use crate::stream::{Sealed, Way};

/// The output of one subtask (thesis, 9.3.1.1).
///
/// Each subtask has an output of its own, kept from step to step and [reset](Output::reset) before
/// the system executes again, so that a `Vec` does not allocate in steady state.
///
/// It is implemented for numbers, `bool`, `char`, `String`, `Option`, `Box`, arrays, tuples of up to eight, and
/// the lists, sets and maps of the standard library. A type of yours implements it in one line,
/// `impl ecs_core::Output for Grid {}`; if it has memory, say in [`reset`](Output::reset) how to keep that.
/// A type of another crate does so within a struct of yours.
///
/// Outputs merge by *ordered concatenation*, so that the number of subtasks never shows: readers get the
/// items of all as one ([`Sequence`](crate::Sequence)). An output
/// that is no sequence cannot be merged so; a system that has one must run as a single subtask, or
/// declare `slice_dependent`. This is checked when the world is built.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` cannot be the output of a system",
    note = "threads must be able to share it, it must be `Default`, and it must implement `Output`: `impl ecs_core::Output for {Self} {{}}`; a type of another crate does so within a struct of yours"
)]
pub trait Output: Default + ThreadSafe {
    /// Whether the outputs of several subtasks, one after the other, are the output of one.
    const CONCATENATES: bool = false;

    /// Whether another system can take it while this one runs.
    #[doc(hidden)]
    const STREAMS: bool = false;

    /// Makes the output as good as new, keeping its memory if it has any. Unless it is overridden, the
    /// output is made anew, which takes memory again.
    fn reset(&mut self) {
        *self = Self::default();
    }

    /// What leads to the consumer of a stream.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for streams")]
    fn lane(&self, _: Sealed) -> Option<Way> {
        None
    }

    /// The subtask has ended.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for streams")]
    fn finish(&mut self, _: Sealed) {}
}

impl Output for () {
    const CONCATENATES: bool = true;
}

macro_rules! plain_outputs {
    ($($t:ty)*) => {$(
        impl Output for $t {}
    )*};
}

plain_outputs!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
