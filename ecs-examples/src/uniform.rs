//! From random bits to floats in a half-open range.

/// Maps random bits to a float in [`low`, `high`), uniformly. It uses the upper 24 bits, the precision
/// of an `f32` below 1. A value that would be rounded to `high` becomes the next float below `high`.
pub(crate) fn uniform(bits: u32, low: f32, high: f32) -> f32 {
    let unit = (bits >> 8) as f32 / (1 << 24) as f32;
    (low + (high - low) * unit).min(high.next_down())
}

#[cfg(test)]
mod tests {
    use super::uniform;

    #[test]
    #[expect(clippy::float_cmp, reason = "the ends of the range are exact")]
    fn reaches_the_lower_end_but_not_the_upper() {
        for (low, high) in [(0.0, 1440.0), (-3.0, 3.0), (0.5, 2.5), (5.0, 25.0), (2.0, 4.0)] {
            assert_eq!(uniform(0, low, high), low);
            assert!(uniform(u32::MAX, low, high) < high);
        }
    }
}
