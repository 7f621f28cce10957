//! The fingerprint of a state of the churn benchmark.

use crate::simulation::ChurnWorld;
use xxhash_rust::xxh3::Xxh3;

/// Adds one living entity to `hasher`: the bits of its life, and its remaining spawns.
pub fn hash_life(hasher: &mut Xxh3, life: f32, spawns: u32) {
    hasher.update(&life.to_bits().to_le_bytes());
    hasher.update(&spawns.to_le_bytes());
}

/// Fingerprint of all living entities of `world`, in the order in which the world visits them.
pub fn state_hash(world: &dyn ChurnWorld) -> u64 {
    let mut hasher = Xxh3::new();
    world.for_each_life(&mut |life, spawns| hash_life(&mut hasher, life, spawns));
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(lives: &[(f32, u32)]) -> u64 {
        let mut hasher = Xxh3::new();
        for &(life, spawns) in lives {
            hash_life(&mut hasher, life, spawns);
        }
        hasher.digest()
    }

    #[test]
    fn everything_counts() {
        let state = [(2.5, 300), (3.5, 299)];
        assert_eq!(digest(&state), digest(&state));
        assert_ne!(digest(&state), digest(&[state[1], state[0]]));
        assert_ne!(digest(&state), digest(&state[..1]));
        assert_ne!(digest(&state), digest(&[(2.5, 299), (3.5, 300)]));
        assert_ne!(digest(&state), digest(&[(2.5, 300), (3.5, 298)]));
        assert_ne!(digest(&[(0.0, 1)]), digest(&[(-0.0, 1)]));
    }
}
