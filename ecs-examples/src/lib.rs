//! The programs of the thesis, built on `ecs-core`: the particle simulation and the churn benchmark; two small programs
//! of the paper on the calculus Core ECS; and the tower defence of the paper on the essence of ECS.
//!
//! | module | contents |
//! | --- | --- |
//! | [`particles`] | discs in a box: the entity, its creation, its file format, its fingerprint |
//! | [`part_one`] | the same entities by inheritance, by object composition, and by the library |
//! | [`core_ecs`] | the two programs of the paper on Core ECS, which compares its calculus with a library |
//! | [`tower_defence`] | one game in several designs, which compute the same bits |
//! | [`slab`] | a user-defined storage strategy, with its own metadata for each entity |
//! | [`churn`] | entities that are despawned and spawned all the time: their lives, their fingerprint |
//! | [`simulation`] | the interface between the command line and the worlds that it runs |
//! | [`worlds`] | the implementations of that interface |
//! | [`graph`] | the graphs of their declarations |
//! | [`cli`], [`plan`], [`source`] | from the flags to the runs |
//! | [`run`], [`watch`], [`memory`] | a run, its observer, and its memory use |
//! | [`report`], [`thesis`], [`output`] | the results, the thesis's figures, and the files of results |
//! | [`app`], [`failure`] | the whole program, and its errors |

#![forbid(unsafe_code)]

#[cfg(feature = "program")]
pub mod app;
pub mod churn;
#[cfg(feature = "program")]
pub mod cli;
pub mod core_ecs;
#[cfg(feature = "program")]
pub mod failure;
#[cfg(feature = "program")]
pub mod graph;
#[cfg(feature = "program")]
pub mod memory;
#[cfg(feature = "program")]
pub mod output;
pub mod part_one;
pub mod particles;
#[cfg(feature = "program")]
pub mod plan;
#[cfg(feature = "program")]
pub mod replay;
#[cfg(feature = "program")]
pub mod report;
#[cfg(feature = "program")]
pub mod run;
pub mod simulation;
pub mod slab;
#[cfg(feature = "program")]
pub mod source;
#[cfg(feature = "program")]
pub mod thesis;
pub mod tower_defence;
mod uniform;
#[cfg(feature = "program")]
pub mod watch;
pub mod worlds;
