//! The two conflicts of *The Essence of Entity Component System* (figure 2), and their mending.
//!
//! Bullets fly, hit and are drawn. `Collide` reads what `Fly` writes: without `dependencies: [Fly]` the two could run at
//! the same time, a *concurrent* conflict (error `ECS0032`). Both stage despawns: with `dependencies` in the place of
//! `sees`, bullets that are spent would hit, and bullets that have hit would be drawn, *residual* conflicts (`ECS0035`).
//!
//! Run it: `cargo run -p ecs-core --example 28_conflicts`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Bullet {
    at: i32,
    life: u32,
}
struct Armour(i32);

world! {
    // Staged changes that a later system would not see are errors.
    world Tower { staged_changes: deny }

    component Bullet;
    resource Armour = Armour(5);

    system Fly {
        despawn,
        each: |entity: Entity, bullet: &mut Bullet, effects| {
            bullet.at += 1;
            bullet.life -= 1;
            if bullet.life == 0 {
                effects.despawn(entity);
            }
        },
    }
    // A refresh before it despawns the bullets that are spent.
    system Collide {
        sees: [Fly.despawn],
        despawn,
        write_resources: [Armour],
        read: [Bullet],
        run: |data| {
            let armour = data.resources.get_mut::<Armour>();
            for one in data.own.iter().filter(|one| one.bullet.at >= 10) {
                armour.0 -= 1;
                data.effects.despawn(one.entity);
            }
        },
    }
    // Another refresh despawns those that have hit.
    system Draw {
        sees: [Collide.despawn],
        output: Vec<i32>,
        each: |bullet: &Bullet, effects| effects.output().push(bullet.at),
    }
}

/// Of four bullets, one is spent as it arrives, one is spent, one hits, and one flies on.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Tower>::new();
    world.spawn_batch([(9, 1), (0, 1), (12, 5), (0, 5)].map(|(at, life)| (Bullet { at, life },)));
    world.tick()?;
    let drawn: Vec<i32> = world.outputs_of::<Draw>().flatten().copied().collect();
    println!("armour {}, bullets at {drawn:?}", world.resource::<Armour>().0);
    assert_eq!((world.resource::<Armour>().0, drawn), (4, vec![1]));
    assert_eq!(world.entity_count(), 1);
    Ok(())
}
