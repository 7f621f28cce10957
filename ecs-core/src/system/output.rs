//! What a system may put out, and how it is reused.

mod collections;

use crate::component::ThreadSafe;
use crate::sealed::Sealed;
use crate::stream::MakeEnd;

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
///
/// A `HashMap` or a `HashSet` shows its contents in another [order](Output::ORDERED) in each run. A world with one as an output, or
/// in a box, an array or a tuple, is refused, unless the system declares `unordered`. The library does not see what is in a
/// type of yours, in an `Option`, or in the items of a list.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` cannot be the output of a system",
    note = "threads must be able to share it, it must be `Default`, and it must implement `Output`: `impl ecs_core::Output for {Self} {{}}`; a type of another crate does so within a struct of yours"
)]
pub trait Output: Default + ThreadSafe {
    /// Whether the outputs of several subtasks, one after the other, are the output of one.
    const CONCATENATES: bool = false;

    /// Whether going over the output shows its contents in one order, which follows from what was put in. A
    /// `HashMap` shows another one in each run. A system whose output has no order must declare `unordered`.
    const ORDERED: bool = true;

    /// What makes the end of a stream for each subtask: of a [`Stream`](crate::Stream) alone.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for streams")]
    const STREAM_END: Sealed<Option<MakeEnd>> = Sealed(None);

    /// Makes the output as good as new, keeping its memory if it has any. Unless it is overridden, the
    /// output is made anew, which takes memory again.
    fn reset(&mut self) {
        *self = Self::default();
    }
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
