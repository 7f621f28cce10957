//! Saves and loads, compared with copies of the same values that have a checksum, in memory that is there, and with `postcard` of the
//! same vectors; the memory that a save takes beside the world; and deltas
//! between saves.

use std::hint::black_box;

use benches::beside::{best_of, report};
use benches::save::{ByHand, Position, Vectors, forget_peak, memory, plain, serial};
use criterion::{Criterion, criterion_group, criterion_main};
use ecs_core::save;

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

/// Deltas between two saves of 100 000 entities, where some have another position.
fn deltas(_: &mut Criterion) {
    let mut world = plain(100_000);
    let mut base = Vec::new();
    world.save(&mut base).expect("memory takes it");
    for (changed, count) in
        [("nothing", 0), ("1 % of one component", 1_000), ("one component", 100_000)]
    {
        let distance = 100_000 / count.max(1);
        for position in world.iter_mut::<&mut Position>().step_by(distance).take(count) {
            position.0 = position.0.map(|x| x * 1.5 + 1.0);
        }
        let mut save = Vec::new();
        world.save(&mut save).expect("memory takes it");
        let delta = save::delta(&base, &save);
        let (made, applied) = best_of(
            10,
            || drop(black_box(save::delta(black_box(&base), black_box(&save)))),
            || drop(black_box(save::apply_delta(black_box(&base), black_box(&delta)))),
        );
        assert!(save::apply_delta(&base, &delta).as_ref() == Ok(&save));
        let title = format!("delta/{changed}: {} of {} bytes", delta.len(), save.len());
        report(&title, ("made", made), ("applied", applied));
        base = save;
    }
}

criterion_group!(benches, deltas, saves);
criterion_main!(benches);
