//! Saves and loads 100 000 entities with three components of twelve bytes each, through four libraries: `cargo run --release -p saves`.
//!
//! Each row has the best of ten times, and the size of the save. All write to memory. `ecs-core` writes plain old data, or by
//! `serde`; its load has a check of each handle and value, and a checksum. hecs writes columns by `postcard`. rkyv writes a
//! struct of four vectors, which are values and handles, and reads it with checks, into new vectors. Bevy writes its dynamic world, by reflection, as text by `ron` and as bytes by
//! `postcard`; `load` is up to the world that has the entities.

use std::hint::black_box;
use std::time::{Duration, Instant};

mod bevy;
mod hecs_columns;
mod library;
mod rkyv_vectors;

const ENTITIES: usize = 100_000;

/// Times of a save and of a load, and the size in bytes.
type Row = (Duration, Duration, usize);

/// The best times of `save` and of `load`, which gets what was saved.
fn row<S>(
    times: usize,
    mut save: impl FnMut() -> S,
    len: impl Fn(&S) -> usize,
    mut load: impl FnMut(&S),
) -> Row {
    let mut best = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..times {
        let start = Instant::now();
        let saved = black_box(save());
        best.0 = best.0.min(start.elapsed());
        let start = Instant::now();
        load(black_box(&saved));
        best.1 = best.1.min(start.elapsed());
        best.2 = len(&saved);
    }
    best
}

fn main() {
    let rows = [
        ("ecs-core, plain old data", library::plain()),
        ("ecs-core, `serde`", library::serial()),
        ("rkyv, vectors", rkyv_vectors::rows()),
        ("hecs, columns by `postcard`", hecs_columns::rows()),
        ("bevy, `postcard`", bevy::bytes()),
        ("bevy, `ron`", bevy::text()),
    ];
    println!("| 100 000 entities | save, ms | load, ms | MB |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, (save, load, bytes)) in rows {
        let [save, load] = [save, load].map(|time| time.as_secs_f64() * 1e3);
        println!("| {name} | {save:.2} | {load:.2} | {:.1} |", bytes as f64 / 1e6);
    }
}
