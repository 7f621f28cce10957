//! Model to code: one file per generated thing. Expansion cannot fail. The generated code has no
//! algorithms: only tables, trait impls, and functions of one line.
//!
//! Every path begins at the crate that the caller named, which is imported once, or at `::core`, so that renamed
//! dependencies and `#![no_implicit_prelude]` work. The user's tokens keep their spans. Generated tokens lie at one of
//! the user's ([`site`](crate::site)), so that errors point to it, and an edit elsewhere does not change them.

mod attributes;
mod context;
mod data;
pub(crate) mod systems;
mod worlds;

pub(crate) use worlds::gather::gather;
pub(crate) use worlds::set::expand as expand_set;
pub(crate) use worlds::world::expand;
