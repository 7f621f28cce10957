//! Which systems are executed, in which order, on which threads, and what a description says of it.

mod alone;
mod barriers;
mod chains;
mod description;
mod many_systems;
mod only;
mod schedule_fuzzing;
mod slices;
mod stages;
mod threads;
