//! Faults injected at the *n*-th call of user code, for all *n*.
//!
//! Each module has one program or a few of one kind; `coverage` checks that they reach every kind of place.

mod coverage;
mod deferred;
mod events;
mod hard;
mod joins;
mod limits;
mod lookups;
mod making;
mod many;
mod merges;
mod overrides;
mod phases;
mod rolls;
mod snapshots;
mod staged;
mod steps;
mod strategy;
mod streams;
mod updates;
