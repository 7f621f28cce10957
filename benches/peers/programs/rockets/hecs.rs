//! Rockets burn and fly: `hecs`.

use hecs::World;

struct Position(f32);
struct Velocity(f32);

fn burn(world: &mut World) {
    for velocity in world.query_mut::<&mut Velocity>() {
        velocity.0 += 1.0;
    }
}

fn fly(world: &mut World) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

pub fn main() {
    let mut world = World::new();
    let rocket = world.spawn((Position(0.0), Velocity(0.0)));
    for _ in 0..2 {
        burn(&mut world);
        fly(&mut world);
    }
    println!("{}", world.get::<&Position>(rocket).unwrap().0);
}
