//! One pair that `roll_pairs` visits.

use core::marker::PhantomData;

use super::pairs::assert_member_rights;
use super::{Now, fetch};
use crate::entity::Entity;
use crate::proxy::query;
use crate::proxy::query::{MemberFor, QueryFor};
use crate::random::Random;
use crate::signature::access::Draws;
use crate::signature::{Declaration, Item, SystemName};
use crate::types::Brand;

/// An entity of the sequential system `N` and a member of its query `Q`, both of which match when the pair is
/// visited (Core ECS, 3.3 and 3.5).
///
/// It gives access to their components, on one side at a time, or on [both](Self::both). For changes of
/// component presence, it is converted into the [current state of the world](Self::now). The two can be one
/// entity, if it matches both: the paper's product includes such pairs.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(PartialEq)] struct Cell(u32);
/// # struct Wolf; struct Sheep;
/// world! {
///     world Meadow;
///     component Cell;
///     component Wolf, Sheep: empty;
///     query Flock { read: [Cell], with: [Sheep] }
///     system Hunt {
///         sequential,
///         read: [Cell],
///         with: [Wolf],
///         queries: [Flock],
///         despawn,
///         run: |data| data.roll_pairs::<Flock>(|mut pair| {
///             let caught = pair.both::<&Cell, &Cell>().is_some_and(|(wolf, sheep)| wolf == sheep);
///             if caught {
///                 let sheep = pair.member();
///                 pair.now().despawn(sheep);
///             }
///         }),
///     }
/// }
/// let mut world = World::<Meadow>::new();
/// world.spawn((Cell(1), Wolf));
/// let [far, near] = [0, 1].map(|cell| world.spawn((Cell(cell), Sheep)));
/// world.tick()?;
/// assert!(world.is_alive(far) && !world.is_alive(near));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Pair<'m, D: Declaration, N: SystemName<D>, Q> {
    now: Now<'m, D, N>,
    row: usize,
    member: usize,
    query: Brand<Q>,
}

impl<'m, D: Declaration, N: SystemName<D>, Q: SystemName<D>> Pair<'m, D, N, Q> {
    /// The entities in the two rows. `now` is private, and moves out by [`now`](Self::now) only, so both match
    /// until then.
    ///
    /// # Safety
    /// Both rows must be of the world of `now`. `row` must match what the system demands, and `member` what the
    /// query does.
    pub(super) unsafe fn new(now: Now<'m, D, N>, row: usize, member: usize) -> Self {
        Self { now, row, member, query: PhantomData }
    }

    /// The system's own entity.
    #[must_use]
    pub fn entity(&self) -> Entity {
        self.now.storage().entities.rows()[self.row]
    }

    /// The member of the query.
    #[must_use]
    pub fn member(&self) -> Entity {
        self.now.storage().entities.rows()[self.member]
    }

    /// The random numbers of the pair: the [substream](Random::substream) of the own entity whose number is one more than
    /// the index of the member.
    #[must_use]
    pub fn random(&self) -> Random
    where
        N: Draws<D>,
    {
        self.now.random(self.entity()).substream(self.member().index().wrapping_add(1))
    }

    /// The own entity, with a named reference to each component that the system reads or writes.
    pub fn entry(&mut self) -> N::Entry<'_> {
        const { query::assert_rights::<D, N, N::Terms>() };
        // SAFETY: as in `get`.
        N::entry(unsafe { fetch::<D, N::Terms>(self.now.storage(), self.row) })
    }

    /// The member, with a named reference to each component that the query reads.
    pub fn member_entry(&mut self) -> Q::Entry<'_> {
        const { assert_member_rights::<D, N, Q, Q::Terms>() };
        // SAFETY: as in `get_member`.
        Q::entry(unsafe { fetch::<D, Q::Terms>(self.now.storage(), self.member) })
    }

    /// Chosen components of the own entity.
    pub fn get<A: QueryFor<D, N>>(&mut self) -> Item<'_, A, D> {
        const { query::assert_rights::<D, N, A>() };
        // SAFETY: the row matches what the system demands, and the item has borrowed `self`, which has `now`.
        unsafe { fetch::<D, A>(self.now.storage(), self.row) }
    }

    /// Chosen components of the member: those that the query reads; and, to write, those of them that the
    /// system writes.
    pub fn get_member<T: MemberFor<D, N, Q>>(&mut self) -> Item<'_, T, D> {
        const { assert_member_rights::<D, N, Q, T>() };
        // SAFETY: the row matches what the query demands, and the item has borrowed `self`, which has `now`.
        unsafe { fetch::<D, T>(self.now.storage(), self.member) }
    }

    /// Chosen components of both at once. `None` if the two are one entity, and a component that is written on
    /// one side is yielded on the other, too.
    pub fn both<A: QueryFor<D, N>, T: MemberFor<D, N, Q>>(
        &mut self,
    ) -> Option<(Item<'_, A, D>, Item<'_, T, D>)> {
        const { query::assert_rights::<D, N, A>() };
        const { assert_member_rights::<D, N, Q, T>() };
        let apart = const {
            A::WRITES.is_disjoint(&T::READS.union(T::WRITES)) && T::WRITES.is_disjoint(&A::READS)
        };
        if self.row == self.member && !apart {
            return None;
        }
        let storage = self.now.storage();
        // SAFETY: the row matches what the system demands; the items have borrowed `self`, which has `now`.
        // They are of different rows, or neither has what the other writes.
        let own = unsafe { fetch::<D, A>(storage, self.row) };
        // SAFETY: as above; the row matches what the query demands.
        let member = unsafe { fetch::<D, T>(storage, self.member) };
        Some((own, member))
    }

    /// The current state of the world, to change it. After that the entities may no longer match.
    #[must_use]
    pub fn now(self) -> Now<'m, D, N> {
        self.now
    }
}
