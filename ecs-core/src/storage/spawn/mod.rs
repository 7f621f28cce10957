//! Spawned entities: those that are gathered one by one, those that come with their parents, and the rows that they get, to
//! write.

mod families;
mod gathered;
mod writer;

pub(super) use families::Families;
pub(crate) use families::{AnyChildren, FamilyLink, Members};
pub(super) use gathered::Gathered;
pub use gathered::NewRow;
pub use writer::SpawnWriter;
