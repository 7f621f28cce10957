//! An inventory with containers, which burst: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Weight(u32);
#[derive(Component)]
struct Container {
    load: u32,
    capacity: u32,
}

fn weigh(mut containers: Query<(&mut Container, Option<&Children>)>, weights: Query<&Weight>) {
    for (mut container, children) in &mut containers {
        let items = weights.iter_many(children.into_iter().flatten()).flatten();
        container.load = items.map(|weight| weight.0).sum();
    }
}

fn burst(mut commands: Commands, containers: Query<(Entity, &Container)>) {
    for (entity, container) in &containers {
        if container.load > container.capacity {
            commands.entity(entity).detach_all_children().despawn();
        }
    }
}

pub fn main() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    schedule.add_systems((weigh, burst).chain());
    let chest = world
        .spawn((
            Container {
                load: 0,
                capacity: 20,
            },
            Weight(5),
        ))
        .id();
    let bag = (
        Container {
            load: 0,
            capacity: 8,
        },
        Weight(1),
        ChildOf(chest),
    );
    let bag = world.spawn(bag).id();
    world.spawn_batch((1..=4).map(|weight| (Weight(weight), ChildOf(bag))));
    let sword = world.spawn(Weight(7)).id();
    for tick in 0..4 {
        if tick == 2 {
            world.entity_mut(sword).insert(ChildOf(chest));
        }
        schedule.run(&mut world);
        let load = world.get::<Container>(chest).unwrap().load;
        let mut loose = world.query_filtered::<&Weight, Without<ChildOf>>();
        let lying: u32 = loose.iter(&world).map(|weight| weight.0).sum();
        println!("in the chest: {load}, lying about: {lying}");
    }
}
