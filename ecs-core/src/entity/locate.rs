//! What names an entity during a step.

use super::Handles;
use crate::storage::Storage;

/// Names an entity: a handle ([`Entity`](crate::Entity)), or, within a step, a
/// [`Place`](crate::Place).
///
/// Whatever reaches entities takes either.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` does not name an entity",
    label = "neither a handle nor a place",
    note = "name it by its handle, an `Entity`, or by its `Place` in this step"
)]
#[expect(private_bounds, reason = "sealed: rows are the library's own affair")]
pub trait Locate: Copy + Row {}

/// The row behind the name.
pub(crate) trait Row {
    /// Where the entity lives, as far as the name tells; who uses it asks whether somebody does.
    fn row(self, storage: &Storage) -> Option<usize>;

    /// As [`row`](Self::row), by the table of handles; of a place, it may be any number. For whoever asks the row for
    /// something that only the living have.
    fn row_to_ask(self, handles: Handles<'_>) -> Option<usize>;

    /// The entity's [`home`](Self::home) will be asked for soon.
    fn announce(self, handles: Handles<'_>);

    /// A row in which the entity lives if it lives at all, as [`lives_in`](Self::lives_in) will be asked soon; what is no
    /// row's number may come for the dead.
    fn home(self, handles: Handles<'_>) -> Option<usize>;

    /// Whether the row, which is its home, is that of the entity, as far as the name tells.
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
