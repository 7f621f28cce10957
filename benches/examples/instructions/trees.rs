//! Parents before their children: in a tree of siblings, and in one of 1 000 levels of ten.

use std::hint::black_box;

use ecs_core::{Entity, Threads, World, world};

use super::steadily;

const NODES: u32 = 10_000;

struct Node(u32);
struct Value(u64);
struct ChildOf;

world! {
    world Nodes;
    component Node, Value;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Propagate {
        after_parent: ChildOf,
        read: [Node],
        write: [Value],
        run: |data| data.for_after_parent::<&Value>(|one, parent, _| {
            let above = parent.map_or(0, |parent| parent.0);
            one.value.0 = above.rotate_left(1).wrapping_add(u64::from(one.node.0) + 1);
        }),
    }
}

fn propagate(parent: impl Fn(u32) -> u32) {
    let mut world = World::<Nodes>::on(Threads::Inline);
    let nodes: Vec<Entity> = world.spawn_batch((0..NODES).map(|node| (Node(node), Value(0))));
    let linked = world.step(|step| {
        for node in 1..NODES {
            step.link::<ChildOf>(nodes[node as usize], nodes[parent(node) as usize]);
        }
    });
    linked.expect("a tree");
    steadily(|| black_box(&mut world).tick().expect("nothing is staged"));
}

pub(super) fn wide() {
    propagate(|_| 0);
}

pub(super) fn deep() {
    propagate(|node| node.saturating_sub(10));
}
