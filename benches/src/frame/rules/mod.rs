//! What systems do to one entity, or with one event.

mod fight;
mod minds;
mod motion;
mod picture;

pub use fight::*;
pub use minds::*;
pub use motion::*;
pub use picture::*;

/// The side of the square in which all happens.
pub const SIDE: f32 = 256.0;

/// A number that looks random.
#[inline]
#[must_use]
pub fn mix(number: u32) -> u32 {
    let mut bits = number.wrapping_add(0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0xc2b2_ae35);
    bits ^ bits >> 13
}

/// A number from 0 to 1 that looks random.
#[inline]
#[must_use]
pub fn fraction(number: u32) -> f32 {
    (mix(number) >> 8) as f32 / (1 << 24) as f32
}

/// A wave of period 1 between -1 and 1.
#[inline]
fn wave(time: f32) -> f32 {
    let x = (time - time.floor()) * 2.0 - 1.0;
    4.0 * x * (1.0 - x.abs())
}

#[inline]
fn difference(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn scaled(a: [f32; 3], factor: f32) -> [f32; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// A vector of length 1, or nearly zero.
#[inline]
fn direction(a: [f32; 3]) -> [f32; 3] {
    scaled(a, 1.0 / (dot(a, a) + 1e-6).sqrt())
}
