//! Faults: a program runs once to count its calls of user code, and then once more for each call, which
//! panics.
//!
//! - [`Fault`] counts the calls and has the chosen one panic.
//! - [`Tracked`] is a value whose clone, drop and hash are such calls, and of which each is counted.
//! - [`Program`] is what is tried, with a model of what it does; [`Trial`] tries it.
//! - [`places`] lists the kinds of places at which the library calls user code.

mod fault;
mod forms;
pub mod places;
mod shelf;
mod tracked;
mod trial;
mod worried;

pub use fault::{Fault, Fired, Hook, Mode};
pub use forms::{Caught, Counting, Idle, Later, Tag};
pub use shelf::{Hooked, Shelf};
pub use tracked::{Role, Tracked};
pub use trial::{Program, Report, Trial, one_of};
pub use worried::Worried;
