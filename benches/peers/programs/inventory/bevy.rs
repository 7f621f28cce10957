//! An inventory with containers in containers, which burst: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Weight(u32);
#[derive(Component)]
struct Holder {
    load: u32,
    capacity: u32,
}

fn weigh(
    items: Query<(Entity, &Weight)>,
    inside: Query<&ChildOf>,
    mut holders: Query<&mut Holder>,
) {
    for mut holder in &mut holders {
        holder.load = 0;
    }
    for (item, weight) in &items {
        for outer in inside.iter_ancestors(item) {
            holders.get_mut(outer).unwrap().load += weight.0;
        }
    }
}

fn burst(mut commands: Commands, holders: Query<(Entity, &Holder)>) {
    for (entity, holder) in &holders {
        if holder.load > holder.capacity {
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
            Holder {
                load: 0,
                capacity: 20,
            },
            Weight(5),
        ))
        .id();
    let bag = (
        Holder {
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
        let load = world.get::<Holder>(chest).unwrap().load;
        let mut loose = world.query_filtered::<&Weight, Without<ChildOf>>();
        let lying: u32 = loose.iter(&world).map(|weight| weight.0).sum();
        println!("in the chest: {load}, lying about: {lying}");
    }
}
