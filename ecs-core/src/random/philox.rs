//! The counter-based function Philox4x64-10.
//!
//! It is the Philox of four 64-bit words and ten rounds of “Parallel Random Numbers: As Easy as 1, 2, 3” (Salmon,
//! Moraes, Dror and Shaw, SC 2011): each round is two widening multiplications, whose low halves
//! are kept and whose high halves are mixed with the other words and the key. The paper reports that it passes `BigCrush` of
//! `TestU01`. For one key it is a bijection on the counters, so no two counters have the same block.

/// The multipliers of the words 0 and 2.
const MULTIPLIERS: [u64; 2] = [0xd2e7_470e_e14c_6c93, 0xca5a_8263_9512_1157];

/// What each round adds to the key: the golden ratio, and the root of three less one.
const WEYL: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];

const ROUNDS: u32 = 10;

/// The high and the low half of a product.
#[inline]
const fn product(a: u64, b: u64) -> (u64, u64) {
    let wide = a as u128 * b as u128;
    ((wide >> 64) as u64, wide as u64)
}

/// The block of a counter under a key.
#[inline]
pub(super) const fn philox(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    let mut round = 0;
    while round < ROUNDS {
        let (high_a, low_a) = product(MULTIPLIERS[0], a);
        let (high_c, low_c) = product(MULTIPLIERS[1], c);
        (a, b, c, d) = (high_c ^ b ^ k, low_c, high_a ^ d ^ l, low_a);
        (k, l) = (k.wrapping_add(WEYL[0]), l.wrapping_add(WEYL[1]));
        round += 1;
    }
    [a, b, c, d]
}
