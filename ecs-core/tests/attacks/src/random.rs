//! Shared by the random programs: bytes derived from a seed number, and choices drawn from bytes.

use arbitrary::Unstructured;

/// Mixes a number: the finaliser of `splitmix64`.
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Up to `most` bytes derived from a seed number, by `splitmix64`.
#[must_use]
pub fn bytes(seed: u64, most: usize) -> Vec<u8> {
    let len = (mix(!seed) % most as u64 + 1) as usize;
    let words = (0..len.div_ceil(8) as u64).map(|word| mix(mix(seed).wrapping_add(word)));
    words.flat_map(u64::to_le_bytes).take(len).collect()
}

/// The next byte; 0 after the last one.
pub fn byte(u: &mut Unstructured<'_>) -> u8 {
    u.arbitrary().unwrap_or(0)
}

/// The next number of two bytes.
pub fn word(u: &mut Unstructured<'_>) -> u16 {
    u.arbitrary().unwrap_or(0)
}

/// A number below `end`, of one byte.
pub fn below(u: &mut Unstructured<'_>, end: usize) -> usize {
    usize::from(byte(u)) % end
}

/// True with a probability of `of` in 256; false after the last byte.
pub fn chance(u: &mut Unstructured<'_>, of: u8) -> bool {
    !u.is_empty() && byte(u) < of
}

/// Up to `most` items, fewer if the bytes end.
pub fn list<'b, T>(
    u: &mut Unstructured<'b>,
    most: usize,
    mut item: impl FnMut(&mut Unstructured<'b>) -> T,
) -> Vec<T> {
    let mut items = Vec::new();
    let len = below(u, most + 1);
    while items.len() < len && !u.is_empty() {
        items.push(item(u));
    }
    items
}
