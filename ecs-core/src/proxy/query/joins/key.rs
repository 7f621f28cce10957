//! Keys: what members of a query are found by, and which table holds them.

use core::hash::Hash;
use core::marker::PhantomData;

use super::forms::Point;
use super::groups::Groups;
use super::sorted::Sorted;
use crate::parallel::ForkJoin;
use crate::state::opaque_debug;
use crate::types::ThreadSafe;

/// A key, and the row of the member that has it; or a copy of the event that has it.
pub(crate) type Record<K, R = u32> = (K, R);

/// What an index finds members by: a value that can be hashed, or a [`Numbered`].
///
/// ```
/// use ecs_core::joins::{Key, Numbered};
///
/// fn is_key<K: Key>() {}
///
/// #[derive(Clone, Copy, PartialEq, Eq, Hash)]
/// struct Team(u8);
/// is_key::<Team>();
/// is_key::<(Team, i64)>();
/// is_key::<Numbered<f32, 100>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a key",
    label = "neither hashed nor numbered",
    note = "a key is `Copy + Eq + Hash + Send + Sync + 'static`, or an `ecs_core::joins::Numbered`"
)]
pub trait Key: Copy + Send + Sync + 'static {
    /// The table of the members.
    #[doc(hidden)]
    type Table: Table;
}

/// A key that is hashed: [`Effects::lookup`](crate::proxy::Effects::lookup) finds members by it.
///
/// ```
/// # use ecs_core::{Declaration, QueryTerms};
/// use ecs_core::joins::{Hashed, Lookup};
///
/// /// How many members have one of the keys.
/// fn count<D: Declaration, K: Hashed, T: QueryTerms<D>>(
///     members: Lookup<'_, D, K, T>,
///     keys: &[K],
/// ) -> usize {
///     keys.iter().map(|&key| members.at(key).count()).sum()
/// }
/// # #[derive(Clone, Copy, PartialEq, Eq, Hash)]
/// # struct Team(u8);
/// # ecs_core::world! {
/// #     world Cup;
/// #     component Team;
/// #     query Teams { index: by_key(Team) }
/// #     system Count {
/// #         queries: [Teams],
/// #         run: |data| {
/// #             let teams = data.effects.lookup::<Teams, ecs_core::Entity>();
/// #             assert_eq!(count(teams, &[Team(1), Team(3)]), 3);
/// #         },
/// #     }
/// # }
/// # let mut world = ecs_core::World::<Cup>::new();
/// # world.spawn_batch([1, 2, 3, 1].map(|team| (Team(team),)));
/// # world.tick().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0087] a query that is sorted by number cannot be looked up by key",
    label = "the key `{Self}` is not hashed",
    note = "use `sorted`"
)]
pub trait Hashed: Key<Table = Groups<Self>> + Eq + Hash {}

/// A key that members are sorted by: [`Effects::sorted`](crate::proxy::Effects::sorted) hands them out.
///
/// ```
/// use ecs_core::joins::{Numbered, Ranked, Sorted};
///
/// /// The values of the members with a number below `end`.
/// fn below<K: Ranked>(members: &Sorted<K::Value>, end: usize) -> impl Iterator<Item = K::Value> {
///     members.run(0..end).iter().map(|member| member.value)
/// }
/// # let _ = below::<Numbered<f32, 10>>;
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0087] a query with the key `{Self}` is not sorted",
    label = "the key is hashed",
    note = "let the `Key` of the index be an `ecs_core::joins::Numbered`, or use `lookup`"
)]
pub trait Ranked: Key<Table = Sorted<Self::Value>> {
    /// The value that is stored with each member.
    type Value: Copy + Send + Sync + 'static;
}

/// Members by their keys.
pub trait Table: ThreadSafe {
    /// The table without members.
    const EMPTY: Self;
}

/// A table that is made from keys alone.
pub trait FromKeys<K>: Table {
    /// Builds the table from records whose rows ascend.
    fn make<'a>(
        &mut self,
        executor: &impl ForkJoin,
        records: &(impl Iterator<Item = &'a [Record<K>]> + Clone + Sync),
    ) where
        K: 'a;
}

#[diagnostic::do_not_recommend]
impl<K: Copy + Eq + Hash + Send + Sync + 'static> Key for K {
    type Table = Groups<K>;
}

#[diagnostic::do_not_recommend]
impl<K: Copy + Eq + Hash + Send + Sync + 'static> Hashed for K {}

