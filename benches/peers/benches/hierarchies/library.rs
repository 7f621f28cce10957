//! The library: a relation, and a system that goes to parents before their children.

use ecs_core::{Entity, Threads, World, world};

use crate::{Contender, Tree, value};

struct Node(u32);
struct Value(u64);
struct ChildOf;

world! {
    world Nodes { entity_limit: dynamic(100_000) }
    component Node, Value;
    relation ChildOf: one_to_many, on_despawn: despawn;
    system Propagate {
        parallelism: split_evenly(cores),
        after_parent: ChildOf,
        read: [Node],
        write: [Value],
        run: |data| data.for_after_parent::<&Value>(|one, parent, _| {
            one.value.0 = value(parent.map_or(0, |parent| parent.0), one.node.0);
        }),
    }
}

struct Library {
    world: World<Nodes>,
    nodes: Vec<Entity>,
}

fn new(threads: Threads, nodes: u32, tree: Tree) -> Box<dyn Contender> {
    let mut world = World::<Nodes>::on(threads);
    let nodes: Vec<Entity> =
        world.spawn_batch((0..nodes).map(|node| (Node(node), Value(0)))).into_iter().collect();
    let linked = world.step(|step| {
        for node in 1..nodes.len() as u32 {
            step.link::<ChildOf>(nodes[node as usize], nodes[tree.parent(node) as usize]);
        }
    });
    linked.expect("a tree");
    Box::new(Library { world, nodes })
}

pub(super) fn on_one(nodes: u32, tree: Tree) -> Box<dyn Contender> {
    new(Threads::Inline, nodes, tree)
}

pub(super) fn on_two(nodes: u32, tree: Tree) -> Box<dyn Contender> {
    new(Threads::Global, nodes, tree)
}

impl Contender for Library {
    fn propagate(&mut self) {
        self.world.tick().expect("nothing is staged");
    }

    fn relink(&mut self, relinks: &[(u32, u32)]) {
        let Self { world, nodes } = self;
        let linked = world.step(|step| {
            for (node, parent) in relinks {
                step.relink::<ChildOf>(nodes[*node as usize], nodes[*parent as usize]);
            }
        });
        linked.expect("a tree");
    }

    fn sum(&mut self) -> u64 {
        let values =
            self.nodes.iter().map(|node| self.world.get::<Value>(*node).expect("a node").0);
        values.fold(0, u64::wrapping_add)
    }

    fn despawn(&mut self) -> u32 {
        self.world.despawn(self.nodes[0]);
        self.world.entity_count() as u32
    }
}
