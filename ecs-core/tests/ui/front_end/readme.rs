//! The program of `README.md` without its order.

use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Velocity(f32);

world! {
    /// Rockets on a line.
    world Rockets { entity_limit: dynamic(1_000) }

    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;

    system Burn { write: [Velocity] }
    system Fly {
        parallelism: split_evenly(cores),
        read: [Velocity],
        write: [Position],
    }
}

#[derive(Default)]
struct Burn;

impl System<Rockets> for Burn {
    fn process(&self, data: &mut Data<'_, Rockets, Self>) {
        data.for_entities(|rocket| rocket.velocity.0 += 1.0);
    }
}

#[derive(Default)]
struct Fly;

impl System<Rockets> for Fly {
    fn process(&self, data: &mut Data<'_, Rockets, Self>) {
        data.for_entities(|rocket| rocket.position.0 += rocket.velocity.0);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::<Rockets>::new();
    let rocket = world.step(|step| step.spawn((Position(0.0), Velocity(0.0))))??;
    for _ in 0..2 {
        world.tick()?;
    }
    assert_eq!(world.get::<Position>(rocket).unwrap().0, 3.0);
    Ok(())
}