/// A key that is a number below `BOUND`, with a value: members are sorted by the number, and the values of
/// consecutive numbers are one slice ([`Sorted`]).
///
/// The value is what a user of the query needs of each member, for example its position. It is copied when the index
/// is built, so that users read it in sequence instead of from components by row.
///
/// It is not hashed, so it does not implement `Hash`.
///
/// ```
/// use ecs_core::joins::{Index, Numbered};
///
/// struct Height(f32);
///
/// ecs_core::world! {
///     world Shelf;
///     component Height;
///     query Steps { read: [Height], index: ByStep }
///     system Look { queries: [Steps], run: |data| assert_eq!(data.effects.sorted::<Steps>().run(3..4).len(), 2) }
/// }
///
/// #[derive(Default)]
/// struct ByStep;
///
/// impl Index for ByStep {
///     type Entry<'a> = StepsEntry<'a>;
///     type Key = Numbered<f32, 100>;
///
///     fn key(&self, e: StepsEntry<'_>) -> Self::Key {
///         Numbered::new((e.height.0 as usize).min(99), e.height.0)
///     }
/// }
/// # let mut world = ecs_core::World::<Shelf>::new();
/// # world.spawn_batch([3.5, 200.0, 3.0].map(|height| (Height(height),)));
/// # world.tick().unwrap();
/// ```
// Aligned to four bytes, so that a record of a value of eight bytes takes 16 with its row, and not 24.
#[repr(C, packed(4))]
pub struct Numbered<V, const BOUND: usize> {
    number: u32,
    value: V,
}

impl<V: Copy, const BOUND: usize> Clone for Numbered<V, BOUND> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Copy, const BOUND: usize> Copy for Numbered<V, BOUND> {}

impl<V, const BOUND: usize> Numbered<V, BOUND> {
    /// The number and the value of a member.
    ///
    /// # Panics
    /// If the number is not below `BOUND`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn new(number: usize, value: V) -> Self {
        const { assert!(BOUND < u32::MAX as usize, "numbers of an index are below 2³² - 1") };
        if number >= BOUND {
            outside(number, BOUND);
        }
        Self { number: number as u32, value }
    }
}

impl<V: Copy, const BOUND: usize> Numbered<V, BOUND> {
    /// The value.
    #[inline]
    pub(super) fn value(&self) -> V {
        self.value
    }
}

/// A key that is a number below a bound of its index.
pub(crate) trait Number: Copy + Sync {
    fn number(&self) -> u32;
}

impl<V: Copy + Send + Sync, const BOUND: usize> Number for Numbered<V, BOUND> {
    #[inline]
    fn number(&self) -> u32 {
        self.number
    }
}

/// The number of a cell of a bounded grid, whose table has copies `V` of a member's components.
#[derive(Clone, Copy)]
pub struct InCell<V> {
    number: u32,
    copies: PhantomData<V>,
}

opaque_debug! { [V] InCell<V>: |this| number = this.number }

impl<V> InCell<V> {
    /// The cell of a point.
    #[inline]
    pub(super) fn at<P: Point>(point: P, bounds: &P::Bounds) -> Self {
        Self { number: point.number(bounds) as u32, copies: PhantomData }
    }
}

impl<V: Copy + Send + Sync> Number for InCell<V> {
    #[inline]
    fn number(&self) -> u32 {
        self.number
    }
}

impl<V: Copy + Send + Sync + 'static> Key for InCell<V> {
    type Table = Sorted<V>;
}

opaque_debug! { [V, const BOUND: usize] Numbered<V, BOUND>: |this| number = this.number }

impl<V: Copy + Send + Sync + 'static, const BOUND: usize> Key for Numbered<V, BOUND> {
    type Table = Sorted<V>;
}

impl<V: Copy + Send + Sync + 'static, const BOUND: usize> Ranked for Numbered<V, BOUND> {
    type Value = V;
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(number: usize, bound: usize) -> ! {
    panic!(
        "the number {number} of a member is out of range: its index has numbers below {bound}; clamp the number, or \
         enlarge the bound in `Numbered<_, {bound}>`"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_below_the_bound() {
        let key = Numbered::<_, 3>::new(2, 'a');
        assert_eq!((key.number(), key.value()), (2, 'a'));
    }

    #[test]
    #[should_panic(
        expected = "the number 3 of a member is out of range: its index has numbers below 3"
    )]
    fn not_the_bound_itself() {
        let _ = Numbered::<_, 3>::new(3, ());
    }
}
