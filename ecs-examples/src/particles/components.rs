//! The components of a disc. Lengths are in pixels, times in seconds.

/// The position of the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position(pub [f32; 2]);

/// Change of position per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocity(pub [f32; 2]);

/// Change of velocity per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration(pub [f32; 2]);

/// Red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 4]);

/// The shape: a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle(pub f32);

/// The remaining life of the disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Life(pub f32);
