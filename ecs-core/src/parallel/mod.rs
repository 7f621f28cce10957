//! Work on several threads: pieces that run side by side, and panics in them.
//!
//! Nothing here knows entities or systems. [`scheduler`](crate::scheduler) has the public names.

mod dice;
mod drops;
mod fork;
mod fork_join;
mod helpers;
mod panic_slot;
mod subtask_order;
mod threads;

pub(crate) use dice::Dice;
pub(crate) use drops::{DropEach, DropQuietly, drop_all};
pub(crate) use fork::fork_chunks_of_both;
pub use fork::{fork, fork_chunks, fork_each};
pub use fork_join::{ForkJoin, Inline, Rayon};
pub use panic_slot::{Failure, PanicSlot, Payload};
pub use subtask_order::SubtaskOrder;
pub(crate) use subtask_order::between_pauses;
pub(crate) use threads::Available;
pub use threads::{Threads, Workers};
