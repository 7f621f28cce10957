//! *Queries*: selected components of entities, and iteration over them in runs.

mod member;
mod optional;
mod run;
mod term;
mod tuple;
mod walk;

pub use member::MemberFor;
pub use run::{Run, RunTerms};
pub(crate) use run::{assert_columns, for_each_run};
pub use term::{Item, QueryFor, QueryTerms};
pub use walk::Iter;
pub(crate) use walk::{
    assert_alias_free, assert_allowed, assert_rights, for_each, for_each_living,
};
