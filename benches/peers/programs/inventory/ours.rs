//! An inventory with containers in containers, which burst: `ecs_core`.

use ecs_core::{Data, Entity, World, world};

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
    system Weigh { exclusive, queries: [Items], read_any: [Inside], write: [Container], run: weigh }
    system Fall {
        dependencies: [Weigh],
        read: [Inside],
        read_any: [Container],
        remove: [Inside],
        each: |item, effects| {
            let container = effects.read_any::<Container>().get(item.inside.0).unwrap();
            if container.load > container.capacity {
                effects.remove::<Inside>(item.entity);
            }
        },
    }
    system Burst {
        dependencies: [Weigh],
        read: [Container],
        despawn,
        each: |it, effects| {
            if it.container.load > it.container.capacity {
                effects.despawn(it.entity);
            }
        },
    }
}

fn weigh(data: &mut Data<'_, House, Weigh>) {
    data.for_entities(|e| e.container.load = 0);
    let (containers, effects) = data.split();
    let inside = effects.read_any::<Inside>();
    let mut containers = containers.any_mut::<&mut Container>();
    for (weight, &Inside(mut holder)) in effects.members::<Items, (&Weight, &Inside)>() {
        loop {
            containers.get_mut(holder).unwrap().load += weight.0;
            let Some(next) = inside.get(holder) else {
                break;
            };
            holder = next.0;
        }
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
        let mut lying = 0;
        world.for_each::<(&Weight, Option<&Inside>)>(|(weight, inside)| {
            if inside.is_none() {
                lying += weight.0;
            }
        });
        println!("in the chest: {load}, lying about: {lying}");
    }
}
