//! `flecs_ecs`: its `ChildOf`, and a query that comes to parents before their children.

use flecs_ecs::prelude::*;

use crate::{Contender, Tree, value};

#[derive(Component)]
struct Node(u32);
#[derive(Component)]
struct Value(u64);

struct Flecs {
    propagate: Query<(&'static Node, &'static mut Value, Option<&'static Value>)>,
    nodes: Vec<Entity>,
    world: World,
}

pub(super) fn new(nodes: u32, tree: Tree) -> Box<dyn Contender> {
    let world = World::new();
    let spawn = |node| world.entity().set(Node(node)).set(Value(0)).id();
    let nodes: Vec<Entity> = (0..nodes).map(spawn).collect();
    for node in 1..nodes.len() as u32 {
        let parent = nodes[tree.parent(node) as usize];
        world.entity_from_id(nodes[node as usize]).child_of(parent);
    }
    let mut propagate = world.query::<(&Node, &mut Value, Option<&Value>)>();
    let propagate = propagate.term_at(2).parent().cascade().build();
    Box::new(Flecs { propagate, nodes, world })
}

impl Contender for Flecs {
    fn propagate(&mut self) {
        self.propagate.each(|(node, own, above)| {
            own.0 = value(above.map_or(0, |above| above.0), node.0);
        });
    }

    fn relink(&mut self, relinks: &[(u32, u32)]) {
        for (node, parent) in relinks {
            let parent = self.nodes[*parent as usize];
            self.world.entity_from_id(self.nodes[*node as usize]).child_of(parent);
        }
    }

    fn sum(&mut self) -> u64 {
        let mut sum = 0_u64;
        self.world.each::<&Value>(|value| sum = sum.wrapping_add(value.0));
        sum
    }

    fn despawn(&mut self) -> u32 {
        self.world.entity_from_id(self.nodes[0]).destruct();
        self.world.count(Node::id()) as u32
    }
}
