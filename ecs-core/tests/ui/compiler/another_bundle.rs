//! A bundle that a system does not declare, beside one that it does: too few components, and too many.

use ecs_core::{Data, World, world};

struct Position(f32);
struct Health(u32);
struct Armour(u32);

world! {
    world W;
    component Position, Health, Armour;
    bundle Tank { Position, Health, Armour }
    system Fly { spawn: [(Position, Health)], run: fly }
    system Roll { sequential, spawn: [Tank], dependencies: [Fly], run: |data| drop(data.now().spawn_batch([(Armour(1),)])) }
}

fn fly(data: &mut Data<'_, W, Fly>) {
    data.effects.spawn((Health(1), Position(1.0)));
    data.effects.spawn(Tank { position: Position(1.0), health: Health(1), armour: Armour(1) });
}

fn main() {
    World::<W>::new().tick().unwrap();
}
