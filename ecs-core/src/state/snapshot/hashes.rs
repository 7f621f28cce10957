//! How the parts of a world are hashed. These functions are bound to their types here, and a declaration
//! lists them in tables.

use core::fmt;
use core::marker::PhantomData;

use super::bounds::{HashResource, HashSystem};
use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::{Core, Resources};
use crate::storage::Storage;
use crate::types::{Brand, StateHash, StateHasher};

/// How a component of the declaration `D` is hashed.
pub struct ComponentHash<D> {
    pub(super) index: usize,
    /// Hashes a page of rows.
    pub(super) page: fn(&Storage, usize) -> u64,
    /// Hashes the value in a row, if there is one.
    pub(super) value: fn(&Storage, usize) -> Option<u64>,
    /// Hashes what is not in a page.
    pub(super) changes: fn(&Storage) -> u64,
    declaration: Brand<D>,
}

impl<D: Declaration> ComponentHash<D> {
    /// By the state hash of `C`.
    #[must_use]
    pub const fn of<C: 'static + StateHash>() -> Self
    where
        D: HasComponent<C>,
    {
        Self {
            index: <D as HasComponent<C>>::INDEX,
            page: Storage::hash_page::<D, C>,
            value: |storage, row| {
                let value = storage.get::<D, C>(row)?;
                let mut hasher = StateHasher::new();
                value.state_hash(&mut hasher);
                Some(hasher.finish())
            },
            changes: Storage::hash_changes::<D, C>,
            declaration: PhantomData,
        }
    }

    /// Only by which entities have a `C`.
    #[must_use]
    pub const fn of_presence<C: 'static>() -> Self
    where
        D: HasComponent<C>,
    {
        Self {
            index: <D as HasComponent<C>>::INDEX,
            page: Storage::hash_presence::<D, C>,
            value: |storage, row| storage.get::<D, C>(row).map(|_| 0),
            changes: Storage::hash_changes_of_presence::<D, C>,
            declaration: PhantomData,
        }
    }
}

/// How a resource of the declaration `D` is hashed.
pub struct ResourceHash<D> {
    pub(super) index: usize,
    pub(super) put: fn(&Resources, &mut StateHasher),
    declaration: Brand<D>,
}

impl<D: Declaration> ResourceHash<D> {
    /// For the resource `R`; `M` hashes its value.
    #[must_use]
    pub const fn of<'a, R: 'static, M: HashResource<'a, R>>() -> Self
    where
        D: HasResource<R>,
    {
        Self {
            index: <D as HasResource<R>>::INDEX,
            put: |resources, hasher| M::put(resources.get::<D, R>(), hasher),
            declaration: PhantomData,
        }
    }
}

/// How the state of a system of the declaration `D` is hashed.
pub struct SystemHash<D: Declaration> {
    pub(super) index: usize,
    pub(super) put: fn(&Core<D>, &mut StateHasher),
}

impl<D: Declaration> SystemHash<D> {
    /// For the system `N`; `M` hashes its state.
    #[must_use]
    pub const fn of<'a, N: SystemName<D>, M: HashSystem<'a, N::System, N>>() -> Self {
        Self { index: N::INDEX, put: |core, hasher| M::put(core.system::<N>(), hasher) }
    }
}

macro_rules! debug {
    ($($ty:ident [$($bound:tt)*];)*) => {$(
        impl<D: $($bound)*> fmt::Debug for $ty<D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($ty))
            }
        }
    )*};
}

debug! {
    ComponentHash [Sized];
    ResourceHash [Sized];
    SystemHash [Declaration];
}
