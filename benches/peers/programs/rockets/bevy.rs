//! Rockets burn and fly: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn burn(mut rockets: Query<&mut Velocity>) {
    for mut velocity in &mut rockets {
        velocity.0 += 1.0;
    }
}

fn fly(mut rockets: Query<(&mut Position, &Velocity)>) {
    for (mut position, velocity) in &mut rockets {
        position.0 += velocity.0;
    }
}

pub fn main() {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    schedule.add_systems((burn, fly).chain());
    let rocket = world.spawn((Position(0.0), Velocity(0.0))).id();
    for _ in 0..2 {
        schedule.run(&mut world);
    }
    println!("{}", world.get::<Position>(rocket).unwrap().0);
}
