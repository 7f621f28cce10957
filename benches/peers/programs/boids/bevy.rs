//! Boids: each one turns to what its neighbours do: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Position([f32; 2]);
#[derive(Component)]
struct Velocity([f32; 2]);
#[derive(Component, Default)]
struct Force([f32; 2]);

#[derive(Resource)]
struct Rules {
    radius: f32,
    separation: f32,
    alignment: f32,
}

fn steer(
    rules: Res<Rules>,
    mut boids: Query<(&Position, &Velocity, &mut Force)>,
    others: Query<(&Position, &Velocity)>,
) {
    for (position, velocity, mut force) in &mut boids {
        force.0 = [0.0; 2];
        for (place, motion) in &others {
            let away = [0, 1].map(|i| position.0[i] - place.0[i]);
            if away[0].hypot(away[1]) < rules.radius {
                for i in 0..2 {
                    let turn = motion.0[i] - velocity.0[i];
                    force.0[i] += away[i] * rules.separation + turn * rules.alignment;
                }
            }
        }
    }
}

fn fly(mut boids: Query<(&mut Position, &mut Velocity, &Force)>) {
    for (mut position, mut velocity, force) in &mut boids {
        for i in 0..2 {
            velocity.0[i] += force.0[i];
            position.0[i] += velocity.0[i];
        }
    }
}

pub fn main() {
    let mut world = World::new();
    world.insert_resource(Rules {
        radius: 9.0,
        separation: 0.01,
        alignment: 0.02,
    });
    let mut schedule = Schedule::default();
    schedule.add_systems((steer, fly).chain());
    world.spawn_batch((0_u8..100).map(|n| {
        let (x, y) = (f32::from(n % 10), f32::from(n / 10));
        (
            Position([x * 4.0, y * 4.0]),
            Velocity([y / 9.0, x / -9.0]),
            Force::default(),
        )
    }));
    for _ in 0..50 {
        schedule.run(&mut world);
    }
    let mut boids = world.query::<&Position>();
    for Position([x, y]) in boids.iter(&world).step_by(10) {
        println!("{x:.2} {y:.2}");
    }
}
