//! Conway's life on a torus, with a cell as an entity.
//!
//! A cell has a component for even generations and one for odd ones, and a step is two generations: each of them reads what
//! the other has written. Cells are spawned line by line and never despawned, so those of a query are one slice, in which
//! the neighbours of a cell are found by its number.

use ecs_core::{Threads, World, world};

use super::measure::{Course, Model, Report};
use super::random::mix;

/// The cell of a generation: 1 if it is alive, else 0.
trait Cell: Copy + From<u8> + Into<u8> {}

impl<T: Copy + From<u8> + Into<u8>> Cell for T {}

/// Whether a cell is alive next, of the number of living cells around it.
#[inline(always)]
fn next(around: u8, alive: u8) -> u8 {
    u8::from(around | alive == 3)
}

/// The next generation of the cells of a line from column `first` on, of that line and of those above and below.
fn next_of_line<A: Cell, B: Cell>(lines: [&[A]; 3], first: usize, out: &mut [B]) {
    let width = lines[1].len();
    let at = |column: usize| {
        let columns = [(column + width - 1) % width, column, (column + 1) % width];
        let all = |line: &[A]| columns.iter().map(|&column| line[column].into()).sum::<u8>();
        let alive = lines[1][column].into();
        B::from(next(lines.iter().map(|line| all(line)).sum::<u8>() - alive, alive))
    };
    let (mut from, mut to) = (first, first + out.len());
    if from == 0 {
        out[0] = at(0);
        from = 1;
    }
    if to == width {
        out[width - 1 - first] = at(width - 1);
        to -= 1;
    }
    if from >= to {
        return;
    }
    let out = &mut out[from - first..to - first];
    let [above, here, below] = lines.map(|line| &line[from - 1..=to]);
    for (column, out) in out.iter_mut().enumerate() {
        let three =
            |line: &[A]| line[column].into() + line[column + 1].into() + line[column + 2].into();
        let alive = here[column + 1].into();
        *out = B::from(next(three(above) + three(here) + three(below) - alive, alive));
    }
}

/// The next generation of the cells from the one with this number on.
fn advance<A: Cell, B: Cell>(all: &[A], width: usize, first: usize, mut out: &mut [B]) {
    let height = all.len() / width;
    let line = |line: usize| &all[line * width..][..width];
    let mut cell = first;
    while !out.is_empty() {
        let (y, x) = (cell / width, cell % width);
        let count = out.len().min(width - x);
        let lines = [line((y + height - 1) % height), line(y), line((y + 1) % height)];
        let (now, rest) = out.split_at_mut(count);
        next_of_line(lines, x, now);
        (out, cell) = (rest, cell + count);
    }
}

/// Cells at random, a third of which are alive.
fn cells(width: usize) -> impl Iterator<Item = u8> {
    (0..width * width).map(|cell| u8::from(mix(cell as u64, 11).is_multiple_of(3)))
}

struct Plain {
    width: usize,
    cells: Vec<u8>,
    next: Vec<u8>,
}

impl Model for Plain {
    type State = Vec<u8>;

    fn step(&mut self) -> usize {
        for _ in 0..2 {
            advance(&self.cells, self.width, 0, &mut self.next);
            std::mem::swap(&mut self.cells, &mut self.next);
        }
        2 * self.cells.len()
    }

    fn state(&self) -> Vec<u8> {
        self.cells.clone()
    }
}

/// The number of a cell, by lines.
struct At(u32);

/// Whether a cell is alive in an even generation.
#[derive(Clone, Copy)]
struct Even(u8);

/// Whether a cell is alive in an odd generation.
#[derive(Clone, Copy)]
struct Odd(u8);

struct Width(usize);

macro_rules! cell {
    ($Cell:ident) => {
        impl From<u8> for $Cell {
            #[inline(always)]
            fn from(alive: u8) -> Self {
                Self(alive)
            }
        }

        impl From<$Cell> for u8 {
            #[inline(always)]
            fn from($Cell(alive): $Cell) -> Self {
                alive
            }
        }
    };
}

cell!(Even);
cell!(Odd);

world! {
    world Life;
    component At, Even, Odd;
    resource Width = Width(0);
    query Evens { read: [Even] }
    query Odds { read: [Odd] }
    system Tick {
        read: [At],
        write: [Odd],
        queries: [Evens],
        read_resources: [Width],
        parallelism: split_evenly(cores),
        run: |data| {
            let evens = data.effects.slices::<Evens, &Even>().expect("no cell is despawned");
            let width = data.resources.get::<Width>().0;
            data.own.for_runs::<(&At, &mut Odd)>(|(at, odds)| advance(evens, width, at[0].0 as usize, odds));
        },
    }
    system Tock {
        read: [At],
        write: [Even],
        queries: [Odds],
        read_resources: [Width],
        dependencies: [Tick],
        parallelism: split_evenly(cores),
        run: |data| {
            let odds = data.effects.slices::<Odds, &Odd>().expect("no cell is despawned");
            let width = data.resources.get::<Width>().0;
            data.own.for_runs::<(&At, &mut Even)>(|(at, evens)| advance(odds, width, at[0].0 as usize, evens));
        },
    }
}

struct Library(World<Life>);

impl Library {
    fn new(width: usize, threads: Threads) -> Self {
        let mut world = World::<Life>::on(threads);
        world.resource_mut::<Width>().0 = width;
        world.spawn_batch((0..).zip(cells(width)).map(|(at, alive)| (At(at), Even(alive), Odd(0))));
        Self(world)
    }
}

impl Model for Library {
    type State = Vec<u8>;

    fn step(&mut self) -> usize {
        self.0.tick().expect("nothing is staged");
        2 * self.0.entity_count()
    }

    fn state(&self) -> Vec<u8> {
        self.0.iter::<&Even>().map(|even| even.0).collect()
    }
}

pub(crate) fn measure(report: &Report) {
    for (width, steps) in [(1024, 10), (4096, 2)] {
        let width = report.size(width, width / 16 + 7);
        report.compare(
            &format!("life, {width}²"),
            Course { first: 4, steps, rounds: 40 },
            || Plain { width, cells: cells(width).collect(), next: vec![0; width * width] },
            |threads| Library::new(width, threads),
        );
    }
}
