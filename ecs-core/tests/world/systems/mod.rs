//! What the body of a system reaches, and code that replaces it.

mod adapters;
mod bodies;
mod exclusive;
mod iterators;
mod kernels;
mod overrides;
mod parameters;
mod random;
mod resources;
