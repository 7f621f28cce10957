//! The types that identify an entity during a step.

use super::Handles;
use crate::storage::Storage;

/// Identifies an entity: a handle ([`Entity`](crate::Entity)) or, within a step, a
/// [`Place`](crate::Place).
///
/// All methods that access entities take either.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` does not name an entity",
    label = "neither a handle nor a place",
    note = "name it by its handle, an `Entity`, or by its `Place` in this step"
)]
#[expect(private_bounds, reason = "sealed: rows are the library's own affair")]
pub trait Locate: Copy + Row {}

/// The row of the identified entity.
pub(crate) trait Row {
    /// The row of the entity. For a `Place` the caller must check that the row is in use.
    fn row(self, storage: &Storage) -> Option<usize>;

    /// Like [`row`](Self::row), by the table of handles. For a `Place` it may be any number. The
    /// caller then reads data that only rows in use have.
    fn row_to_ask(self, handles: Handles<'_>) -> Option<usize>;

    /// Prefetches what [`home`](Self::home) reads.
    fn announce(self, handles: Handles<'_>);

    /// The row of the entity, if it is alive; otherwise another row or a number that is no row.
    /// Prefetches what [`lives_in`](Self::lives_in) reads.
    fn home(self, handles: Handles<'_>) -> Option<usize>;

    /// Whether the row, which `home` has returned, is that of the entity. Always true for a
    /// `Place`.
    fn lives_in(self, row: usize, handles: Handles<'_>) -> bool;

    /// The row of the entity if it is alive.
    #[inline]
    fn living_row(self, storage: &Storage) -> Option<usize>
    where
        Self: Sized,
    {
        self.row(storage).filter(|&row| storage.entities.alive().contains(row))
    }
}
