//! *Rollback netcode* for worlds of [`ecs_core`], on top of [`ggrs`].
//!
//! Each machine computes the whole game, and machines send each other nothing but the inputs of their players. So all must
//! compute the same, bit for bit, which worlds of `ecs_core` do on any number of threads. A machine does not wait for the
//! inputs of others: it predicts them, and if a prediction was wrong, it goes back and computes the frames since then
//! again.
//!
//! A game has its inputs as a resource, and is advanced by a [`Session`]. Two machines:
//!
//! ```no_run
//! use std::{error::Error, thread, time::Duration};
//!
//! use ecs_core::{StateHash, World, world};
//! use ecs_rollback::{Builder, Event, Input, Inputs, Udp};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
//! struct Thrust(i8);
//! impl Input for Thrust {}
//!
//! #[derive(Clone, StateHash)]
//! struct Ship { player: usize, height: i32 }
//!
//! world! {
//!     world Duel;
//!     component Ship;
//!     resource Inputs<Thrust>;
//!     system Fly {
//!         each: |ship: &mut Ship, inputs: &Inputs<Thrust>| {
//!             ship.height += i32::from(inputs[ship.player].0);
//!         },
//!     }
//! }
//!
//! # fn thrust() -> Thrust { Thrust(1) }
//! # fn draw(_: &World<Duel>) {}
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let mut world = World::<Duel>::new();
//!     world.spawn_batch([0, 1].map(|player| (Ship { player, height: 0 },)));
//!     // The other machine has `remote` first, with the address of this one.
//!     let players = Builder::new().local().remote("192.0.2.7:7000".parse()?);
//!     let mut session = players.start(world, Udp::port(7000)?)?;
//!     loop {
//!         let _ = session.advance([thrust()])?;
//!         for event in session.events() {
//!             if let Event::DesyncDetected(desync) = event { eprintln!("{desync}") }
//!         }
//!         draw(session.world());
//!         thread::sleep(Duration::from_micros(16_667));
//!     }
//! }
//! ```
//!
//! The example `tanks` is a game for two to four: `cargo run --release -p ecs-rollback --example tanks -- play`. Its
//! `main.rs` tells how to play over a network, and over a bad one.
//!
//! | | |
//! | --- | --- |
//! | [`Builder`] | who plays, and how |
//! | [`Session`] | a game between machines, with prediction and rollback, or in [lockstep](Builder::lockstep) |
//! | [`Spectator`] | a machine that watches |
//! | [`SyncTest`] | a test without a network: is this game fit for rollback? |
//! | [`Inputs`] | the resource that systems read |
//! | [`Transport`], [`Udp`] | how packets are sent |
//! | [`Event`], [`Desync`] | what happens between machines; where two of them differ, and why |
//!
//! **The ring.** A session has a ring of [snapshots](ecs_core::Snapshot), one for each frame that it can go back to, whose
//! memory is reused: in steady state, saving allocates nothing. The saves of `ggrs` have a frame and a hash, and no
//! copy of the world.
//!
//! **Comparison.** Every [some](Builder::compare_every) frames, peers send each other the hash of a state that is final, and of
//! its [parts](ecs_core::World::state_hashes). A difference is an [`Event::DesyncDetected`]: the frame, the parts that differ, the
//! systems that change these parts, and what a [`Replay`] of the frames before shows. If this machine does not compute the same
//! again, the cause is in its program, and the step and the system are named. Then the machines tell each other what they
//! have found, the states after each step and after each system of the step that differs. That is an
//! [`Event::DesyncLocated`], with the step, the system and the parts, also where each machine is true to itself.
//!
//! **What a game must not do.** Systems compute from state and inputs alone. A clock, an unseeded random number, an address,
//! or the order of a hash table differs between machines, and so does what is left in
//! [`transient`](ecs_core::snapshot) data by an earlier step. A [`SyncTest`] finds most of that before the game is
//! played.
//!
//! **Strangers.** Packets are neither encrypted nor signed: who can send packets from the address of a peer can play in its
//! place, or end the game; memory is safe from it. A [`Transport`] over an encrypted connection prevents that. The inputs of all players are
//! known to all machines, and so is the whole world.

mod builder;
mod check;
mod culprit;
mod error;
mod event;
mod guard;
mod inputs;
mod investigation;
mod peers;
mod replica;
mod ring;
mod session;
mod spectator;
mod sync_test;
mod transport;

pub use builder::{Address, Builder};
pub use error::{Divergence, RollbackError, Suspects};
pub use event::{Desync, Event, Progress};
pub use ggrs::Frame;
pub use inputs::{Input, Inputs};
pub use investigation::{Cause, Replay};
pub use replica::Playable;
pub use session::{Session, Status};
pub use spectator::Spectator;
pub use sync_test::SyncTest;
pub use transport::{Transport, Udp};
