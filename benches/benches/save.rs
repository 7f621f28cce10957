//! Saves and loads, compared with copies of the same values that have a checksum, and with `postcard` of the same vectors.

use std::hint::black_box;

use benches::beside::{best_of, report};
use benches::save::{ByHand, Vectors, plain, serial};
use criterion::{Criterion, criterion_group, criterion_main};

fn saves(_: &mut Criterion) {
    for entities in [10_000, 100_000, 1_000_000] {
        let times = 1_000_000 / entities;
        let (mut world, by_hand) = (plain(entities), ByHand::new(entities));
        let (mut save, mut copy) = (Vec::new(), Vec::new());
        let (library, hand) = best_of(
            10,
            || {
                for _ in 0..times {
                    save.clear();
                    black_box(&world).save(&mut save).expect("memory takes it");
                }
            },
            || {
                for _ in 0..times {
                    copy.clear();
                    black_box(&by_hand).save(&mut copy);
                }
            },
        );
        report(&format!("save/{entities}"), ("plain", library), ("by hand", hand));
        let (library, hand) = best_of(
            10,
            || (0..times).for_each(|_| world.load(black_box(&save)).expect("a save")),
            || (0..times).for_each(|_| drop(black_box(by_hand.load(black_box(&copy))))),
        );
        report(&format!("load/{entities}"), ("plain", library), ("by hand", hand));

        let (mut world, vectors) = (serial(entities), Vectors::new(entities));
        let mut save = Vec::new();
        let (library, hand) = best_of(
            10,
            || {
                for _ in 0..times {
                    save.clear();
                    black_box(&world).save(&mut save).expect("memory takes it");
                }
            },
            || (0..times).for_each(|_| drop(black_box(black_box(&vectors).save()))),
        );
        report(&format!("save/{entities}"), ("serde", library), ("postcard", hand));
        let bytes = vectors.save();
        let (library, hand) = best_of(
            10,
            || (0..times).for_each(|_| world.load(black_box(&save)).expect("a save")),
            || (0..times).for_each(|_| drop(black_box(Vectors::load(black_box(&bytes))))),
        );
        report(&format!("load/{entities}"), ("serde", library), ("postcard", hand));
    }
}

criterion_group!(benches, saves);
criterion_main!(benches);
