//! *Replays*: the inputs of a run, from which the run can be repeated with the same bits.
//!
//! The state after a step depends only on the state before it and on the input, on any number of threads. So a recording needs only
//! the first state and the inputs. It also has a [hash](crate::World::state_hash) of the state after each step, to verify a replay,
//! and further states, so that a player reaches any step from a state nearby.
//!
//! An input is a value of the program, for example a struct of buttons, or a list of commands. The program says what a step is:
//! a function that gets the world and an input. States are saved by [`World::save`](crate::World::save), or in a
//! [`SaveFormat`](crate::SaveFormat): [`Recording::start_in`] and [`Recording::record_in`] write its versions, and
//! [`Player::seek_in`] loads the states of older programs by its former names and migrations. Inputs have no versions: let an
//! input be an `enum` that grows at its end, or give it a version of its own.
//!
//! [`compare`] finds where two recordings diverge: the step, the system, the entity and both values. [`compare_saves`] finds what differs between two
//! saves.
//!
//! ```
//! use ecs_core::replay::{Player, Recording};
//! use ecs_core::{StateHash, World, world};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, StateHash)]
//! struct Position(i32);
//!
//! #[derive(Default, Serialize, Deserialize, StateHash)]
//! struct Wind(i32);
//!
//! world! {
//!     world Sky;
//!     component Position;
//!     resource Wind;
//!     system Drift { each: |position: &mut Position, wind: &Wind| position.0 += wind.0 }
//! }
//!
//! fn step(world: &mut World<Sky>, wind: &i32) {
//!     world.resource_mut::<Wind>().0 = *wind;
//!     world.tick().expect("nothing is spawned");
//! }
//!
//! let mut world = World::<Sky>::new();
//! let bird = world.spawn((Position(0),));
//! let mut recording = Recording::start(&world, 10)?;
//! for wind in 0..100 {
//!     step(&mut world, &wind);
//!     recording.record(&world, wind)?;
//! }
//! let mut file = Vec::new();
//! recording.save(&mut file)?;
//!
//! // Later, elsewhere.
//! let recording = Recording::<i32>::load(&file)?;
//! let mut world = World::<Sky>::new();
//! recording.verify(&mut world, step)?;
//! let mut player = Player::new(&recording);
//! player.seek(&mut world, 42, step)?;
//! assert_eq!(world.get::<Position>(bird).unwrap().0, (0..42).sum());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod file;
mod recording;

pub use compare::{CompareError, Divergence, compare, compare_saves};
pub use recording::{Player, Recording, ReplayError};
