//! The tests of whole programs, in one binary.

#![forbid(unsafe_code)]

mod binary;
mod core_ecs;
mod graph;
mod lockstep;
mod program;
mod reference;
mod refusals;
mod replays;
mod saves;
mod support;
mod tower_defence;
