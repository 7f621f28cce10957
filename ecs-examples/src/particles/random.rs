//! Random creation of discs: the same seed gives the same discs on every machine and in every
//! version of the generator's crate.

use super::{BOX_HEIGHT, BOX_WIDTH, Disc, LONGEST_RANDOM_LIFE};
use crate::uniform::uniform;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// The stream of the generator (any constant would do).
const STREAM: u64 = 0x0070_6172_7469_636C;

/// Creates `count` random discs lazily, one after the other.
///
/// Velocity is uniform in [-3, 3)², position uniform in the box, red, green and blue uniform in
/// 0 to 255, radius uniform in [0.5, 2.5) and life uniform in [5, 25); acceleration is (0, 1) and
/// alpha 255. Every float is made from 24 random bits. The first discs of a larger `count` are
/// those of a smaller one.
///
/// ```
/// let discs: Vec<_> = ecs_examples::particles::random_discs(3, 1).collect();
/// assert_eq!(discs.len(), 3);
/// assert!(discs.iter().all(|disc| (5.0..25.0).contains(&disc.life)));
/// ```
pub fn random_discs(count: usize, seed: u64) -> RandomDiscs {
    RandomDiscs { left: count, generator: Pcg32::new(seed, STREAM) }
}

/// The iterator that [`random_discs`] returns.
#[derive(Clone, Debug)]
pub struct RandomDiscs {
    left: usize,
    generator: Pcg32,
}

impl RandomDiscs {
    fn float(&mut self, low: f32, high: f32) -> f32 {
        uniform(self.generator.next_u32(), low, high)
    }

    fn byte(&mut self) -> u8 {
        // The high bits of this generator have the best quality.
        (self.generator.next_u32() >> 24) as u8
    }
}

impl Iterator for RandomDiscs {
    type Item = Disc;

    fn next(&mut self) -> Option<Disc> {
        self.left = self.left.checked_sub(1)?;
        Some(Disc {
            acceleration: [0.0, 1.0],
            velocity: [self.float(-3.0, 3.0), self.float(-3.0, 3.0)],
            position: [self.float(0.0, BOX_WIDTH), self.float(0.0, BOX_HEIGHT)],
            color: [self.byte(), self.byte(), self.byte(), 255],
            radius: self.float(0.5, 2.5),
            life: self.float(5.0, LONGEST_RANDOM_LIFE),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for RandomDiscs {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_its_ranges_and_covers_them() {
        let discs: Vec<Disc> = random_discs(20_000, 7).collect();
        assert_eq!(discs.len(), 20_000);
        let covers = |name: &str, low: f32, high: f32, value: &dyn Fn(&Disc) -> f32| {
            let least = discs.iter().map(value).fold(f32::INFINITY, f32::min);
            let most = discs.iter().map(value).fold(f32::NEG_INFINITY, f32::max);
            let mean = discs.iter().map(value).sum::<f32>() / discs.len() as f32;
            assert!(low <= least && most < high, "{name} leaves its range: {least}..{most}");
            let width = high - low;
            assert!(least < low + width / 200.0 && most > high - width / 200.0, "{name}");
            assert!(
                (mean - f32::midpoint(low, high)).abs() < width / 50.0,
                "{name} has mean {mean}"
            );
        };
        covers("vx", -3.0, 3.0, &|disc| disc.velocity[0]);
        covers("vy", -3.0, 3.0, &|disc| disc.velocity[1]);
        covers("px", 0.0, BOX_WIDTH, &|disc| disc.position[0]);
        covers("py", 0.0, BOX_HEIGHT, &|disc| disc.position[1]);
        covers("radius", 0.5, 2.5, &|disc| disc.radius);
        covers("life", 5.0, 25.0, &|disc| disc.life);
        for channel in 0..3 {
            covers("colour", 0.0, 256.0, &|disc| f32::from(disc.color[channel]));
        }
        for disc in &discs {
            assert_eq!(disc.acceleration.map(f32::to_bits), [0.0_f32, 1.0].map(f32::to_bits));
            assert_eq!(disc.color[3], 255);
        }
    }

    #[test]
    fn same_seed_same_discs_other_seed_others() {
        let few: Vec<Disc> = random_discs(10, 1).collect();
        let many: Vec<Disc> = random_discs(100, 1).collect();
        assert_eq!(few, many[..10]);
        assert_ne!(few, random_discs(10, 2).collect::<Vec<_>>());
    }
}
