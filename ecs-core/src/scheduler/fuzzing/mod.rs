//! Schedule fuzzing: two schedulers for tests of systems whose results might depend on an order that no
//! declaration states (see "Hidden orders" in the documentation of the scheduler).

mod delayed;
mod dice;
mod orderless;
mod shuffled;
mod subtask_order;

pub use delayed::Delayed;
use dice::Dice;
pub use orderless::assert_orderless;
pub use shuffled::Shuffled;
pub use subtask_order::SubtaskOrder;
