//! Members of queries, by row and by key. [`joins`](crate::joins) has the public names.

mod by_row;
mod grid;
mod groups;
mod index;
mod key;
mod lookup;
mod members;
mod sorted;

pub use by_row::{ByRow, Items};
pub use grid::{Cell, Grid};
pub use index::{HasIndex, Index, KeyOf};
pub(crate) use index::{TableOf, table};
pub use key::{Hashed, Key, Numbered, Ranked};
pub(crate) use key::{Record, Table};
pub use lookup::{Lookup, Matches};
pub use members::Members;
pub(crate) use members::{assert_query, assert_shown, assert_uses};
pub use sorted::{Placed, Sorted};

/// From this number of records on, the table of an index is built in parallel.
const MANY: usize = 8192;

/// The maximal number of parts of a table that are built at the same time.
const PARTS: usize = 16;
