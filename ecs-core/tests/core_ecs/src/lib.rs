//! Core ECS, executable: the calculus of Redmond, Castello, Calderón Trilla and Kuper, “Exploring the
//! Theory and Practice of Concurrency in the Entity-Component-System Pattern” (OOPSLA 2025).
//!
//! This is a model to compare the library with. It is meant to be obviously right, not fast: states are maps,
//! schedules are trees, and possible results are found by exhaustive search. Each item names the definition
//! or the figure that it implements.
//!
//! | the paper | here |
//! | --- | --- |
//! | *E*, *K*, *I* (figure 4) | [`Entity`], [`Schema`], [`Label`]; terms of the *Kᵢ* are [`Value`]s |
//! | state *c*, live(*c*) (3.1) | [`State`], [`State::live`] |
//! | queries and query vectors (3.2, 3.3, figure 6) | [`Query`], [`query::evaluate`], [`Found`] |
//! | mutations, *c* ↓ *m* (3.4) | [`Mutation`], [`State::apply`] |
//! | systems, roll (3.5); the underlying language (appendix A) | [`System`], [`Term`] |
//! | schedules, *c* ⇓ *z*, *z*(*c*) (3.6) | [`Schedule`], [`Schedule::produce`], [`Schedule::apply`] |
//! | **po**(*z*) and its linearizations (4.1) | [`Production`], [`order`] |
//! | ≃, commuting, safe, deterministic (definitions 4.1 to 4.4) | [`rename`], [`safety::commute`], [`safety::is_safe_by_definition`], [`outcome::is_deterministic`] |
//! | infl (4.2) | [`influence`] |
//! | theorem 4.7, corollaries 4.8 and 4.9 | [`safety::check`], [`corollary::safety`] |
//! | the categories of mutations (table 2) | [`Category`], [`category::classify`] |
//! | the interpreter that runs threads (section 6) | [`reduction`] |
//!
//! Two things are added. [`program`] has random programs as plain data, which a property test can generate,
//! shrink, and run both here and elsewhere. [`corollary::races`] detects schedules that are safe only because
//! each concurrent system reads a copy of the state from before. The paper's semantics assumes that copy; a
//! program with shared memory would have to make it.

#![forbid(unsafe_code)]

pub mod category;
pub mod corollary;
pub mod influence;
pub mod mutation;
pub mod order;
pub mod outcome;
pub mod production;
pub mod program;
pub mod query;
pub mod reduction;
pub mod rename;
pub mod safety;
pub mod schedule;
pub mod schema;
pub mod state;
pub mod system;
pub mod term;

pub use category::Category;
pub use mutation::{Mutation, Write};
pub use production::{Invocation, Production};
pub use query::{Found, Query};
pub use schedule::{Schedule, conc, seq};
pub use schema::{Component, Entity, Kind, Label, Schema, Value};
pub use state::State;
pub use system::{Match, System};
pub use term::Term;
