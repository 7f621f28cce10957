//! Inner parallelism strategies: the number of subtasks.

/// Decides into how many subtasks a system's entities are split; or, if it has no entities, the [events](crate::world#events) that it
/// reads. Then numbers of entities are those of events, which are cut at any of them.
///
/// The number does not affect results: outputs and staged work merge in slice order.
///
/// ```
/// use ecs_core::inner_parallelism::Strategy;
///
/// /// Two subtasks for each thread.
/// struct TwoEach;
///
/// impl Strategy for TwoEach {
///     fn subtasks(_: usize, cores: usize) -> usize {
///         2 * cores
///     }
/// }
///
/// assert_eq!(TwoEach::subtasks(10_000, 8), 16);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not an inner-parallelism strategy",
    note = "use `none`, `split_evenly(n | cores)`, `split_every(n)`, `none_below_threshold(n, s)` or `fixed_threshold(n, s, t)`"
)]
pub trait Strategy: 'static {
    /// Whether there is never more than one subtask. The system may then write resources.
    const SINGLE_SUBTASK: bool = false;

    /// The desired number of subtasks, for `entities` subscribed entities on `cores` threads.
    ///
    /// A result of 0 counts as 1. There are fewer subtasks than that if there are not enough slices of whole
    /// 64-row blocks.
    fn subtasks(entities: usize, cores: usize) -> usize;

    /// Where the entities are cut, if not into slices of about the same size. It is called for each cut, in order, and
    /// says how many entities come before it. The cut is made at the next boundary of a 64-row block; a number that is
    /// less than that of the cut before, or more than there are entities, counts as that. So any function is safe, and
    /// the results are the same with all of them.
    ///
    /// A composer passes on that of its strategies: `S::CUT`.
    ///
    /// ```
    /// use ecs_core::inner_parallelism::{Cut, Strategy};
    ///
    /// /// Each subtask has half as many entities as the one before, as the last ones wait for the least.
    /// struct Halves;
    ///
    /// impl Strategy for Halves {
    ///     const CUT: Option<fn(Cut) -> usize> = Some(|cut| cut.entities - (cut.entities >> cut.subtask));
    ///
    ///     fn subtasks(entities: usize, _: usize) -> usize {
    ///         entities.max(64).ilog2() as usize - 5
    ///     }
    /// }
    ///
    /// let cut = Halves::CUT.unwrap();
    /// let before = |subtask| cut(Cut { subtask, subtasks: 5, entities: 1_000 });
    /// assert_eq!([before(1), before(2), before(3), before(4)], [500, 750, 875, 938]);
    /// ```
    const CUT: Option<fn(Cut) -> usize> = Option::None;
}

/// A cut between two subtasks of a system, for [`Strategy::CUT`].
///
/// ```
/// use ecs_core::inner_parallelism::Cut;
///
/// assert_eq!(Cut { subtask: 1, subtasks: 3, entities: 600 }.evenly(), 200);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The subtask after the cut: from 1 to `subtasks` − 1.
    pub subtask: usize,
    /// The number of subtasks.
    pub subtasks: usize,
    /// The number of entities that are subscribed to the system.
    pub entities: usize,
}

impl Cut {
    /// The number of entities before the cut, for slices of the same size.
    #[must_use]
    pub const fn evenly(self) -> usize {
        (self.entities as u128 * self.subtask as u128 / self.subtasks as u128) as usize
    }
}

/// One subtask.
///
/// ```
/// # use ecs_core::inner_parallelism::{self, Strategy};
/// assert_eq!(inner_parallelism::None::subtasks(10_000, 8), 1); // `parallelism: none`
/// ```
#[derive(Debug)]
pub struct None;

/// `N` subtasks of about the same size.
///
/// ```
/// # use ecs_core::inner_parallelism::{SplitEvenly, Strategy};
/// assert_eq!(SplitEvenly::<4>::subtasks(10_000, 8), 4); // `parallelism: split_evenly(4)`
/// ```
#[derive(Debug)]
pub struct SplitEvenly<const N: usize>;

/// As many subtasks as there are threads.
///
/// ```
/// # use ecs_core::inner_parallelism::{SplitEvenlyCores, Strategy};
/// assert_eq!(SplitEvenlyCores::subtasks(10_000, 8), 8); // `parallelism: split_evenly(cores)`
/// ```
#[derive(Debug)]
pub struct SplitEvenlyCores;

/// Subtasks of about `N` entities each.
///
/// ```
/// # use ecs_core::inner_parallelism::{SplitEvery, Strategy};
/// assert_eq!(SplitEvery::<4_000>::subtasks(10_000, 8), 3); // `parallelism: split_every(4_000)`
/// ```
#[derive(Debug)]
pub struct SplitEvery<const N: usize>;

impl Strategy for None {
    const SINGLE_SUBTASK: bool = true;

    fn subtasks(_: usize, _: usize) -> usize {
        1
    }
}

impl<const N: usize> Strategy for SplitEvenly<N> {
    fn subtasks(_: usize, _: usize) -> usize {
        const { assert!(N > 0, "[ECS0017] `split_evenly(0)` makes no subtask") };
        N
    }
}

impl Strategy for SplitEvenlyCores {
    fn subtasks(_: usize, cores: usize) -> usize {
        cores
    }
}

impl<const N: usize> Strategy for SplitEvery<N> {
    fn subtasks(entities: usize, _: usize) -> usize {
        const { assert!(N > 0, "[ECS0017] `split_every(0)` has no end") };
        entities.div_ceil(N)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_every_survives_fewer_entities_than_its_size() {
        assert_eq!(SplitEvery::<100>::subtasks(0, 2), 0);
        assert_eq!(SplitEvery::<100>::subtasks(1, 2), 1);
        assert_eq!(SplitEvery::<100>::subtasks(100, 2), 1);
        assert_eq!(SplitEvery::<100>::subtasks(101, 2), 2);
    }

    #[test]
    fn the_rest() {
        assert_eq!(None::subtasks(1000, 8), 1);
        assert_eq!(SplitEvenly::<5>::subtasks(1000, 8), 5);
        assert_eq!(SplitEvenlyCores::subtasks(1000, 8), 8);
    }
}
