//! Inner parallelism composers: strategies made of other strategies (thesis, 10.4.1).

use super::strategy::{Cut, None, Strategy};
use crate::types::Brand;

/// `Below` for fewer than `N` entities, `From` for `N` and more.
///
/// ```
/// # use ecs_core::inner_parallelism::{FixedThreshold, SplitEvenly, SplitEvery, Strategy};
/// // `parallelism: fixed_threshold(1_000, split_evenly(2), split_every(500))`
/// type S = FixedThreshold<1_000, SplitEvenly<2>, SplitEvery<500>>;
/// assert_eq!((S::subtasks(999, 8), S::subtasks(2_000, 8)), (2, 4));
/// ```
#[derive(Debug)]
pub struct FixedThreshold<const N: usize, Below, From>(Brand<(Below, From)>);

/// One subtask for fewer than `N` entities, `S` for `N` and more.
///
/// ```
/// # use ecs_core::inner_parallelism::{NoneBelowThreshold, SplitEvenlyCores, Strategy};
/// // `parallelism: none_below_threshold(1_000, split_evenly(cores))`
/// type S = NoneBelowThreshold<1_000, SplitEvenlyCores>;
/// assert_eq!((S::subtasks(999, 8), S::subtasks(1_000, 8)), (1, 8));
/// ```
pub type NoneBelowThreshold<const N: usize, S> = FixedThreshold<N, None, S>;

impl<const N: usize, Below: Strategy, From: Strategy> Strategy for FixedThreshold<N, Below, From> {
    const SINGLE_SUBTASK: bool = Below::SINGLE_SUBTASK && From::SINGLE_SUBTASK;

    fn subtasks(entities: usize, cores: usize) -> usize {
        if entities < N {
            Below::subtasks(entities, cores)
        } else {
            From::subtasks(entities, cores)
        }
    }

    const CUT: Option<fn(Cut) -> usize> = match (Below::CUT, From::CUT) {
        (Option::None, Option::None) => Option::None,
        _ => Some(|cut| {
            let chosen = if cut.entities < N { Below::CUT } else { From::CUT };
            chosen.map_or(cut.evenly(), |chosen| chosen(cut))
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::super::strategy::{SplitEvenly, SplitEvery};
    use super::*;

    #[test]
    fn thresholds_choose_where_to_cut_too() {
        struct Late;

        impl Strategy for Late {
            fn subtasks(_: usize, _: usize) -> usize {
                2
            }

            const CUT: Option<fn(Cut) -> usize> = Some(|cut| cut.entities - 1);
        }

        let at = |entities| Cut { subtask: 1, subtasks: 2, entities };
        let cut = FixedThreshold::<100, Late, SplitEvenly<2>>::CUT.expect("`Late` cuts");
        assert_eq!((cut(at(99)), cut(at(100))), (98, 50));
        assert!(FixedThreshold::<100, None, SplitEvenly<2>>::CUT.is_none());
    }

    #[test]
    fn thresholds_nest() {
        type S = NoneBelowThreshold<100, FixedThreshold<1000, SplitEvenly<4>, SplitEvery<100>>>;
        assert_eq!(S::subtasks(99, 8), 1);
        assert_eq!(S::subtasks(100, 8), 4);
        assert_eq!(S::subtasks(999, 8), 4);
        assert_eq!(S::subtasks(1000, 8), 10);
        const { assert!(!S::SINGLE_SUBTASK && NoneBelowThreshold::<9, None>::SINGLE_SUBTASK) };
    }
}
