//! Worlds as a whole: the effect of steps, systems and refreshes on entities, on every kind of thread, with
//! every kind of effect, and after panics.

mod changes;
mod hostile;
mod matrix;
mod model;
mod outputs;
mod panics;
mod rolls;
mod schedule;
mod snapshots;
mod spawns;
mod storage;
mod support;
mod systems;
