//! Worlds as a whole: what steps, systems and refreshes do to entities, on every kind of thread,
//! with every kind of effect, and when something panics.

mod adapters;
mod alignment;
mod chains;
mod deferral;
mod description;
mod disorder;
mod drops;
mod drops_that_panic;
mod events;
mod exclusive;
mod hostile;
mod hostile_impls;
mod hostile_tables;
mod influence;
mod kernels;
mod limits;
mod matrix;
mod model;
mod opt_in;
mod outputs;
mod overrides;
mod panics;
mod places;
mod removal;
mod resources;
mod rolls;
mod slices;
mod snapshots;
mod staged;
mod stages;
mod storages;
mod streams;
mod stretches;
mod support;
mod threads;
