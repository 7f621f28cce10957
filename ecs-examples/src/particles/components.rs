//! The components of a disc. Lengths are in pixels, times in seconds. They are plain old data, so that worlds are saved as they lie
//! in memory.

use bytemuck::{Pod, Zeroable};
use ecs_core::StateHash;

/// The position of the centre.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Position(pub [f32; 2]);

/// Change of position per second.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Velocity(pub [f32; 2]);

/// Change of velocity per second.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Acceleration(pub [f32; 2]);

/// Red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Color(pub [u8; 4]);

/// The shape: a radius.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Circle(pub f32);

/// The remaining life of the disc.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, StateHash)]
#[repr(transparent)]
pub struct Life(pub f32);
