//! Reaching any entity of an exclusive system.

use crate::entity::Entity;
use crate::proxy::Own;
use crate::query::{self, Item, QueryFor, QueryTerms};
use crate::signature::access::Exclusive;
use crate::signature::{Declaration, SystemName};
use crate::storage::PAGE_ROWS;

/// Chosen components of one entity.
#[inline]
pub(crate) fn get_mut<'a, D, N, Q>(own: &'a mut Own<'_, D, N>, entity: Entity) -> Option<Item<'a, Q, D>>
where
    D: Declaration,
    N: SystemName<D> + Exclusive<D>,
    Q: QueryFor<D, N>,
{
    const { assert_exclusive::<D, N, Q>() };
    let row = subscribed_row(own, entity)?;
    let cursor = Q::page(own.storage, row / PAGE_ROWS)?;
    // SAFETY: the system is subscribed to the row, so a living entity with the required components
    // is in it. The table says that `N` is exclusive: it has one subtask, and every other system
    // that accesses its components otherwise is ordered with it. `&mut Own` keeps this subtask
    // from any other access meanwhile.
    Some(unsafe { Q::fetch(cursor, row % PAGE_ROWS) })
}

/// Chosen components of two different entities.
#[inline]
pub(crate) fn pair_mut<'a, D, N, Q>(
    own: &'a mut Own<'_, D, N>,
    first: Entity,
    second: Entity,
) -> Option<(Item<'a, Q, D>, Item<'a, Q, D>)>
where
    D: Declaration,
    N: SystemName<D> + Exclusive<D>,
    Q: QueryFor<D, N>,
{
    const { assert_exclusive::<D, N, Q>() };
    let (a, b) = (subscribed_row(own, first)?, subscribed_row(own, second)?);
    if a == b {
        return None;
    }
    let (cursor_a, cursor_b) =
        (Q::page(own.storage, a / PAGE_ROWS)?, Q::page(own.storage, b / PAGE_ROWS)?);
    // SAFETY: as in `get_mut`; the rows differ, so the two items share no component.
    let item_a = unsafe { Q::fetch(cursor_a, a % PAGE_ROWS) };
    // SAFETY: as above.
    let item_b = unsafe { Q::fetch(cursor_b, b % PAGE_ROWS) };
    Some((item_a, item_b))
}

#[inline]
fn subscribed_row<D, N>(own: &Own<'_, D, N>, entity: Entity) -> Option<usize> {
    own.storage.entities.row(entity).filter(|&row| own.set.contains(row))
}

const fn assert_exclusive<D: Declaration, N: SystemName<D>, Q: QueryTerms<D>>() {
    query::assert_allowed::<D, N, Q>();
    assert!(D::SYSTEMS[N::INDEX].exclusive, "the system's signature does not say `exclusive`");
}
