//! Members of queries, by row and by key. [`joins`](crate::joins) has the public names.

mod grid;
mod groups;
mod hash;
mod index;
mod lookup;
mod members;

pub use grid::{Cell, Grid};
pub(crate) use groups::{Groups, Record};
pub use index::{HasIndex, Index, KeyOf};
pub use lookup::{Lookup, Matches};
pub use members::Members;
pub(crate) use members::{assert_query, assert_shown, assert_uses};
