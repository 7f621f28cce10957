//! The programs of the thesis, built on `ecs-core`: the particle simulation and the churn benchmark. And two
//! small ones of the paper on the calculus Core ECS.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`particles`] | discs in a box: the entity, its creation, its file format, its fingerprint |
//! | [`part_one`] | the same entities by inheritance, by object composition, and by the library |
//! | [`core_ecs`] | the two programs with which the paper on Core ECS compares its calculus with a library |
//! | [`slab`] | a storage strategy of a user's own, with metadata of its own for each entity |
//! | [`churn`] | entities that die and are born again: their lives, their fingerprint |
//! | [`simulation`] | the seam between the command line and the worlds it runs |
//! | [`worlds`] | those worlds |
//! | [`graph`] | their declarations, as pictures |
//! | [`cli`], [`plan`], [`source`] | from the flags to the runs |
//! | [`run`], [`watch`], [`memory`] | a run, what goes on beside it, and what it costs |
//! | [`report`], [`thesis`], [`output`] | the results, the thesis's own, and the files they go to |
//! | [`app`], [`failure`] | the whole program, and why it may not do what it was asked |

#![forbid(unsafe_code)]

pub mod app;
pub mod churn;
pub mod cli;
pub mod core_ecs;
pub mod failure;
pub mod graph;
pub mod memory;
pub mod output;
pub mod part_one;
pub mod particles;
pub mod plan;
pub mod report;
pub mod run;
pub mod simulation;
pub mod slab;
pub mod source;
pub mod thesis;
mod uniform;
pub mod watch;
pub mod worlds;
