//! Propagation step after step, on one thread and on two, with a body of a few instructions and with one of some hundred.

use std::time::Instant;

use ecs_core::{Threads, World, world};

use crate::{Tree, mix, value};

/// Steps before those that are measured: meanwhile the library finds out whether a second thread helps.
const BEFORE: usize = 200;
/// Steps that are measured.
const STEPS: usize = 100;
/// How often the long body mixes its value.
const MIXES: u32 = 32;

struct Node(u32);
struct Value(u64);
struct ChildOf;

world! {
    world Nodes { entity_limit: dynamic(1_000_000) }
    component Node, Value;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Short {
        parallelism: split_evenly(cores),
        after_parent: ChildOf,
        read: [Node],
        write: [Value],
        run: |data| data.for_after_parent::<&Value>(|one, parent, _| {
            one.value.0 = value(parent.map_or(0, |parent| parent.0), one.node.0);
        }),
    }
    system Long {
        dependencies: [Short],
        parallelism: split_evenly(cores),
        after_parent: ChildOf,
        read: [Node],
        write: [Value],
        run: |data| data.for_after_parent::<&Value>(|one, parent, _| {
            one.value.0 = long(parent.map_or(0, |parent| parent.0), one.node.0);
        }),
    }
}

fn long(parent: u64, node: u32) -> u64 {
    (0..MIXES).fold(value(parent, node), |value, _| mix(value).rotate_left(23))
}

/// The median of some steps, in milliseconds.
fn median(mut step: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..BEFORE + STEPS {
        let start = Instant::now();
        step();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let times = &mut times[BEFORE..];
    times.sort_by(f64::total_cmp);
    times[STEPS / 2]
}

fn by_hand(nodes: u32, tree: Tree, value: impl Fn(u64, u32) -> u64) -> (f64, u64) {
    let parents: Vec<u32> =
        (0..nodes).map(|node| if node == 0 { 0 } else { tree.parent(node) }).collect();
    let mut values = vec![0; nodes as usize];
    let time = median(|| {
        values[0] = value(0, 0);
        for node in 1..values.len() {
            values[node] = value(values[parents[node] as usize], node as u32);
        }
    });
    (time, values.iter().fold(0, |sum, value| sum ^ value))
}

fn library(threads: Threads, nodes: u32, tree: Tree, is_long: bool) -> (f64, u64) {
    let mut world = World::<Nodes>::on(threads);
    let all = world.spawn_batch((0..nodes).map(|node| (Node(node), Value(0))));
    let linked = world.step(|step| {
        for node in 1..nodes {
            step.link::<ChildOf>(all[node as usize], all[tree.parent(node) as usize]);
        }
    });
    linked.expect("a tree");
    let time = median(|| {
        let stepped = world.step(|step| {
            if is_long {
                step.execute_only::<(Long,)>();
            } else {
                step.execute_only::<(Short,)>();
            }
        });
        stepped.expect("nothing is staged");
    });
    (time, world.iter::<&Value>().fold(0, |sum, value| sum ^ value.0))
}

/// Prints the table.
pub(super) fn measure(is_test: bool) {
    println!("| tree | nodes | body | by hand, ms | one thread, ms | two threads, ms |");
    println!("| --- | ---: | --- | ---: | ---: | ---: |");
    let sizes: &[u32] = if is_test { &[3_000] } else { &[100_000, 1_000_000] };
    for (title, tree) in [("wide", Tree::Wide), ("random", Tree::Random)] {
        for &nodes in sizes {
            for is_long in [false, true] {
                if is_long && nodes > 100_000 {
                    continue;
                }
                let (hand, sum) =
                    if is_long { by_hand(nodes, tree, long) } else { by_hand(nodes, tree, value) };
                let [one, two] = [Threads::Inline, Threads::Global].map(|threads| {
                    let (time, other) = library(threads, nodes, tree, is_long);
                    assert_eq!(other, sum, "{title}");
                    time
                });
                let body = if is_long { "long" } else { "short" };
                println!("| {title} | {nodes} | {body} | {hand:.3} | {one:.3} | {two:.3} |");
            }
        }
    }
}
