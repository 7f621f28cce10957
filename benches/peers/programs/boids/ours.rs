//! Boids: each one turns to what its neighbours do: `ecs_core`.

use ecs_core::{Data, World, world};

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
        read: [Position, Velocity],
        write: [Force],
        read_resources: [Rules],
        run: steer,
    }
    system Fly {
        dependencies: [Steer],
        read: [Force],
        write: [Position, Velocity],
        each: |boid| {
            for i in 0..2 {
                boid.velocity.0[i] += boid.force.0[i];
                boid.position.0[i] += boid.velocity.0[i];
            }
        },
    }
}

fn steer(data: &mut Data<'_, Sky, Steer>) {
    data.for_entities_with_effects(|boid, effects| {
        let rules = effects.resource::<Rules>();
        boid.force.0 = [0.0; 2];
        for (place, motion) in effects.members::<Others, (&Position, &Velocity)>() {
            let away = [0, 1].map(|i| boid.position.0[i] - place.0[i]);
            if away[0].hypot(away[1]) < rules.radius {
                for i in 0..2 {
                    let turn = motion.0[i] - boid.velocity.0[i];
                    boid.force.0[i] += away[i] * rules.separation + turn * rules.alignment;
                }
            }
        }
    });
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
    let mut n = 0;
    world.for_each::<&Position>(|Position([x, y])| {
        if n % 10 == 0 {
            println!("{x:.2} {y:.2}");
        }
        n += 1;
    });
}
