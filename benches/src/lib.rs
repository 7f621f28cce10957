//! The benchmark programs written by hand, with which the library is compared.

#![forbid(unsafe_code)]

/// The components of [`frame`], which this library takes as they are. `benches/peers` has its own macro.
macro_rules! components {
    ($($item:item)*) => {$(
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        $item
    )*};
}

/// The resources of [`frame`].
macro_rules! singletons {
    ($($item:item)*) => {$(
        #[derive(Clone, Copy, Debug, Default)]
        $item
    )*};
}

pub mod beside;
pub mod boids;
pub mod bundle;
pub mod by_hand;
pub mod flock;
pub mod frame;
pub mod host;
pub mod kernel;
pub mod save;
pub mod snapshot;
