//! A sequential system changes the world at once.
//!
//! Other systems stage their effects. A system that declares `sequential` runs alone and visits its entities one
//! by one. It sees its own changes: an entity that it has despawned is not visited any more.
//!
//! Run it: `cargo run -p ecs-core --example 11_sequential`

use std::error::Error;

use ecs_core::{Data, Entity, World, world};

struct Size(u32);

world! {
    world Sea;

    component Size;

    system Eat { sequential, write: [Size], despawn, run: eat }
}

/// Each fish eats the largest one that is smaller than itself, and grows by its size.
fn eat(data: &mut Data<'_, Sea, Eat>) {
    data.roll(|mut fish| {
        let (eater, size) = (fish.entity(), fish.entry().size.0);
        let mut now = fish.now();
        let smaller = now.query::<(Entity, &Size)>().filter(|(_, other)| other.0 < size);
        let prey = smaller.max_by_key(|(_, other)| other.0);
        let Some((prey, gain)) = prey.map(|(prey, other)| (prey, other.0)) else { return };
        now.despawn(prey);
        assert!(!now.is_alive(prey), "it is gone at once");
        now.get_mut::<&mut Size>(eater).expect("the eater is alive").0 += gain;
    });
}

/// Four fish become two.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Sea>::new();
    world.spawn_batch([4, 1, 3, 2].map(|size| (Size(size),)));
    world.tick()?;

    let sizes: Vec<u32> = world.iter::<&Size>().map(|size| size.0).collect();
    println!("sizes: {sizes:?}");
    // 4 eats 3. 1 finds no prey. 3 is not visited. 2 eats 1.
    assert_eq!(sizes, [7, 3]);
    Ok(())
}
