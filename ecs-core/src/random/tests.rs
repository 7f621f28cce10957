//! The function against published vectors, the sequences against their statistics, and ranges against their bounds.

use core::ops::{Bound, Range};

use super::philox::philox;
use super::{Random, RandomState, Subject};

/// The lines `philox4x64 10` of `tests/kat_vectors` in Random123, which the authors of the paper publish: counter, key,
/// block. (Digits of π in the third one.)
const KNOWN: [([u64; 4], [u64; 2], [u64; 4]); 3] = [
    (
        [0; 4],
        [0; 2],
        [
            0x1655_4d9e_ca36_314c,
            0xdb20_fe9d_672d_0fdc,
            0xd7e7_72ce_e186_176b,
            0x7e68_b68a_ec7b_a23b,
        ],
    ),
    (
        [u64::MAX; 4],
        [u64::MAX; 2],
        [
            0x87b0_92c3_013f_e90b,
            0x438c_3c67_be8d_0224,
            0x9cc7_d7c6_9cd7_77b6,
            0xa09c_aebf_594f_0ba0,
        ],
    ),
    (
        [
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        ],
        [0x4528_21e6_38d0_1377, 0xbe54_66cf_34e9_0c6c],
        [
            0xa528_f454_03e6_1d95,
            0x38c7_2dbd_566e_9788,
            0xa5a1_610e_72fd_18b5,
            0x57bd_43b5_e52b_7fe6,
        ],
    ),
];

fn of_system(seed: u64, executions: u64, system: u32, entity: u64) -> Random {
    Random::of_system(RandomState { seed, executions }, Subject { system, entity })
}

#[test]
fn the_function_has_the_published_blocks() {
    for (counter, key, block) in KNOWN {
        assert_eq!(philox(counter, key), block);
    }
}

#[test]
fn a_sequence_is_the_blocks_of_its_counters() {
    let mut random = of_system(9, 4, 3, 70);
    let system = 3 << 32;
    let blocks = (0..3).flat_map(|block| philox([block, 70, 4, system], [9, 0]));
    assert!(blocks.eq(core::iter::repeat_with(|| random.u64()).take(12)));
    let mut random = of_system(9, 4, 3, 70).substream(6);
    assert_eq!(random.u64(), philox([0, 70, 4, system + 6], [9, 0])[0]);
    assert_eq!(random.substream(8), of_system(9, 4, 3, 70).substream(8));
    assert_eq!(random.substream(0), of_system(9, 4, 3, 70));
    let mut random = Random::new(9, 70);
    assert_eq!(random.u64(), philox([0, 70, 0, 0], [9, 1])[0]);
}

#[test]
fn each_part_of_the_key_gives_another_sequence() {
    let mut all = vec![of_system(1, 1, 1, 1), Random::new(1, 1), Random::new(1, 2)];
    all.extend([of_system(2, 1, 1, 1), of_system(1, 2, 1, 1), of_system(1, 1, 2, 1)]);
    all.extend([of_system(1, 1, 1, 2), of_system(1, 1, 1, 1).substream(1), Random::new(2, 1)]);
    let numbers: Vec<u64> =
        all.iter_mut().flat_map(|random| [random.u64(), random.u64()]).collect();
    for (at, number) in numbers.iter().enumerate() {
        assert!(!numbers[..at].contains(number));
    }
}

#[test]
fn conversions_are_exact() {
    let mut random = of_system(1, 2, 3, 4);
    let mut same = random.clone();
    for _ in 0..1000 {
        let (word, float) = (same.u64(), random.f32());
        assert!((0.0..1.0).contains(&float));
        assert_eq!((float * 16_777_216.0) as u64, word >> 40, "no bit is rounded away");
        let (word, double) = (same.u64(), random.f64());
        assert!((0.0..1.0).contains(&double));
        assert_eq!((double * 9_007_199_254_740_992.0) as u64, word >> 11);
        assert_eq!(u64::from(random.u32()), same.u64() >> 32);
    }
    // The greatest: all bits are set.
    let most = |bits: u32| ((1_u64 << bits) - 1) as f64 / (1_u64 << bits) as f64;
    assert!(most(53) < 1.0 && (most(24) as f32) < 1.0);
}

