//! One loop, `position += velocity`, over columns that lie in memory in three ways, and through the library.
//!
//! `cargo bench -p benches --bench layouts -- [ENTITIES…]`
//!
//! - *pages*: pages of 4 096 values, each an allocation, between those of other columns;
//! - *contiguous*: one range of addresses for each column;
//! - *huge pages*: the same, and huge pages are advised.
//!
//! Beside positions and velocities there are matrices of 64 bytes and rotations, as the entities of `simple` have. Each layout
//! alternates with the others, and all must come to the same positions.

#![forbid(unsafe_code)]

use std::time::{Duration, Instant};

use benches::bundle::{Position, Velocity, bundle};
use bytemuck::{cast_slice, cast_slice_mut};
use ecs_core::{Threads, World, world};
use memmap2::MmapMut;

world! {
    world Columns { entity_limit: dynamic(1) }
    component benches::bundle::Transform, Position, benches::bundle::Rotation, Velocity;
    system Move {
        each: |position: &mut Position, velocity: &Velocity| {
            for axis in 0..3 {
                position.0[axis] += velocity.0[axis];
            }
        },
    }
    system MoveRuns {
        dependencies: [Move],
        read: [Velocity],
        write: [Position],
        run: |data| data.own.for_runs::<(&mut Position, &Velocity)>(|(positions, velocities)| {
            kernel(positions, velocities);
        }),
    }
}

type Vector = [f32; 3];

/// Values of a page.
const PAGE: usize = 4096;
/// Rounds, of which the fastest counts.
const ROUNDS: u32 = 200;

/// What has positions and can move them.
trait Layout {
    fn advance(&mut self);
    /// The sum of all positions, in order.
    fn sum(&self) -> f64;
}

fn advance(positions: &mut [Vector], velocities: &[Vector]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        for axis in 0..3 {
            position[axis] += velocity[axis];
        }
    }
}

/// The same for components. Slices that are parameters do not overlap, which the compiler makes use of.
fn kernel(positions: &mut [Position], velocities: &[Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        for axis in 0..3 {
            position.0[axis] += velocity.0[axis];
        }
    }
}

fn sum<'a>(positions: impl Iterator<Item = &'a Vector>) -> f64 {
    positions.flatten().map(|&coordinate| f64::from(coordinate)).sum()
}

/// A page of each column, in the order in which they are allocated.
struct Page {
    _transforms: Box<[f32]>,
    positions: Box<[Vector]>,
    _rotations: Box<[Vector]>,
    velocities: Box<[Vector]>,
}

struct Pages(Vec<Page>);

impl Pages {
    fn new(count: usize) -> Self {
        let (transform, position, rotation, velocity) = bundle();
        let page = |first: usize| {
            let len = PAGE.min(count - first);
            Page {
                _transforms: transform.0.repeat(len).into(),
                positions: vec![position.0; len].into(),
                _rotations: vec![rotation.0; len].into(),
                velocities: vec![velocity.0; len].into(),
            }
        };
        Self((0..count).step_by(PAGE).map(page).collect())
    }
}

impl Layout for Pages {
    fn advance(&mut self) {
        for Page { positions, velocities, .. } in &mut self.0 {
            advance(positions, velocities);
        }
    }

    fn sum(&self) -> f64 {
        sum(self.0.iter().flat_map(|page| &page.positions))
    }
}

/// Mappings of positions and velocities.
struct Mapped {
    positions: MmapMut,
    velocities: MmapMut,
}

impl Mapped {
    fn new(count: usize, huge: bool) -> Self {
        let (_, position, _, velocity) = bundle();
        let column = |value: Vector| {
            let mut map = MmapMut::map_anon(count * size_of::<Vector>()).expect("there is memory");
            #[cfg(target_os = "linux")]
            if huge {
                map.advise(memmap2::Advice::HugePage).expect("the system has huge pages");
            }
            let _ = huge;
            cast_slice_mut(&mut map).fill(value);
            map
        };
        Self { positions: column(position.0), velocities: column(velocity.0) }
    }
}

impl Layout for Mapped {
    fn advance(&mut self) {
        advance(cast_slice_mut(&mut self.positions), cast_slice(&self.velocities));
    }

    fn sum(&self) -> f64 {
        sum(cast_slice::<_, Vector>(&self.positions).iter())
    }
}

/// The library's columns, and whether a kernel moves the positions.
struct Library(World<Columns>, bool);

impl Library {
    fn new(count: usize, kernel: bool) -> Self {
        let mut world = World::<Columns>::on(Threads::Inline);
        world.spawn_batch((0..count).map(|_| bundle()));
        Self(world, kernel)
    }
}

impl Layout for Library {
    fn advance(&mut self) {
        let run = |step: &mut ecs_core::Step<'_, Columns>| {
            if self.1 { step.execute_only::<(MoveRuns,)>() } else { step.execute_only::<(Move,)>() }
        };
        self.0.step(run).expect("nothing is staged");
    }

    fn sum(&self) -> f64 {
        sum(self.0.iter::<&Position>().map(|position| &position.0))
    }
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let mut counts: Vec<usize> =
        std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if counts.is_empty() {
        counts = if is_test { vec![10_000] } else { vec![100_000, 1_000_000] };
    }
    println!("| entities | layout | µs | times the best |\n| ---: | :--- | ---: | ---: |");
    for count in counts {
        let mut layouts: [(&str, Box<dyn Layout>); 5] = [
            ("pages", Box::new(Pages::new(count))),
            ("contiguous", Box::new(Mapped::new(count, false))),
            ("huge pages", Box::new(Mapped::new(count, true))),
            ("library, for each entity", Box::new(Library::new(count, false))),
            ("library, kernel", Box::new(Library::new(count, true))),
        ];
        let mut best = [Duration::MAX; 5];
        for _ in 0..if is_test { 2 } else { ROUNDS } {
            for ((_, layout), best) in layouts.iter_mut().zip(&mut best) {
                let start = Instant::now();
                layout.advance();
                *best = start.elapsed().min(*best);
            }
        }
        let sums = layouts.each_ref().map(|(_, layout)| layout.sum());
        assert!(sums.iter().all(|sum| sum.to_bits() == sums[0].to_bits()), "{sums:?}");
        let least = best.into_iter().min().unwrap_or_default().as_secs_f64();
        for ((name, _), time) in layouts.iter().zip(best) {
            let time = time.as_secs_f64();
            println!("| {count} | {name} | {:.0} | {:.2} |", time * 1e6, time / least);
        }
    }
}
