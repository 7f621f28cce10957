//! How a world is run: in which order, on which threads, in how many pieces.

pub mod inner_parallelism;
pub mod scheduler;
pub mod settings;
