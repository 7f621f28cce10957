//! Rolling over pairs: a query vector of two queries, in a sequential system (Core ECS, 3.3 and 3.5).

use super::recheck::Recheck;
use super::{Now, Pair, current};
use crate::proxy::query::joins::{assert_shown, assert_uses};
use crate::proxy::query::{MemberFor, assert_alias_free, assert_marks};
use crate::rows::PAGE_ROWS;
use crate::signature::access::{IsSequential, Queries};
use crate::signature::{Data, Declaration, Item, QueryTerms, SystemName, undeclared};
use crate::state::Subscription;

/// Fails to compile if the query `Q`, which `N` must use, does not provide what `T` asks for about its members,
/// or `N` does not write what `T` would write.
pub(super) const fn assert_member_rights<D, N, Q, T>()
where
    D: Declaration,
    N: SystemName<D>,
    Q: SystemName<D>,
    T: QueryTerms<D>,
{
    assert_uses::<D, N, Q>();
    assert_marks::<D, T>(Some(N::INDEX));
    assert_alias_free::<D, N, T>();
    if let Some(c) = T::WRITES.first_outside(&D::SYSTEMS[N::INDEX].writable()) {
        undeclared::<D, N>("write, of members,", D::COMPONENTS[c].name());
    }
    assert_shown::<D, N, Q, T>();
}

impl<D: Declaration, N: SystemName<D>> Data<'_, D, N> {
    /// Calls `f` with each pair of an entity of the system and a member of the query `Q`, in their current
    /// state: [`Now::roll_pairs`], for a system that declares `sequential`.
    ///
    /// ```
    /// # use ecs_core::{Data, World, world};
    /// # #[derive(Clone, Copy, PartialEq)] struct Place(u32);
    /// # struct Armour(u32); struct Arrow;
    /// world! {
    ///     world Field;
    ///     component Place, Armour;
    ///     component Arrow: empty;
    ///     query Targets { read: [Place, Armour] }
    ///     system Hit {
    ///         sequential,
    ///         read: [Place],
    ///         with: [Arrow],
    ///         queries: [Targets],
    ///         write_optional: [Armour], // of targets: arrows have none
    ///         despawn,
    ///         run: hit,
    ///     }
    /// }
    ///
    /// /// Each arrow hits at most one target in its place. Each hit takes one armour of the target.
    /// fn hit(data: &mut Data<'_, Field, Hit>) {
    ///     data.roll_pairs::<Targets>(|mut pair| {
    ///         let Some((at, (place, armour))) = pair.both::<&Place, (&Place, &mut Armour)>() else {
    ///             return;
    ///         };
    ///         if at == place {
    ///             armour.0 -= 1;
    ///             let is_last = armour.0 == 0;
    ///             let (arrow, target) = (pair.entity(), pair.member());
    ///             let mut now = pair.now();
    ///             now.despawn(arrow); // and is not seen again
    ///             if is_last {
    ///                 now.despawn(target); // nor is this one
    ///             }
    ///         }
    ///     });
    /// }
    /// # let mut world = World::<Field>::new();
    /// # world.spawn_batch([2, 1, 5].map(|armour| (Place(7), Armour(armour))));
    /// # world.spawn_batch((0..4).map(|_| (Place(7), Arrow)));
    /// # world.spawn((Place(8), Arrow));
    /// world.tick().unwrap();
    /// // Four arrows have hit: the first target twice, the second one once, the third one once.
    /// # let (mut armour, mut arrows) = (Vec::new(), 0);
    /// # world.iter::<&Armour>().for_each(|a| armour.push(a.0));
    /// # world.iter::<&Arrow>().for_each(|_| arrows += 1);
    /// # assert_eq!((armour, arrows), (vec![4], 1));
    /// ```
    pub fn roll_pairs<Q: SystemName<D>>(&mut self, f: impl FnMut(Pair<'_, D, N, Q>))
    where
        N: IsSequential<D> + Queries<Q, D>,
    {
        self.now().roll_pairs(f);
    }
}

impl<'a, D: Declaration, N: SystemName<D>> Now<'a, D, N> {
    /// Calls `f` with each pair of an entity that the system was subscribed to when it began and an entity that
    /// was a member of the query `Q` then, in the lexicographic order of rows, if both still match: the first
    /// what the system demands, the second what the query does. Pairs with an entity that no longer matches are
    /// skipped. Entities that match only since then, or were spawned since, are in no pair. An entity that
    /// matches both is paired with itself.
    ///
    /// This is the paper's *roll* over a query vector (3.5). O(entities × members), plus, after each change of
    /// component presence, the number of components that the two demand or exclude. The remaining members are
    /// skipped for an entity that no longer matches.
    pub fn roll_pairs<Q: SystemName<D>>(&mut self, mut f: impl FnMut(Pair<'_, D, N, Q>))
    where
        N: Queries<Q, D>,
    {
        const { assert_uses::<D, N, Q>() };
        let Subscription { set, demands, .. } = self.subscription();
        let mut own = Recheck::new(demands);
        for page in set.pages(set.whole()) {
            for &offset in page.offsets() {
                let row = page.index * PAGE_ROWS + usize::from(offset);
                self.roll_members(row, &mut own, &mut f);
            }
        }
    }

    /// Calls `f` with this row and each member, while the row matches.
    fn roll_members<Q: SystemName<D>>(
        &mut self,
        row: usize,
        own: &mut Recheck<'_>,
        f: &mut impl FnMut(Pair<'_, D, N, Q>),
    ) {
        let Subscription { set, demands, .. } = self.members_of::<Q>();
        let mut members = Recheck::new(demands);
        for page in set.pages(set.whole()) {
            for &offset in page.offsets() {
                let member = page.index * PAGE_ROWS + usize::from(offset);
                if !own.matches(self.storage(), self.changes(), row) {
                    // Only `f` changes component presence, and it is not called for this row again.
                    return;
                }
                if members.matches(self.storage(), self.changes(), member) {
                    // SAFETY: both rows are of the world of `self`, and match now.
                    f(unsafe { Pair::new(self.reborrow(), row, member) });
                }
            }
        }
    }

    /// The entities that were members of the query `Q` when the system began and still match, with chosen
    /// components, in ascending order of rows. O(members).
    pub fn members<Q, T>(&mut self) -> impl Iterator<Item = Item<'_, T, D>>
    where
        Q: SystemName<D>,
        T: MemberFor<D, N, Q>,
        N: Queries<Q, D>,
    {
        const { assert_member_rights::<D, N, Q, T>() };
        // SAFETY: the query requires what `T` does, by the constant above, and the iterator has borrowed `self`.
        unsafe { current::<D, T>(self.storage(), self.members_of::<Q>()) }
    }

    /// The subscription of a query that the system uses.
    fn members_of<Q: SystemName<D>>(&self) -> &'a Subscription {
        &self.effects.core.subscriptions[Q::INDEX]
    }
}
