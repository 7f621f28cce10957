//! The fingerprint of a state of the particle simulation.

use super::Disc;
use crate::simulation::ParticleWorld;
use xxhash_rust::xxh3::Xxh3;

/// Adds one living disc to `hasher`: its id and the bits of its components, little-endian, in the
/// order id, position, velocity, acceleration, colour, radius, life.
///
/// Two states are equal if adding their living discs in the order in which systems visit them
/// gives the same digest.
pub fn hash_disc(hasher: &mut Xxh3, id: u32, disc: &Disc) {
    let words = [
        id,
        disc.position[0].to_bits(),
        disc.position[1].to_bits(),
        disc.velocity[0].to_bits(),
        disc.velocity[1].to_bits(),
        disc.acceleration[0].to_bits(),
        disc.acceleration[1].to_bits(),
        u32::from_le_bytes(disc.color),
        disc.radius.to_bits(),
        disc.life.to_bits(),
    ];
    let mut bytes = [0; 40];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    hasher.update(&bytes);
}

/// Fingerprint of all living discs of `world`, for any implementation. `id_of` maps the
/// creation index of a disc to its id.
pub fn state_hash(world: &dyn ParticleWorld, id_of: impl Fn(u32) -> u32) -> u64 {
    let mut hasher = Xxh3::new();
    world.for_each_disc(&mut |index, disc| hash_disc(&mut hasher, id_of(index), disc));
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::random_discs;

    fn digest(id: u32, disc: &Disc) -> u64 {
        let mut hasher = Xxh3::new();
        hash_disc(&mut hasher, id, disc);
        hasher.digest()
    }

    #[test]
    fn every_component_counts() {
        let disc = random_discs(1, 3).next().expect("one disc was asked for");
        let mut seen = vec![digest(0, &disc), digest(1, &disc)];
        let changes: [fn(&mut Disc); 9] = [
            |disc| disc.position[0] += 1.0,
            |disc| disc.position[1] += 1.0,
            |disc| disc.velocity[0] += 1.0,
            |disc| disc.velocity[1] += 1.0,
            |disc| disc.acceleration[0] += 1.0,
            |disc| disc.acceleration[1] += 1.0,
            |disc| disc.color[3] -= 1,
            |disc| disc.radius += 1.0,
            |disc| disc.life += 1.0,
        ];
        for change in changes {
            let mut other = disc;
            change(&mut other);
            seen.push(digest(0, &other));
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all, "a change went unnoticed");
    }

    #[test]
    fn zero_and_minus_zero_differ() {
        let mut disc = random_discs(1, 3).next().expect("one disc was asked for");
        disc.velocity[0] = 0.0;
        let plus = digest(0, &disc);
        disc.velocity[0] = -0.0;
        assert_ne!(plus, digest(0, &disc));
    }
}
