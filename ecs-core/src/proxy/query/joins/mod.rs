//! Members of queries, by row and by key. [`joins`](crate::joins) has the public names.

mod bounds;
mod by_row;
mod forms;
mod function;
mod grid;
mod groups;
mod index;
mod key;
mod lookup;
mod members;
mod near;
mod of_events;
mod sorted;

pub use by_row::{ByRow, Items};
pub use forms::{ByCell, ByKey, Coordinates, Copied, CopyComponent, CopyOf, InBounds, Point};
pub use grid::{Cell, Grid};
pub use index::{Custom, Form, HasIndex, Index, KeyOf, KeysOf, TakesEntries};
pub(crate) use index::{Records, TableOf, table};
pub(crate) use key::Table;
pub use key::{Hashed, InCell, Key, Numbered, Ranked};
pub use lookup::{Lookup, Matches};
pub use members::Members;
pub(crate) use members::{assert_query, assert_shown, assert_uses};
pub use near::{Copies, CopyTerms, HasCells, HasCopies, Near, PointOf, Sight};
pub use of_events::{EventForm, KeyOfEvents};
pub(crate) use of_events::{EventTable, Unread};
pub use sorted::{Placed, Sorted};

/// From this number of records on, the table of an index is built in parallel.
const MANY: usize = 8192;

/// The maximal number of parts of a table that are built at the same time.
const PARTS: usize = 16;
