//! *Randomness*: numbers that follow from a seed, the system, the execution and the entity, and from nothing else.
//!
//! A generator with a state gives numbers in the order in which it is asked. If systems shared one, the results would
//! depend on threads; if each entity had its own, it would have to be stored. A *counter-based* generator is a function
//! from a key and a counter to numbers. Here the key is the seed of the world, and the counter is made of the system, the
//! execution, the entity, and the number of the draw. So there is nothing to store, and an entity draws the same numbers
//! on any number of threads, with any scheduler, and however the system is split.
//!
//! A system that declares `random` gets a generator for each entity by [`Effects::random`](crate::Effects::random):
//!
//! ```
//! use ecs_core::{Entity, World, world};
//!
//! struct Position(f32);
//!
//! world! {
//!     world Dust { seed: 7 }
//!     component Position;
//!     system Drift {
//!         random,
//!         parallelism: split_evenly(cores),
//!         each: |grain: Entity, position: &mut Position, effects| {
//!             position.0 += effects.random(grain).f32() - 0.5;
//!         },
//!     }
//! }
//!
//! let drift = |seed| {
//!     let mut world = World::<Dust>::new();
//!     world.set_seed(seed);
//!     let grain = world.spawn((Position(0.0),));
//!     world.tick().unwrap();
//!     world.get::<Position>(grain).unwrap().0
//! };
//! assert_eq!(drift(7), drift(7));
//! assert_ne!(drift(7), drift(8));
//! ```
//!
//! What is drawn is part of the determinism of the world. The seed, and the number of executions so far, are in
//! clones and snapshots, are restored, and count in the [`state_hash`](crate::World::state_hash) of a world with a system
//! that declares `random`. So a rollback draws the same numbers again.
//!
//! Each call of `random` for an entity begins its numbers anew, within one execution. A body takes the generator once for
//! an entity, and draws all that it needs from it. Further sequences of the same entity, as one for each of several
//! others that it meets, are [substreams](Random::substream).
//!
//! Outside of systems, [`Random::new`] makes a generator from a seed of the program's own, for instance for what a step
//! spawns.
//!
//! The function is Philox4x64-10. It is fast and of good quality, and it is not for cryptography: the seed determines all
//! numbers. The numbers of a seed are the same on every machine.
//!
//! With the feature `rand_core` of this crate, a [`Random`] implements `rand_core::TryRng` without errors, and thereby
//! `Rng`. So everything of `rand` and `rand_distr` can draw from it.

mod philox;
mod range;
#[cfg(test)]
mod tests;

pub use range::Integer;

use philox::philox;

/// Where the generator of a system begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RandomState {
    /// The seed.
    pub(crate) seed: u64,
    /// The executions since the seed was set.
    pub(crate) executions: u64,
}

/// What a generator of a system is for.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    /// The index of the system.
    pub(crate) system: u32,
    /// The bits of the entity.
    pub(crate) entity: u64,
}

/// A generator of random numbers: those of an entity in an execution ([`Effects::random`](crate::Effects::random)), or
/// those of a [seed](Self::new). The [module](self) says what they follow from.
///
/// It is a value without ties to the world. Each draw of a number takes 64 bits of the sequence; four are computed
/// at a time.
///
/// ```
/// use ecs_core::random::Random;
///
/// let mut random = Random::new(17, 0);
/// let die = random.range(1..=6);
/// assert!((1..=6).contains(&die));
/// assert!((0.0..1.0).contains(&random.f64()));
/// // The same seed has the same numbers.
/// assert_eq!(Random::new(17, 0).range(1..=6), die);
/// ```
#[doc(alias("rng", "prng"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    key: [u64; 2],
    /// The next block. The last word has the system in its upper half, and the substream in its lower one.
    counter: [u64; 4],
    words: [u64; 4],
    /// How many of the words have not been drawn yet: the last ones.
    left: usize,
}

/// The second words of keys: no generator of a system has the numbers of one that a program has made.
const OF_SYSTEMS: u64 = 0;
const OF_PROGRAMS: u64 = 1;

impl Random {
    /// The generator of a seed and a number of a stream: each stream is a sequence of its own. It is for code outside of
    /// systems.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self::of([seed, OF_PROGRAMS], [0, stream, 0, 0])
    }

    /// The generator of a system for an entity.
    #[inline]
    pub(crate) const fn of_system(state: RandomState, subject: Subject) -> Self {
        let system = (subject.system as u64) << 32;
        Self::of([state.seed, OF_SYSTEMS], [0, subject.entity, state.executions, system])
    }

    #[inline]
    const fn of(key: [u64; 2], counter: [u64; 4]) -> Self {
        Self { key, counter, words: [0; 4], left: 0 }
    }

    /// A further sequence of the same entity, or of the same seed and stream: from its beginning, wherever this one is.
    /// Each number has its own; that of a generator which is no substream has the number 0.
    ///
    /// ```
    /// use ecs_core::random::Random;
    ///
    /// let random = Random::new(17, 0);
    /// let mut of_each = (1..=3).map(|other| random.substream(other).u64());
    /// assert_ne!(of_each.next(), of_each.next());
    /// assert_eq!(random.substream(0), random);
    /// ```
    #[inline]
    #[must_use]
    pub const fn substream(&self, number: u32) -> Self {
        let [_, subject, execution, system] = self.counter;
        let system = system & !0xffff_ffff | number as u64;
        Self::of(self.key, [0, subject, execution, system])
    }

    /// A number of 64 bits, all of which are equally likely.
    #[inline]
    pub const fn u64(&mut self) -> u64 {
        if self.left == 0 {
            self.words = philox(self.counter, self.key);
            self.counter[0] = self.counter[0].wrapping_add(1);
            self.left = self.words.len();
        }
        let word = self.words[self.words.len() - self.left];
        self.left -= 1;
        word
    }

    /// A number of 32 bits: the upper half of a [`u64`](Self::u64).
    #[inline]
    pub const fn u32(&mut self) -> u32 {
        (self.u64() >> 32) as u32
    }

    /// A number from 0 to less than 1: one of 2²⁴ multiples of 2⁻²⁴, which are equally likely. The same bits on every
    /// machine, since the conversion and the product are exact.
    #[inline]
    pub const fn f32(&mut self) -> f32 {
        (self.u64() >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    /// A number from 0 to less than 1: one of 2⁵³ multiples of 2⁻⁵³, as [`f32`](Self::f32).
    #[inline]
    pub const fn f64(&mut self) -> f64 {
        (self.u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

/// With the feature `rand_core`: numbers as by the methods of the type.
///
/// ```
/// use ecs_core::random::Random;
/// use rand_core::Rng;
///
/// let mut random = Random::new(17, 0);
/// assert_eq!(random.next_u64(), Random::new(17, 0).u64());
/// ```
#[cfg(feature = "rand_core")]
impl rand_core::TryRng for Random {
    type Error = core::convert::Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.u32())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
