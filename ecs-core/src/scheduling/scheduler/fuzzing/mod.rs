//! Schedule fuzzing: two schedulers for tests of systems whose results might depend on an order that no
//! declaration states (see "Hidden orders" in the documentation of the scheduler).

mod delayed;
mod orderless;
mod shuffled;

pub use delayed::Delayed;
pub use orderless::assert_orderless;
pub use shuffled::Shuffled;
