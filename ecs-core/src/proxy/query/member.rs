//! What a system may ask for about the members of a query.

use super::HandsOutOnce;
use crate::entity::{Entity, Place};
use crate::signature::access::{Queries, Shows, ShowsOptional, WritesMembers};
use crate::signature::{Declaration, HasComponent, QueryTerms, SystemName};

/// The members of the query `Q` provide everything that this asks for, and the system `N` may read it, and write what it
/// would write of them.
///
/// `&C` is for components in `read` of `Q`, and `Option<&C>` for those in `read_optional`. `&mut C` and
/// `Option<&mut C>` are for those of these that a sequential `N` has in `write` or `write_optional`.
///
/// ```
/// use ecs_core::MemberFor;
/// # struct Cell(u32);
/// # ecs_core::world! {
/// #     world Meadow;
/// #     component Cell;
/// #     query Flock { read: [Cell] }
/// #     system Hunt { sequential, queries: [Flock], run: |_| {} }
/// # }
/// fn hunt_may_ask_for<T: MemberFor<Meadow, Hunt, Flock>>() {}
///
/// hunt_may_ask_for::<(ecs_core::Entity, &Cell)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is nothing that the system `{N}` can ask for of the members of the query `{Q}`",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, for `Place`, or for a tuple of these"
)]
pub trait MemberFor<D: Declaration, N: SystemName<D>, Q: SystemName<D>>:
    QueryTerms<D> + HandsOutOnce<D>
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for &C
where
    D: HasComponent<C>,
    N: SystemName<D> + Queries<Q, D, Members: Shows<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for &mut C
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesMembers<C, D> + Queries<Q, D, Members: Shows<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for Option<&C>
where
    D: HasComponent<C>,
    N: SystemName<D> + Queries<Q, D, Members: ShowsOptional<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for Option<&mut C>
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesMembers<C, D> + Queries<Q, D, Members: ShowsOptional<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}

impl<D: Declaration, N: SystemName<D>, Q: SystemName<D>> MemberFor<D, N, Q> for Entity {}
impl<D: Declaration, N: SystemName<D>, Q: SystemName<D>> MemberFor<D, N, Q> for Place {}
