//! An inventory with containers, which burst: `ecs_core`.

use ecs_core::{Entity, World, world};

struct Weight(u32);
struct Inside(Entity);
struct Container {
    load: u32,
    capacity: u32,
}

world! {
    world House;
    component Weight, Inside, Container;
    query Items { read: [Weight, Inside] }
    system Weigh {
        queries: [Items],
        each: |entity: Entity, container: &mut Container, effects| {
            let items = effects.members::<Items, (&Weight, &Inside)>().into_iter();
            container.load = items.filter(|item| item.1.0 == entity).map(|item| item.0.0).sum();
        },
    }
    system Burst {
        dependencies: [Weigh], queries: [Items], remove: [Inside], despawn,
        each: |entity: Entity, container: &Container, effects| if container.load > container.capacity {
            effects.despawn(entity);
            let items = effects.members::<Items, (Entity, &Inside)>().into_iter();
            items.filter(|i| i.1.0 == entity).for_each(|i| effects.remove::<Inside>(i.0));
        },
    }
}

pub fn main() {
    let mut world = World::<House>::new();
    let chest = world.spawn((
        Container {
            load: 0,
            capacity: 20,
        },
        Weight(5),
    ));
    let bag = world.spawn((
        Container {
            load: 0,
            capacity: 8,
        },
        Weight(1),
        Inside(chest),
    ));
    world.spawn_batch((1..=4).map(|weight| (Weight(weight), Inside(bag))));
    let sword = world.spawn((Weight(7),));
    for tick in 0..4 {
        if tick == 2 {
            world.insert(sword, Inside(chest)).unwrap();
        }
        world.tick().unwrap();
        let load = world.get::<Container>(chest).unwrap().load;
        let lying = world.iter::<&Weight>().without::<Inside>().map(|w| w.0);
        println!("in the chest: {load}, lying about: {}", lying.sum::<u32>());
    }
}
