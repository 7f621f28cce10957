//! The tables that storage is made from.

use super::{ComponentSignature, Stored};

/// The components of a world, as a table. Every [`Declaration`](crate::Declaration) has one.
pub(crate) trait ColumnTable: 'static {
    /// One signature per component; a component's position here is its index.
    const COMPONENTS: &'static [ComponentSignature];
}

/// The place of the component `C` in the table. Every declaration that
/// [has the component](crate::signature::HasComponent) has it.
pub(crate) trait HasColumn<C>: ColumnTable {
    /// The component's position in [`ColumnTable::COMPONENTS`].
    const INDEX: usize;

    /// How the component's values are stored. It must be what the table says, or every access panics.
    type Strategy: Stored<C>;
}
