//! The life of an entity. It is derived from hashes, so it does not depend on the order of creation.

use crate::uniform::uniform;

/// The number of successors of an entity: an initial entity has this many remaining
/// spawns, its successor one fewer, and so on. An entity with none is despawned without a successor.
pub const SPAWNS: u32 = 300;

/// The decrease of every life per frame: ten per second, for the 0.04 seconds of a frame.
pub const DECAY_PER_FRAME: f32 = 10.0 * crate::particles::FRAME_SECONDS;

/// Separates the initial lives from those of successors.
const START: u64 = 0x7374_6172_7469_6E67;

/// The life, uniform in [2, 4), of the initial entity number `index`.
pub fn initial_life(seed: u64, index: usize) -> f32 {
    draw(seed ^ START, index as u64)
}

/// The life, uniform in [2, 4), of the successor of a despawned entity.
///
/// `last_bits` are the bits of the despawned entity's last life (not above zero), and
/// `spawns` is its number of remaining spawns: at least 1, since it has a successor.
pub fn next_life(seed: u64, last_bits: u32, spawns: u32) -> f32 {
    draw(seed, u64::from(last_bits) << 32 | u64::from(spawns))
}

fn draw(seed: u64, key: u64) -> f32 {
    uniform((mix(mix(seed) ^ key) >> 32) as u32, 2.0, 4.0)
}

/// A bijection of 64 bits in which every input bit reaches every output bit: the step and the
/// finalizer of the generator `SplitMix64`.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_uniform(lives: impl Iterator<Item = f32>) {
        let mut buckets = [0_usize; 20];
        let mut count = 0;
        for life in lives {
            assert!((2.0..4.0).contains(&life), "{life} is not in [2, 4)");
            buckets[((life - 2.0) * 10.0) as usize] += 1;
            count += 1;
        }
        let expected = count / buckets.len();
        for (number, &bucket) in buckets.iter().enumerate() {
            assert!(bucket.abs_diff(expected) < expected / 10, "bucket {number}: {bucket}");
        }
    }

    #[test]
    fn lives_are_uniform() {
        assert_uniform((0..100_000).map(|index| initial_life(1, index)));
        assert_uniform((0..100_000).map(|bits| next_life(1, (-0.1_f32).to_bits() + bits, 7)));
        assert_uniform((1..=100_000).map(|spawns| next_life(1, (-0.1_f32).to_bits(), spawns)));
        assert_uniform((0..100_000).map(|seed| initial_life(seed, 0)));
    }

    #[test]
    fn each_input_matters() {
        let bits = (-0.25_f32).to_bits();
        assert_ne!(next_life(1, bits, 7).to_bits(), next_life(2, bits, 7).to_bits());
        assert_ne!(next_life(1, bits, 7).to_bits(), next_life(1, bits, 8).to_bits());
        assert_ne!(next_life(1, bits, 7).to_bits(), next_life(1, bits + 1, 7).to_bits());
        assert_ne!(initial_life(1, 7).to_bits(), next_life(1, 0, 7).to_bits());
    }
}
