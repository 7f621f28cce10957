//! A system with much computation, on one thread and on two.

use std::sync::Arc;
use std::time::Duration;

use ecs_core::{Threads, World, world};
use rayon::ThreadPoolBuilder;

use crate::{is_test, time};

struct Angle(f32);
struct Height(f32);

world! {
    world Waves;
    component Angle, Height;
    system Sum {
        parallelism: split_evenly(cores),
        each: |height: &mut Height, angle: &Angle| {
            height.0 = (1..=100_u8).map(|n| (angle.0 * f32::from(n)).sin() / f32::from(n)).sum();
        },
    }
}

fn filled(entities: u32, threads: Threads) -> World<Waves> {
    let mut world = World::on(threads);
    let filled = world.step(|step| {
        (0..entities).for_each(|n| {
            step.spawn((Angle(n as f32), Height(0.0)));
        });
    });
    filled.expect("nothing is staged");
    world
}

pub(crate) fn table() {
    let (entities, rounds) = if is_test() { (1_000, 1) } else { (20_000, 20) };
    let pool =
        Arc::new(ThreadPoolBuilder::new().num_threads(2).build().expect("threads can be started"));
    let mut worlds = [filled(entities, Threads::Inline), filled(entities, Threads::Pool(pool))];
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        for (world, best) in worlds.iter_mut().zip(&mut best) {
            let taken = time(|| {
                world.tick().expect("nothing is staged");
            });
            *best = taken.min(*best);
        }
    }
    let [one, two] = best.map(|best| best.as_secs_f64() * 1e3);
    println!("{entities} sums of 100 sines, ms, best of {rounds} in turns\n");
    println!("| one thread | two | speed-up |\n| ---: | ---: | ---: |");
    println!("| {one:.2} | {two:.2} | {:.2} |\n", one / two);
}
