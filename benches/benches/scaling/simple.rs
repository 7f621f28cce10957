//! Iteration over increasing numbers of entities, iteration with some computation, and the same by hand.

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
    component Position, Velocity;
    system Act { write: [Position, Velocity] }
}

fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

/// Six small steps around a mass at the origin.
fn orbit(position: &mut Position, velocity: &mut Velocity) {
    for _ in 0..6 {
        let square: f32 = position.0.iter().map(|x| x * x).sum();
        let pull = 1e-3 / (square * square.sqrt());
        for axis in 0..3 {
            velocity.0[axis] -= pull * position.0[axis];
            position.0[axis] += 1e-3 * velocity.0[axis];
        }
    }
}

/// The work on each entity.
#[derive(Clone, Copy, Default)]
enum Work {
    #[default]
    Move,
    Orbit,
}

#[derive(Default)]
struct Act(Work);

impl System<Simple> for Act {
    fn process(&self, data: &mut Data<'_, Simple, Self>) {
        match self.0 {
            Work::Move => data.own.for_entities(|e| advance(e.position, e.velocity)),
            Work::Orbit => data.own.for_entities(|e| orbit(e.position, e.velocity)),
        }
    }
}

#[inline(never)]
fn move_by_hand(positions: &mut [Position], velocities: &[Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        advance(position, velocity);
    }
}

#[inline(never)]
fn orbit_by_hand(positions: &mut [Position], velocities: &mut [Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        orbit(position, velocity);
    }
}

/// Nanoseconds per entity, by hand and through the library: the best of several rounds, which alternate.
fn measure(work: Work, entities: usize, rounds: usize) -> [f64; 2] {
    let (position, velocity) = (Position([1.0, 2.0, 2.0]), Velocity([0.25, -0.5, 0.25]));
    let (mut positions, mut velocities) = (vec![position; entities], vec![velocity; entities]);
    let mut world = World::<Simple>::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..entities).for_each(|_| {
            step.spawn((position, velocity));
        });
    });
    filled.expect("nothing is staged");
    world.system_mut::<Act>().0 = work;
    let times = (10_000_000 / entities).max(1);
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        let hand = time(|| {
            for _ in 0..times {
                let (positions, velocities) =
                    (black_box(&mut positions), black_box(&mut velocities));
                match work {
                    Work::Move => move_by_hand(positions, velocities),
                    Work::Orbit => orbit_by_hand(positions, velocities),
                }
            }
        });
        let library = time(|| {
            let done = world.step(|step| (0..times).for_each(|_| step.execute_systems()));
            done.expect("nothing is staged");
        });
        best = [best[0].min(hand), best[1].min(library)];
    }
    let mut ends = Vec::new();
    for position in world.iter::<&Position>() {
        ends.push(position.0);
    }
    let bits = |position: [f32; 3]| position.map(f32::to_bits);
    let same = |(library, hand): (&[f32; 3], &Position)| bits(*library) == bits(hand.0);
    assert!(ends.iter().zip(&positions).all(same), "the same bits by hand");
    best.map(|best| best.as_secs_f64() * 1e9 / (times * entities) as f64)
}

pub(crate) fn tables() {
    table(Work::Move, "position += velocity, three f32 each");
    table(Work::Orbit, "six steps around a mass, of a position and a velocity of three f32 each");
}

fn table(work: Work, title: &str) {
    let (most, rounds) = if is_test() { (100_000, 1) } else { (10_000_000, 20) };
    println!("{title}; ns for an entity, best of {rounds} in turns\n");
    println!(
        "| entities | megabytes | by hand | library | library / by hand | library, times that of 10 000 |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut first = None;
    let mut entities = 10_000;
    while entities <= most {
        let [hand, library] = measure(work, entities, rounds);
        let first = *first.get_or_insert(library);
        println!(
            "| {entities} | {:.1} | {hand:.3} | {library:.3} | {:.2} | {:.2} |",
            (entities * size_of::<(Position, Velocity)>()) as f64 / 1e6,
            library / hand,
            library / first,
        );
        // Each power of ten, and three times each.
        entities =
            if entities.to_string().starts_with('1') { entities * 3 } else { entities / 3 * 10 };
    }
    println!();
}
