//! Nested worlds whose proxies are handed to one another and swapped.
//!
//! A world is stepped in a body, a closure or a function of another world of the same declaration. There its proxies
//! meet those of the outer world, are brought to one lifetime, and are swapped wherever the types allow it. The values
//! of each world carry its stamp, which shows the world that they belong to.

mod bundles;
mod events;
mod executions;
mod nest;
mod queries;
mod readers;
mod sequential;
mod states;
mod steps;
mod streams;
