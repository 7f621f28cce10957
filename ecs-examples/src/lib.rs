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
//! | [`program`] | the command line, the runs and their results |

#![forbid(unsafe_code)]

pub mod churn;
pub mod core_ecs;
pub mod part_one;
pub mod particles;
#[cfg(feature = "program")]
pub mod program;
pub mod simulation;
pub mod slab;
pub mod tower_defence;
mod uniform;
pub mod worlds;
