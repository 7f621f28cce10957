//! Component signatures that name a declaration, and the declaration as a table of columns.

use super::{Declaration, HasComponent};
use crate::storage::{ColumnTable, ComponentSignature, HasColumn, Stored};
use crate::types::Component;

impl ComponentSignature {
    /// Stores `C` in the external storage that `D` names for it.
    ///
    /// # Panics
    /// In `const` evaluation, that is, as a compile error: if the strategy is that of contiguous buffers.
    #[must_use]
    pub const fn external<D: HasComponent<C>, C: Component>(name: &'static str) -> Self {
        let Some(make) = <D::Strategy as Stored<C>>::EXTERNAL else {
            panic!("[E0070] the component is in a contiguous buffer, and needs its number")
        };
        Self::external_with::<C>(name, make)
    }
}

impl<D: Declaration> ColumnTable for D {
    const COMPONENTS: &'static [ComponentSignature] = D::COMPONENTS;
}

impl<D: HasComponent<C>, C> HasColumn<C> for D {
    const INDEX: usize = <D as HasComponent<C>>::INDEX;
    type Strategy = <D as HasComponent<C>>::Strategy;
}
