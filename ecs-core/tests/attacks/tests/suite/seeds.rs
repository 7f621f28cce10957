//! The random programs with a fixed number of seeds.
