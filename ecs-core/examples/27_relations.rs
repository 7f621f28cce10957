//! Relations: a scene of nodes with parents. Transforms are propagated from parents to children, level by level.
//!
//! Run it: `cargo run -p ecs-core --example 27_relations`

use std::error::Error;

use ecs_core::{Entity, Refused, World, world};

/// Relative to the parent.
struct Local(f32);
/// In the world.
struct Global(f32);
/// Lets go of its parent, and holds on to this one.
struct Grab(Entity);
struct ChildOf;

world! {
    world Scene;
    component Local, Global, Grab;
    relation ChildOf: one_to_many, on_despawn: despawn;

    system Hold {
        read: [Grab],
        relations: [ChildOf],
        link: [ChildOf],
        run: |data| for (entity, grab) in data.own.query::<(Entity, &Grab)>() {
            if data.effects.parent::<ChildOf>(entity) != Some(grab.0) {
                data.effects.relink::<ChildOf>(entity, grab.0); // At the end of the step.
            }
        },
    }
    system Propagate {
        parallelism: split_evenly(cores),
        after_parent: ChildOf,
        read: [Local],
        write: [Global],
        run: |data| data.for_after_parent::<&Global>(|node, parent, _| {
            node.global.0 = node.local.0 + parent.map_or(0.0, |parent| parent.0);
        }),
    }
}

/// A lamp on a table in a room, and a cat.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Scene>::new();
    let [room, table, lamp, cat] = world.step(|step| {
        let all = [100.0, 20.0, 3.0, 50.0].map(|local| step.spawn((Local(local), Global(0.0))));
        for (child, parent) in [(1, 0), (2, 1), (3, 0)] {
            step.link::<ChildOf>(all[child], all[parent]);
        }
        all
    })?;
    world.tick()?;
    let global = |world: &World<Scene>, node| world.get::<Global>(node).map(|global| global.0);
    assert_eq!(
        [table, lamp, cat].map(|node| global(&world, node)),
        [120.0, 123.0, 150.0].map(Some)
    );

    world.insert(lamp, Grab(cat))?;
    world.tick()?; // The lamp is the cat's now.
    world.tick()?;
    assert_eq!((world.parent::<ChildOf>(lamp), global(&world, lamp)), (Some(cat), Some(153.0)));

    assert!(world.link::<ChildOf>(room, lamp).is_err(), "a cycle");
    assert_eq!(world.refused::<ChildOf>(), [Refused::Cycle { child: room, parent: lamp }]);

    world.despawn(cat); // And the lamp.
    assert!(world.children::<ChildOf>(room).eq([table]));
    assert_eq!(world.entity_count(), 2);
    println!("the cat has left, with the lamp");
    Ok(())
}
