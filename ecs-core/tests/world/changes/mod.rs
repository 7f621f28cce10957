//! Changes that are staged or made between executions, and the refresh that they wait for.

mod between_steps;
mod deferral;
mod events;
mod influence;
mod opt_in;
mod removal;
mod staged;
mod updates;
