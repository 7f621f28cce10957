//! *Queries*: selected components of entities, and iteration over them in runs.

mod iter;
pub(crate) mod joins;
mod living;
mod member;
mod once;
mod optional;
mod run;
mod term;
mod tracked;
mod tuple;
mod walk;

pub use iter::{Entries, Iter};
pub use living::Living;
pub use member::MemberFor;
pub(super) use once::ApartFromRead;
pub use once::HandsOutOnce;
pub use run::{Run, RunTerms};
pub(crate) use run::{assert_columns, for_each_run};
pub use term::QueryFor;
pub(crate) use term::assert_marks;
pub use tracked::{Mut, MutRun};
pub(crate) use walk::{
    Visit, append_each, assert_alias_free, assert_allowed, assert_rights, for_each, for_range,
};
