//! Saves and loads, compared with copies of the same values that have a checksum, in memory that is there, and with `postcard` of the
//! same vectors; and the memory that a save takes beside the world.

use std::hint::black_box;

use benches::beside::{best_of, report};
use benches::save::{ByHand, Vectors, forget_peak, memory, plain, serial};
use criterion::{Criterion, criterion_group, criterion_main};

fn saves(_: &mut Criterion) {
    memory_of_a_save();
    for entities in [10_000, 100_000, 1_000_000, 10_000_000] {
        let times = (1_000_000 / entities).max(1);
        let (mut world, mut by_hand) = (plain(entities), ByHand::new(entities));
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
            || (0..times).for_each(|_| black_box(&mut by_hand).load(black_box(&copy))),
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

/// Prints the most memory that a program has which does nothing but save a world of 10 000 000 entities, beside that which it has for the
/// world.
fn memory_of_a_save() {
    let world = plain(10_000_000);
    forget_peak();
    let Some([before, _]) = memory() else { return };
    world.save(std::io::sink()).expect("a sink takes it");
    let Some([_, peak]) = memory() else { return };
    println!(
        "memory/10000000: world {:.0} MB, during a save {:.0} MB, ratio {:.3}",
        before / 1e6,
        peak / 1e6,
        peak / before
    );
}

criterion_group!(benches, saves);
criterion_main!(benches);
