//! Checks of systems beside each other: cycles, conflicts, and effects that some would see too late.

pub(crate) mod conflicts;
pub(crate) mod cycles;
pub(crate) mod implied;
pub(crate) mod influence;
pub(crate) mod phases;
pub(crate) mod residual;
