//! *Queries*: which components of an entity to hand out, and how to walk over them in runs.

mod term;
mod tuple;
mod walk;

pub use term::{Item, QueryFor, QueryTerms};
pub use walk::Iter;
pub(crate) use walk::{assert_allowed, for_each, for_each_living};
