//! `hierarchies`: trees of 100 000 nodes, wide, deep and random: in the library, in `bevy_ecs`, in `flecs_ecs` and in plain
//! vectors.
//!
//! `cargo bench --bench hierarchies` prints a table for each tree: milliseconds to spawn and link all nodes; to propagate a value
//! from parents to children; to give 1 % of the nodes another parent; and to despawn the root with all others. Then it prints how
//! long a step takes that only propagates, on one thread and on two. `-- --test` runs each contender once with few nodes, and
//! compares the sums.
//!
//! The contenders of a round run one after the other. A figure is the median of several rounds; each round makes its trees anew,
//! and propagates and relinks several times. All contenders compute the same values. `flecs_ecs` is not among those of the deep
//! tree, which has 10 000 levels: it has at most 128.

mod bevy;
mod by_hand;
mod flecs;
mod library;
mod steady;

use std::time::Instant;

/// Rounds of a measurement.
const ROUNDS: usize = 5;
/// Propagations and relinks of each round.
const REPEATS: u32 = 5;
/// Nodes on each level of the deep tree.
const BREADTH: u32 = 10;

/// Nodes by number. Node 0 is the root, and the number of a node is higher than that of its parent.
#[derive(Clone, Copy)]
enum Tree {
    Wide,
    Deep,
    Random,
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    value ^ (value >> 32)
}

impl Tree {
    /// The parent of a node other than the root.
    fn parent(self, node: u32) -> u32 {
        match self {
            Self::Wide => 0,
            Self::Deep => node.saturating_sub(BREADTH),
            Self::Random => (mix(u64::from(node)) % u64::from(node)) as u32,
        }
    }

    /// The parent that a node gets by the relink with this number. The tree keeps its shape.
    fn other_parent(self, node: u32, relink: u32) -> u32 {
        let random = mix((u64::from(node) << 32) | (u64::from(relink) + 1));
        match self {
            Self::Wide => u32::from(relink.is_multiple_of(2) && node > 1),
            Self::Deep if node <= BREADTH => 0,
            // Another one of the level above.
            Self::Deep => {
                let level = (node - 1) / BREADTH;
                1 + (level - 1) * BREADTH + (random % u64::from(BREADTH)) as u32
            }
            Self::Random => (random % u64::from(node)) as u32,
        }
    }

    /// The nodes and the parents that they get.
    fn relinks(self, nodes: u32, relink: u32) -> Vec<(u32, u32)> {
        let all = (0..nodes / 100).map(|i| {
            let node = 1 + (mix(u64::from(i)) % u64::from(nodes - 1)) as u32;
            (node, self.other_parent(node, relink))
        });
        all.collect()
    }
}

/// The value of a node whose parent has the value `parent`; 0 if it has none.
fn value(parent: u64, node: u32) -> u64 {
    parent.rotate_left(1).wrapping_add(u64::from(node) + 1)
}

/// A program with a tree.
trait Contender {
    fn propagate(&mut self);
    /// Gives nodes other parents.
    fn relink(&mut self, relinks: &[(u32, u32)]);
    /// The sum of all values.
    fn sum(&mut self) -> u64;
    /// Despawns the root, and returns how many nodes are left.
    fn despawn(&mut self) -> u32;
}

struct Row {
    name: &'static str,
    make: fn(u32, Tree) -> Box<dyn Contender>,
}

const ROWS: [Row; 5] = [
    Row { name: "by hand", make: by_hand::new },
    Row { name: "library, one thread", make: library::on_one },
    Row { name: "library, two threads", make: library::on_two },
    Row { name: "bevy", make: bevy::new },
    Row { name: "flecs", make: flecs::new },
];

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let (nodes, rounds) = if is_test { (2_000, 1) } else { (100_000, ROUNDS) };
    // `bevy_ecs` despawns a tree by calls within calls.
    let run = move || {
        for (title, tree) in [("wide", Tree::Wide), ("deep", Tree::Deep), ("random", Tree::Random)]
        {
            println!("| {title} | build, ms | propagate, ms | relink 1 %, ms | despawn, ms |");
            println!("| --- | ---: | ---: | ---: | ---: |");
            measure(tree, nodes, rounds);
            println!();
        }
        steady::measure(is_test);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.expect("a thread").join().expect("no contender panics");
}

/// Measures the contenders in turns, and prints a line for each.
fn measure(tree: Tree, nodes: u32, rounds: usize) {
    let rows = if matches!(tree, Tree::Deep) { &ROWS[..ROWS.len() - 1] } else { &ROWS };
    let mut times: Vec<[Vec<f64>; 4]> = rows.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        let mut expected: Option<Vec<u64>> = None;
        for (row, times) in rows.iter().zip(&mut times) {
            let mut time = |column: usize, f: &mut dyn FnMut()| {
                let start = Instant::now();
                f();
                times[column].push(start.elapsed().as_secs_f64() * 1e3);
            };
            let mut made = None;
            time(0, &mut || made = Some((row.make)(nodes, tree)));
            let mut contender = made.expect("it has just been made");
            let mut sums = Vec::new();
            for relink in 0..REPEATS {
                time(1, &mut || contender.propagate());
                sums.push(contender.sum());
                let relinks = tree.relinks(nodes, relink);
                time(2, &mut || contender.relink(&relinks));
            }
            contender.propagate();
            sums.push(contender.sum());
            let mut left = 0;
            time(3, &mut || left = contender.despawn());
            assert_eq!(left, 0, "{}", row.name);
            assert_eq!(*expected.get_or_insert_with(|| sums.clone()), sums, "{}", row.name);
        }
    }
    for (row, times) in rows.iter().zip(&mut times) {
        let [build, propagate, relink, despawn] = times.each_mut().map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!("| {} | {build:.2} | {propagate:.3} | {relink:.3} | {despawn:.2} |", row.name);
    }
}
