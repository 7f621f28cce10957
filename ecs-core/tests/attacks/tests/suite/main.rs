//! The attacks, as tests.
#![forbid(unsafe_code)]

mod faults;
mod hostile;
mod proxies;
mod reported;
mod seeds;
mod variance;
