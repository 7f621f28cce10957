//! An inventory with containers, which burst: `hecs`.

use hecs::{CommandBuffer, Entity, Without, World};

struct Weight(u32);
struct Inside(Entity);
struct Container {
    load: u32,
    capacity: u32,
}

fn weigh(world: &mut World) {
    for container in world.query_mut::<&mut Container>() {
        container.load = 0;
    }
    for (weight, inside) in &mut world.query::<(&Weight, &Inside)>() {
        world.get::<&mut Container>(inside.0).unwrap().load += weight.0;
    }
}

fn burst(world: &mut World) {
    let mut commands = CommandBuffer::new();
    for (item, inside) in &mut world.query::<(Entity, &Inside)>() {
        let container = world.get::<&Container>(inside.0).unwrap();
        if container.load > container.capacity {
            commands.remove_one::<Inside>(item);
        }
    }
    for (entity, container) in &mut world.query::<(Entity, &Container)>() {
        if container.load > container.capacity {
            commands.despawn(entity);
        }
    }
    commands.run_on(world);
}

pub fn main() {
    let mut world = World::new();
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
            world.insert_one(sword, Inside(chest)).unwrap();
        }
        weigh(&mut world);
        burst(&mut world);
        let load = world.get::<&Container>(chest).unwrap().load;
        let loose = world.query_mut::<Without<&Weight, &Inside>>();
        let lying: u32 = loose.into_iter().map(|weight| weight.0).sum();
        println!("in the chest: {load}, lying about: {lying}");
    }
}
