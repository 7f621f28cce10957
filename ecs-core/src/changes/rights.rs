//! The rights to change entities, as traits of what a body stages: components and bundles.
//!
//! Bounds of calls. [`access`](crate::access) has their public names.

use super::{Batches, Bundle};
use crate::entity::Locate;
use crate::signature::access::{Inserts, Spawns, Updates};
use crate::signature::{Declaration, HasComponent};
use crate::storage::Storage;
use crate::types::Component;

/// [`Inserts`], implemented for the component instead of the system.
///
/// As a bound of a call it makes the compiler look at the argument first. With `N: Inserts<C, D>`
/// the compiler would infer the one component that `N` does insert, and then report a mismatched
/// argument.
#[diagnostic::on_unimplemented(
    message = "[E0059] the system `{N}` cannot insert `{Self}`",
    label = "undeclared insertion of `{Self}`",
    note = "add `{Self}` to the `insert: [..]` of `system {N}` in the declaration of `{D}`"
)]
pub trait InsertedBy<N, D: Declaration>: Component {
    /// The component's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Stages the component for the row. `rank` is the component's position among those that the system changes.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: implemented below, for everything")]
    fn stage(self, rank: usize, row: usize, batches: &mut Batches);

    /// Gives the row the component now, and returns the one that it had.
    #[doc(hidden)]
    fn put(self, row: usize, storage: &mut Storage) -> Option<Self>
    where
        Self: Sized;

    /// Gives each live entity its component now, and returns the number of live entities.
    #[doc(hidden)]
    fn put_batch<L: Locate>(pairs: impl Iterator<Item = (L, Self)>, storage: &mut Storage) -> usize
    where
        Self: Sized;
}

impl<C: Component, N: Inserts<C, D>, D: HasComponent<C>> InsertedBy<N, D> for C {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;

    #[inline]
    #[expect(private_interfaces, reason = "as above")]
    fn stage(self, rank: usize, row: usize, batches: &mut Batches) {
        batches.changes::<D, C, false>(rank).put(row, self);
    }

    #[inline]
    fn put(self, row: usize, storage: &mut Storage) -> Option<Self> {
        storage.insert::<D, C>(row, self)
    }

    #[inline]
    fn put_batch<L: Locate>(
        pairs: impl Iterator<Item = (L, Self)>,
        storage: &mut Storage,
    ) -> usize {
        storage.insert_batch::<D, C, L>(pairs)
    }
}

/// [`Updates`], implemented for the component: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[E0051] the system `{N}` cannot update `{Self}`",
    label = "undeclared update of `{Self}`",
    note = "add `{Self}` to the `update: [..]` of `system {N}` in the declaration of `{D}`"
)]
pub trait UpdatedBy<N, D: Declaration>: Component {
    /// The component's index.
    #[doc(hidden)]
    const INDEX: usize;

    /// Stages the component for the row. `rank` is the position of the component's updates.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "sealed: implemented below, for everything")]
    fn stage_update(self, rank: usize, row: usize, batches: &mut Batches);
}

impl<C: Component, N: Updates<C, D>, D: HasComponent<C>> UpdatedBy<N, D> for C {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;

    #[inline]
    #[expect(private_interfaces, reason = "as above")]
    fn stage_update(self, rank: usize, row: usize, batches: &mut Batches) {
        batches.changes::<D, C, true>(rank).put(row, self);
    }
}

/// [`Spawns`], implemented for the bundle: as [`InsertedBy`].
#[diagnostic::on_unimplemented(
    message = "[E0066] `{Self}` is not a bundle that the system `{N}` can spawn",
    label = "not a bundle",
    note = "a bundle is a tuple of components, as in `(Position, Velocity)` or `(Life,)`, and is listed in the `spawn: [..]` of `system {N}`"
)]
pub trait SpawnedBy<N, D: Declaration>: Bundle<D> + Send + 'static {
    /// The bundle's position among those that the system spawns.
    #[doc(hidden)]
    const POSITION: usize;
}

impl<B, N, D> SpawnedBy<N, D> for B
where
    B: Bundle<D> + Send + 'static,
    N: Spawns<B, D>,
    D: Declaration,
{
    const POSITION: usize = N::POSITION;
}
