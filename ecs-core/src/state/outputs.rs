//! The outputs of a system, for its readers.

use core::marker::PhantomData;
use core::slice;

use crossbeam::utils::CachePadded;

use super::SubtaskState;
use crate::output::Sequence;
use crate::signature::{Declaration, SystemName};
use crate::types::Brand;

/// The outputs of the system `N` in its latest execution (thesis, 11.1).
///
/// Each of its subtasks has its own output, and their number follows from how the system was split. So readers
/// get them as one, which is the same for every split.
pub struct Outputs<'a, D: Declaration, N: SystemName<D>> {
    states: slice::Iter<'a, CachePadded<SubtaskState<D>>>,
    name: Brand<N>,
}

impl<'a, D: Declaration, N: SystemName<D>> Outputs<'a, D, N> {
    /// The outputs in `states`.
    ///
    /// # Safety
    /// The states must be those of subtasks of `N`.
    pub(crate) unsafe fn new(states: &'a [CachePadded<SubtaskState<D>>]) -> Self {
        Self { states: states.iter(), name: PhantomData }
    }

    /// The items of all outputs, one after the other: the items that a single subtask would have output.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Age(u32);
    /// # #[derive(Default)] struct Oldest(Option<u32>);
    /// world! {
    ///     world Town;
    ///     component Age;
    ///     resource Oldest;
    ///     system List {
    ///         parallelism: split_every(64),
    ///         output: Vec<u32>,
    ///         each: |age: &Age, effects| effects.output().push(age.0),
    ///     }
    ///     system Find {
    ///         inputs: [List],
    ///         write_resources: [Oldest],
    ///         run: |data| {
    ///             let oldest = data.effects.outputs_of::<List>().flatten().max();
    ///             data.resources.get_mut::<Oldest>().0 = oldest.copied();
    ///         },
    ///     }
    /// }
    /// # let mut world = World::<Town>::new();
    /// # world.spawn_batch((0..200).map(|age| (Age(age),)));
    /// # world.tick().unwrap();
    /// # assert_eq!(world.resource::<Oldest>().0, Some(199));
    /// ```
    pub fn flatten(self) -> impl Iterator<Item = <N::Output as Sequence>::Item<'a>>
    where
        N::Output: Sequence,
    {
        self.each().flat_map(Sequence::items)
    }

    /// Each output as a whole: for callers that may depend on how the system was split.
    pub(crate) fn each(self) -> impl Iterator<Item = &'a N::Output> + Clone {
        // SAFETY: the states are those of subtasks of `N`, by the contract of `new`.
        self.states.map(|state| unsafe { state.output::<N>() })
    }
}

impl<D: Declaration, N: SystemName<D>> Clone for Outputs<'_, D, N> {
    fn clone(&self) -> Self {
        Self { states: self.states.clone(), name: PhantomData }
    }
}
