//! The rules of a declaration for `ecs-core`, each written once: what two systems must not both do unless they are
//! ordered, what a system sees too late, and what a system cannot be.
//!
//! The rules are `const` functions over indices. Two crates apply them. `ecs-core` evaluates them in `const`
//! evaluation, over the tables that drive the accesses at run time; soundness rests on that. `ecs-macros` evaluates
//! them while it expands a declaration, over tables made from its model, to report faults at the user's tokens. Both
//! enumerate pairs of systems in their own way, and ask the functions here about each pair.
//!
//! Both also propose the name that was meant by an unknown one, by [`closest`].
//!
//! | module | rule |
//! | --- | --- |
//! | [`order`] | which systems run before which, and whether they form a cycle |
//! | [`conflict`] | accesses that two unordered systems must not both have |
//! | [`influence`] | staged changes of two unordered systems whose order shows |
//! | [`effect`] | what a system sees of the changes of another one, and what comes too late for it |
//! | [`alone`] | what one system must not declare together |
//! | [`timing`] | which systems never run in the same execution |
//! | [`tracking`] | which components are tracked, and which systems would meet at their marks |
//!
//! This crate is a part of `ecs-core`, without promises of its own.

#![no_std]
#![forbid(unsafe_code)]

pub mod alone;
pub mod conflict;
pub mod effect;
mod index_set;
pub mod influence;
mod keys;
pub mod order;
mod similar;
mod system;
pub mod timing;
pub mod tracking;

pub use index_set::{IndexSet, MOST};
pub use keys::Kind;
pub use similar::closest;
pub use system::{Flag, List, System, contains, contains_any};
pub use timing::{MOST_VARIANTS, Moment};
