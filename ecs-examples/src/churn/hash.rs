//! The fingerprint of a state of the churn benchmark.

use crate::simulation::ChurnWorld;
use xxhash_rust::xxh3::xxh3_64;

/// Adds one living entity to `digest`: the bits of its life and the spawns it has left.
///
/// Entities of this benchmark are told apart by nothing else, so the digest is a sum: it does not
/// depend on the order in which they are visited, nor on their ids. Start from 0.
pub fn hash_life(digest: &mut u64, life: f32, spawns: u32) {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&life.to_bits().to_le_bytes());
    bytes[4..].copy_from_slice(&spawns.to_le_bytes());
    *digest = digest.wrapping_add(xxh3_64(&bytes));
}

/// Fingerprint of all living entities of `world`, whatever the world is built on.
pub fn state_hash(world: &dyn ChurnWorld) -> u64 {
    let mut digest = 0;
    world.for_each_life(&mut |life, spawns| hash_life(&mut digest, life, spawns));
    digest
}

#[cfg(test)]
mod tests {
    use super::hash_life;

    fn digest(lives: &[(f32, u32)]) -> u64 {
        let mut digest = 0;
        for &(life, spawns) in lives {
            hash_life(&mut digest, life, spawns);
        }
        digest
    }

    #[test]
    fn order_does_not_count_all_else_does() {
        let state = [(2.5, 300), (3.5, 299)];
        assert_eq!(digest(&state), digest(&[state[1], state[0]]));
        assert_ne!(digest(&state), digest(&state[..1]));
        assert_ne!(digest(&state), digest(&[(2.5, 299), (3.5, 300)]));
        assert_ne!(digest(&state), digest(&[(2.5, 300), (3.5, 298)]));
        assert_ne!(digest(&[(2.5, 1)]), digest(&[(2.5, 1), (2.5, 1)]));
    }
}
