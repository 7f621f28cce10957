//! Boids: each one turns to what its neighbours do: `ecs_core`.

use ecs_core::{World, world};

struct Position([f32; 2]);
struct Velocity([f32; 2]);
#[derive(Default)]
struct Force([f32; 2]);

struct Rules {
    radius: f32,
    separation: f32,
    alignment: f32,
}

world! {
    world Sky;
    component Position, Velocity, Force;
    resource Rules = Rules { radius: 9.0, separation: 0.01, alignment: 0.02 };
    query Others { read: [Position, Velocity] }
    system Steer {
        queries: [Others],
        each: |position: &Position, velocity: &Velocity, force: &mut Force, rules: &Rules, effects| {
            force.0 = [0.0; 2];
            for (place, motion) in effects.members::<Others, (&Position, &Velocity)>() {
                let away = [0, 1].map(|i| position.0[i] - place.0[i]);
                if away[0].hypot(away[1]) < rules.radius {
                    for i in 0..2 {
                        let turn = motion.0[i] - velocity.0[i];
                        force.0[i] += away[i] * rules.separation + turn * rules.alignment;
                    }
                }
            }
        },
    }
    system Fly {
        dependencies: [Steer],
        each: |position: &mut Position, velocity: &mut Velocity, force: &Force| {
            for i in 0..2 {
                velocity.0[i] += force.0[i];
                position.0[i] += velocity.0[i];
            }
        },
    }
}

pub fn main() {
    let mut world = World::<Sky>::new();
    world.spawn_batch((0_u8..100).map(|n| {
        let (x, y) = (f32::from(n % 10), f32::from(n / 10));
        (
            Position([x * 4.0, y * 4.0]),
            Velocity([y / 9.0, x / -9.0]),
            Force::default(),
        )
    }));
    for _ in 0..50 {
        world.tick().unwrap();
    }
    for Position([x, y]) in world.iter::<&Position>().step_by(10) {
        println!("{x:.2} {y:.2}");
    }
}
