//! `bevy_ecs`: its `ChildOf` and `Children`, and a system that goes down from the root.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;

use crate::{Contender, Tree, value};

#[derive(Component)]
struct Node(u32);
#[derive(Component)]
struct Value(u64);

/// What has been reached, and not gone on from: entities, and the values of their parents.
#[derive(Resource, Default)]
struct Stack(Vec<(Entity, u64)>);

fn propagate(
    roots: Query<'_, '_, Entity, (With<Node>, Without<ChildOf>)>,
    mut nodes: Query<'_, '_, (&Node, &mut Value, Option<&Children>)>,
    mut stack: ResMut<'_, Stack>,
) {
    let stack = &mut stack.0;
    stack.extend(roots.iter().map(|root| (root, 0)));
    while let Some((entity, above)) = stack.pop() {
        let Ok((node, mut own, children)) = nodes.get_mut(entity) else { continue };
        own.0 = value(above, node.0);
        if let Some(children) = children {
            stack.extend(children.iter().map(|child| (child, own.0)));
        }
    }
}

struct Bevy {
    world: World,
    schedule: Schedule,
    nodes: Vec<Entity>,
}

pub(super) fn new(nodes: u32, tree: Tree) -> Box<dyn Contender> {
    let mut world = World::new();
    world.init_resource::<Stack>();
    let nodes: Vec<Entity> =
        world.spawn_batch((0..nodes).map(|node| (Node(node), Value(0)))).collect();
    for node in 1..nodes.len() as u32 {
        world.entity_mut(nodes[node as usize]).insert(ChildOf(nodes[tree.parent(node) as usize]));
    }
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.add_systems(propagate);
    Box::new(Bevy { world, schedule, nodes })
}

impl Contender for Bevy {
    fn propagate(&mut self) {
        self.schedule.run(&mut self.world);
    }

    fn relink(&mut self, relinks: &[(u32, u32)]) {
        for (node, parent) in relinks {
            let parent = ChildOf(self.nodes[*parent as usize]);
            self.world.entity_mut(self.nodes[*node as usize]).insert(parent);
        }
    }

    fn sum(&mut self) -> u64 {
        let mut values = self.world.query::<&Value>();
        values.iter(&self.world).map(|value| value.0).fold(0, u64::wrapping_add)
    }

    fn despawn(&mut self) -> u32 {
        self.world.despawn(self.nodes[0]);
        let mut nodes = self.world.query::<&Node>();
        nodes.iter(&self.world).count() as u32
    }
}