/// The sum of `(seen - expected)² / expected` over as many bins as there are, all equally likely.
fn chi_square(bins: &[u32]) -> f64 {
    let expected = bins.iter().map(|bin| f64::from(*bin)).sum::<f64>() / bins.len() as f64;
    bins.iter().map(|bin| (f64::from(*bin) - expected).powi(2) / expected).sum()
}

/// Whether 256 bins are filled as by chance: the sum has the mean 255 and the deviation `√510 = 22.6`. Five deviations
/// to either side; too even is not random either.
fn is_even(numbers: impl Iterator<Item = u8>) -> bool {
    let mut bins = [0_u32; 256];
    numbers.for_each(|number| bins[usize::from(number)] += 1);
    (142.0..368.0).contains(&chi_square(&bins))
}

/// A number of entity, execution and system.
type Next<'a> = &'a dyn Fn(u64, u64, u32) -> u64;

/// What a generator gives for entities, executions and systems, as of a world: 64 × 64 × 16 sequences of four draws.
type Draw<'a> = &'a dyn Fn(u64, u64, u32) -> [u64; 4];

/// The first faulty statistic: bytes of each draw, and the halves of bytes of draws that are neighbours in entity,
/// execution, system or sequence.
fn fault(draw: Draw<'_>) -> Option<&'static str> {
    let all = || {
        (0..64_u64).flat_map(|e| (0..64_u64).flat_map(move |x| (0..16_u32).map(move |s| (e, x, s))))
    };
    for byte in 0..8 {
        for number in 0..4 {
            if !is_even(all().map(|(e, x, s)| draw(e, x, s)[number].to_le_bytes()[byte])) {
                return Some("a byte");
            }
        }
    }
    let high = |number: u64| (number >> 60) as u8;
    let low = |number: u64| number as u8 & 15;
    for half in [high, low] {
        let pair = |one: u64, other: u64| half(one) << 4 | half(other);
        let neighbours: [(&str, Next<'_>); 3] = [
            ("entities", &|e, x, s| draw(e + 1, x, s)[0]),
            ("executions", &|e, x, s| draw(e, x + 1, s)[0]),
            ("systems", &|e, x, s| draw(e, x, s + 1)[0]),
        ];
        for (name, next) in neighbours {
            if !is_even(all().map(|(e, x, s)| pair(draw(e, x, s)[0], next(e, x, s)))) {
                return Some(name);
            }
        }
        if !is_even(all().map(|(e, x, s)| pair(draw(e, x, s)[0], draw(e, x, s)[1]))) {
            return Some("draws");
        }
    }
    None
}

#[test]
fn numbers_of_neighbours_are_spread_evenly_and_independent() {
    let draw = |entity, executions, system| {
        // Handles of first generations.
        let mut random = of_system(0, executions, system, 1 << 32 | entity);
        [0; 4].map(|_| random.u64())
    };
    assert_eq!(fault(&draw), None);
}

/// The statistics find what is wrong with simpler functions of the same numbers.
#[test]
fn the_statistics_can_fail() {
    let mix = |mut n: u64| {
        n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ n >> 31
    };
    // A counter that is only multiplied.
    let weyl = |e: u64, x: u64, s: u32| {
        [0, 1, 2, 3].map(|n| {
            (e << 40 | x << 20 | u64::from(s) << 8 | n).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    };
    assert!(fault(&weyl).is_some());
    // Every second entity has the numbers of the one before, with some bits inverted.
    let inverted = |e: u64, x: u64, s: u32| {
        let of_even = |n: u64| mix(mix(mix(e >> 1) ^ mix(x + 99)) ^ mix(n << 32 | u64::from(s)));
        [0, 1, 2, 3].map(|n| of_even(n) ^ ((e & 1) * 0x3c6e_f372_fe94_f82b))
    };
    assert_eq!(fault(&inverted), Some("entities"));
    // The same number for two draws.
    let again = |e: u64, x: u64, s: u32| {
        [0, 0, 1, 2].map(|n| mix(mix(mix(e) ^ mix(x + 99)) ^ mix(n << 32 | u64::from(s))))
    };
    assert_eq!(fault(&again), Some("draws"));
}

#[test]
fn ranges_are_even_and_have_their_ends() {
    // A range that does not divide 2⁶⁴, and bounds of all forms.
    let mut random = Random::new(3, 0);
    let mut bins = [0_u32; 7];
    for _ in 0..70_000 {
        bins[random.range(..bins.len())] += 1;
    }
    // Six degrees of freedom: more than 38 once in a million, and less than 0.3 once in a thousand.
    assert!((0.3..38.0).contains(&chi_square(&bins)), "{bins:?}");
    let mut seen = [false; 6];
    for _ in 0..200 {
        let number = random.range(-3_i8..=2);
        seen[(number + 3) as usize] = true;
    }
    assert_eq!(seen, [true; 6]);
    for _ in 0..100 {
        assert_eq!(random.range(u64::MAX..), u64::MAX);
        assert_eq!(random.range(..=i64::MIN), i64::MIN);
        assert_eq!(random.range(5_u16..6), 5);
        assert_eq!(random.range((Bound::Excluded(6_u32), Bound::Included(7))), 7);
    }
    // All numbers of a type, without a rejection.
    let (mut one, mut other) = (Random::new(4, 0), Random::new(4, 0));
    assert_eq!(one.range::<u64>(..), other.u64());
    assert_eq!(one, other);
    assert!((0..100).any(|_| one.range::<i8>(..) < 0) && (0..100).any(|_| one.range::<i8>(..) > 0));
    assert!((0..100).all(|_| one.range::<isize>(..-5) < -5));
}

#[test]
fn what_would_be_biased_is_drawn_again() {
    // Of 3 × 2⁶² numbers, a quarter of all draws is rejected. Without that, every third number would be twice as
    // likely as the others.
    let count = 3_u64 << 62;
    let mut random = Random::new(5, 0);
    let mut first = 0_u32;
    for _ in 0..30_000 {
        let number = random.range(..count);
        assert!(number < count);
        first += u32::from(number.is_multiple_of(3));
    }
    assert!((9_600..10_400).contains(&first), "{first}");
    let blocks = random.counter[0];
    assert!((9_800..10_200).contains(&blocks), "{blocks} blocks for 30 000 / ¾ / 4 numbers");
}

#[test]
fn an_empty_range_panics() {
    for empty in [Range { start: 4, end: 3 }, 3..3, 0..0] {
        let drawn = std::panic::catch_unwind(|| Random::new(0, 0).range(empty));
        assert!(drawn.is_err());
    }
    let behind = std::panic::catch_unwind(|| {
        Random::new(0, 0).range((Bound::Excluded(u64::MAX), Bound::Unbounded))
    });
    assert!(behind.is_err());
}

#[cfg(feature = "rand_core")]
#[test]
fn the_traits_of_rand_draw_the_same_numbers() {
    use rand_core::Rng as _;

    let (mut one, mut other) = (Random::new(7, 1), Random::new(7, 1));
    assert_eq!((one.next_u64(), one.next_u32()), (other.u64(), other.u32()));
    let mut bytes = [0; 11];
    one.fill_bytes(&mut bytes);
    assert_eq!(bytes[..8], other.u64().to_le_bytes());
    assert_eq!(bytes[8..], other.u64().to_le_bytes()[..3]);
    assert_eq!(one, other);
}
