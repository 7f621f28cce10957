//! An inventory with containers in containers, which burst: `ecs_core`.

use ecs_core::{Entity, World, world};

struct Weight(u32);
struct Inside(Entity);
struct Holder {
    load: u32,
    capacity: u32,
}

world! {
    world House;
    component Weight, Inside, Holder;
    query Items { read: [Weight, Inside] }
    system Weigh { exclusive, queries: [Items], read_any: [Inside], write: [Holder], run: |data| {
        data.for_entities(|e| e.holder.load = 0);
        let inside = data.read_any::<Inside>();
        let items = data.members::<Items, (&Weight, &Inside)>();
        let mut holders = data.any_mut::<&mut Holder>();
        for (weight, item) in items {
            for outer in std::iter::successors(Some(item), |item| inside.get(item.0)) {
                holders.get_mut(outer.0).unwrap().load += weight.0;
            }
        }
    } }
    system Burst { dependencies: [Weigh], queries: [Items], remove: [Inside], despawn, each:
        |entity: Entity, holder: &Holder, effects| {
            if holder.load > holder.capacity {
                effects.despawn(entity);
                let items = effects.members::<Items, (Entity, &Inside)>().into_iter();
                for (item, _) in items.filter(|(_, inside)| inside.0 == entity) {
                    effects.remove::<Inside>(item);
                }
            }
        }
    }
}

pub fn main() {
    let mut world = World::<House>::new();
    let chest = world.spawn((
        Holder {
            load: 0,
            capacity: 20,
        },
        Weight(5),
    ));
    let bag = world.spawn((
        Holder {
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
        let load = world.get::<Holder>(chest).unwrap().load;
        let mut lying = 0;
        world.for_each::<(&Weight, Option<&Inside>)>(|(weight, inside)| {
            if inside.is_none() {
                lying += weight.0;
            }
        });
        println!("in the chest: {load}, lying about: {lying}");
    }
}
