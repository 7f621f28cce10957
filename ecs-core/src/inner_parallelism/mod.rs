//! *Inner parallelism*: splitting one system's entities over subtasks (thesis, 10.4).
//!
//! A [`Strategy`] says into how many subtasks; [composers](composer) put strategies together; the
//! *slices* are cut on the boundaries of 64-row blocks, so that no two subtasks share a word of
//! any presence set.

pub mod composer;
pub mod strategy;

pub use composer::{FixedThreshold, NoneBelowThreshold};
pub use strategy::{None, SplitEvenly, SplitEvenlyCores, SplitEvery, Strategy};
