//! Model to code: one file per generated thing. Expansion cannot fail. The generated code has no
//! algorithms: only tables, trait impls, and functions of one line.
//!
//! Every path begins at the crate that the caller named, which is imported once, or at `::core`, so that renamed
//! dependencies and `#![no_implicit_prelude]` work. The user's tokens keep their spans. Generated tokens lie at one of
//! the user's ([`site`](crate::site)), so that errors point to it, and an edit elsewhere does not change them.

mod access;
pub(crate) mod accesses;
mod attributes;
mod bundle;
mod code;
mod component;
mod condition;
mod context;
mod declaration;
mod editor;
mod entry;
mod expires;
mod gather;
mod name;
mod number;
mod parallelism;
mod query;
mod resource;
pub(crate) mod run_accesses;
mod set;
mod settings;
mod snapshot;
mod states;
mod system;
mod world;

pub(crate) use gather::gather;
pub(crate) use set::expand as expand_set;
pub(crate) use world::expand;
