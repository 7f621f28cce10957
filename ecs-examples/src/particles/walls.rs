//! The walls of the box.

/// The position and the velocity of a disc on one axis, between the walls at 0 and `limit`.
///
/// It has no branches, and callers store the result unconditionally, so the loop over all discs has no branches.
#[inline(always)]
#[must_use]
pub fn bounce(position: f32, velocity: f32, radius: f32, limit: f32) -> (f32, f32) {
    let before = position - radius < 0.0;
    let beyond = position + radius > limit;
    let inner = if beyond { limit - radius } else { position };
    let sign = u32::from(before | beyond) << 31;
    (if before { radius } else { inner }, f32::from_bits(velocity.to_bits() ^ sign))
}
