//! Outputs as sequences.

use std::collections::VecDeque;

use super::Output;

/// An output that is a sequence of items. Readers get the items without seeing the boundaries between subtasks
/// ([`Outputs::flatten`](crate::Outputs::flatten)).
///
/// Outputs that [concatenate](Output::CONCATENATES) should implement it, because most readers need it. The
/// concatenated items of several outputs must then be those that one subtask would have output. This is not
/// checked.
///
/// ```
/// use ecs_core::{Output, Sequence};
///
/// /// A list, and memory that making it takes.
/// #[derive(Default)]
/// struct Found {
///     list: Vec<u32>,
///     scratch: Vec<bool>,
/// }
///
/// impl Output for Found {
///     const CONCATENATES: bool = true;
///
///     fn reset(&mut self) {
///         self.list.clear();
///         self.scratch.clear();
///     }
/// }
///
/// impl Sequence for Found {
///     type Item<'a> = &'a u32;
///
///     fn items(&self) -> impl Iterator<Item = &u32> {
///         self.list.iter()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] the output `{Self}` is not a sequence",
    label = "not a sequence of items",
    note = "implement `Sequence` for it, or read it as a whole: by `output_parts_of` in a system, by `output_parts_of` in a step or a deferred function"
)]
pub trait Sequence: Output {
    /// An item, as passed to readers.
    type Item<'a>
    where
        Self: 'a;

    /// The items, in order.
    fn items(&self) -> impl Iterator<Item = Self::Item<'_>>;
}

/// The items of a type with an `iter`, by reference.
macro_rules! iterated {
    ($($list:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> Sequence for $list<T>
        where
            Self: Output,
        {
            type Item<'a>
                = &'a T
            where
                Self: 'a;

            fn items(&self) -> impl Iterator<Item = &T> {
                self.iter()
            }
        }
    )*};
}

iterated! { Vec VecDeque Option }

/// The items of the boxed output.
#[diagnostic::do_not_recommend]
impl<T: Sequence> Sequence for Box<T> {
    type Item<'a>
        = T::Item<'a>
    where
        Self: 'a;

    fn items(&self) -> impl Iterator<Item = T::Item<'_>> {
        (**self).items()
    }
}

/// The characters.
impl Sequence for String {
    type Item<'a> = char;

    fn items(&self) -> impl Iterator<Item = char> {
        self.chars()
    }
}
