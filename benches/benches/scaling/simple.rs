//! Simple iteration over more and more entities, and the same by hand.

use std::hint::black_box;
use std::time::Duration;

use ecs_core::{Data, System, Threads, World, world};

use crate::{is_test, time};

#[derive(Clone, Copy)]
struct Position([f32; 3]);
#[derive(Clone, Copy)]
struct Velocity([f32; 3]);

world! {
    world Simple;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Move { read: [Velocity], write: [Position] }
}

fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

#[derive(Default)]
struct Move;

impl System<Simple> for Move {
    fn process(&self, data: &mut Data<'_, Simple, Self>) {
        data.for_entities(|e| advance(e.position, e.velocity));
    }
}

#[inline(never)]
fn by_hand(positions: &mut [Position], velocities: &[Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        advance(position, velocity);
    }
}

/// Nanoseconds for an entity, by hand and through the library, best of rounds in turns.
fn measure(entities: usize, rounds: usize) -> [f64; 2] {
    let (mut positions, velocities) =
        (vec![Position([0.0; 3]); entities], vec![Velocity([1.0; 3]); entities]);
    let mut world = World::<Simple>::on(Threads::Inline);
    let filled = world.step(|step| {
        let one = |_| step.spawn((Position([0.0; 3]), Velocity([1.0; 3]))).map(drop);
        (0..entities).try_for_each(one)
    });
    filled.expect("nothing is staged").expect("the limit is dynamic");
    let times = (10_000_000 / entities).max(1);
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        let hand = time(|| {
            for _ in 0..times {
                by_hand(black_box(&mut positions), black_box(&velocities));
            }
        });
        let library = time(|| {
            let moved = world.step(|step| (0..times).for_each(|_| step.execute_systems().run()));
            moved.expect("nothing is staged");
        });
        best = [best[0].min(hand), best[1].min(library)];
    }
    best.map(|best| best.as_secs_f64() * 1e9 / (times * entities) as f64)
}

pub(crate) fn table() {
    let (most, rounds) = if is_test() { (100_000, 1) } else { (10_000_000, 20) };
    println!("position += velocity, three f32 each; ns for an entity, best of {rounds} in turns\n");
    println!(
        "| entities | megabytes | by hand | library | library / by hand | library, times that of 10 000 |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut first = None;
    let mut entities = 10_000;
    while entities <= most {
        let [hand, library] = measure(entities, rounds);
        let first = *first.get_or_insert(library);
        println!(
            "| {entities} | {:.1} | {hand:.3} | {library:.3} | {:.2} | {:.2} |",
            (entities * size_of::<(Position, Velocity)>()) as f64 / 1e6,
            library / hand,
            library / first,
        );
        // Each power of ten, and about the middle between two.
        entities =
            if entities.to_string().starts_with('1') { entities * 3 } else { entities / 3 * 10 };
    }
    println!();
}
