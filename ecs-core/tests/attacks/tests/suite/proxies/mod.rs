//! Nested worlds whose proxies are handed to one another and swapped.
//!
//! A world is stepped in a body, a closure or a function of another world of the same declaration. Its proxies meet
//! those of the outer world there, are brought to one lifetime, and change places wherever the types allow it. Each
//! world's values carry its stamp, so that it shows whose they are.

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
