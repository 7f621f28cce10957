//! Faults: a program runs once to count its calls of user code, and then once for each call, in which that call
//! panics.
//!
//! - [`Fault`] counts the calls and panics in the chosen one.
//! - [`Tracked`] is a counted value, whose clone, drop and hash are such calls.
//! - [`Program`] is a program to test, with a model of its effects; [`FaultCase`] tests it.
//! - [`places`] lists the kinds of places at which the library calls user code.

mod case;
mod fault;
mod forms;
pub mod places;
mod shelf;
mod tracked;
mod worried;

pub use case::{FaultCase, Program, Report, one_of};
pub use fault::{Fault, Fired, Hook, Mode};
pub use forms::{Caught, Counting, Idle, Later, Tag};
pub use shelf::{Hooked, Shelf};
pub use tracked::{Role, Tracked};
pub use worried::Worried;
