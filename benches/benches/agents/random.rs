//! Random choices that depend on a counter and not on the order in which they are made.

/// A number that looks random, and is the same for the same two numbers.
#[inline]
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xD1B5_4A32_D192_ED03);
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ (x >> 32)
}

/// A number below `count`, of a number that looks random in its upper half.
#[inline]
pub(crate) fn below(count: usize, random: u64) -> usize {
    (((random >> 32) * count as u64) >> 32) as usize
}
