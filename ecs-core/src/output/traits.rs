//! The outputs of systems, and how they are reused.

use crate::output::stream::MakeEnd;
use crate::types::{Sealed, ThreadSafe};

/// The output of one subtask (thesis, 9.3.1.1).
///
/// Each subtask has its own output, which is kept from step to step and [reset](Output::reset) before the
/// system executes again, so that a `Vec` does not allocate in steady state.
///
/// It is implemented for numbers, `bool`, `char`, `String`, `Option`, `Box`, arrays, tuples of up to eight, and
/// the lists, sets and maps of the standard library. A custom type implements it in one line, `impl
/// ecs_core::Output for Grid {}`. If the type owns memory, [`reset`](Output::reset) can keep it. A type of
/// another crate needs a custom struct around it.
///
/// Outputs merge by *ordered concatenation*, so that the number of subtasks does not affect results: readers
/// get the items of all outputs as one ([`Sequence`](crate::Sequence)). An output that is not a sequence cannot
/// be merged. A system that has one must run as a single subtask, or declare `slice_dependent`. This is checked
/// when the world is built.
///
/// A `HashMap` or a `HashSet` iterates in another [order](Output::ORDERED) in each run. A world is refused if
/// it has one as an output, or in a box, an array or a tuple, unless the system declares `unordered`. The
/// library does not see the contents of a custom type, of an `Option`, or of the items of a list.
///
/// ```
/// use ecs_core::Output;
///
/// /// The number of entities in each cell of a grid.
/// #[derive(Default)]
/// struct Counts(Vec<u32>);
///
/// impl Output for Counts {
///     // Keeps the memory.
///     fn reset(&mut self) {
///         self.0.clear();
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` cannot be the output of a system",
    note = "threads must be able to share it, it must be `Default`, and it must implement `Output`: `impl ecs_core::Output for {Self} {{}}`; a type of another crate does so within a struct of yours"
)]
pub trait Output: Default + ThreadSafe {
    /// Whether the concatenated outputs of several subtasks equal the output of one subtask.
    const CONCATENATES: bool = false;

    /// Whether iterating over the output has one order, which follows from the insertions. A `HashMap` has
    /// another one in each run. A system whose output has no order must declare `unordered`.
    const ORDERED: bool = true;

    /// Makes the end of a stream for each subtask. Only [`Stream`](crate::Stream) has one.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for streams")]
    const STREAM_END: Sealed<Option<MakeEnd>> = Sealed(None);

    /// Whether it is `()`, which needs no [`reset`](Self::reset).
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: for `()`")]
    const IS_NOTHING: Sealed<bool> = Sealed(false);

    /// Resets the output to its default, and keeps its memory if it has any. The default implementation makes a
    /// new output, which allocates again.
    fn reset(&mut self) {
        *self = Self::default();
    }
}

impl Output for () {
    const CONCATENATES: bool = true;
    #[expect(private_interfaces, reason = "sealed, as in the trait")]
    const IS_NOTHING: Sealed<bool> = Sealed(true);
}

macro_rules! plain_outputs {
    ($($t:ty)*) => {$(
        impl Output for $t {}
    )*};
}

plain_outputs!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
