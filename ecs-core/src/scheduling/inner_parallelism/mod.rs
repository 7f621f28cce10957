//! *Inner parallelism*: splitting one system's entities over subtasks (thesis, 10.4).
//!
//! A [`Strategy`] decides the number of subtasks, and where the entities are cut, if not evenly. Composers combine
//! strategies. The *slices* are cut on the boundaries of 64-row blocks, so that no two subtasks share a word of any presence set.
//!
//! Both are traits that users can implement: a type can be a custom strategy, and a type that is generic over
//! another strategy is a composer. In a declaration they are used like the library's. A composer is written
//! like a call, or as a type:
//!
//! ```
//! use ecs_core::inner_parallelism::{Cut, Strategy};
//! # use ecs_core::{World, world};
//! # use std::marker::PhantomData;
//! # struct Position(f32);
//!
//! /// Few subtasks of few entities, many of many.
//! struct ByRoot;
//!
//! impl Strategy for ByRoot {
//!     fn subtasks(entities: usize, _: usize) -> usize {
//!         entities.isqrt()
//!     }
//! }
//!
//! /// What `S` says, but no more than `N` for each core.
//! struct AtMost<const N: usize, S>(PhantomData<S>);
//!
//! impl<const N: usize, S: Strategy> Strategy for AtMost<N, S> {
//!     const SINGLE_SUBTASK: bool = S::SINGLE_SUBTASK;
//!
//!     fn subtasks(entities: usize, cores: usize) -> usize {
//!         S::subtasks(entities, cores).min(N * cores)
//!     }
//!
//!     const CUT: Option<fn(Cut) -> usize> = S::CUT;
//! }
//!
//! world! {
//!     world Line;
//!     component Position;
//!     system Move { parallelism: ByRoot, each: |position: &mut Position| position.0 += 1.0 }
//!     system Turn {
//!         dependencies: [Move],
//!         parallelism: AtMost(4, fixed_threshold(1_000, split_every(100), ByRoot)),
//!         each: |position: &mut Position| position.0 = -position.0,
//!     }
//!     system Stop {
//!         dependencies: [Turn],
//!         parallelism: AtMost<2, ByRoot>,
//!         each: |position: &mut Position| position.0 = position.0.max(0.0),
//!     }
//! }
//! # World::<Line>::new().tick().unwrap();
//! ```

mod composer;
mod strategy;

pub use composer::{FixedThreshold, NoneBelowThreshold};
pub use strategy::{Cut, None, SplitEvenly, SplitEvenlyCores, SplitEvery, Strategy};
