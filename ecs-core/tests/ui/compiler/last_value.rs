//! Calls that would return a last value which systems read.

use ecs_core::{Data, Entity, World, world};
struct Poison(u32);
struct Cure;

world! {
    world W;
    component Poison, Cure;
    system Heal { sequential, read: [Poison], remove: [Poison, Cure], run: heal }
    system Sum { removed: [Poison], dependencies: [Heal], output: u32, run: sum }
}

fn heal(data: &mut Data<'_, W, Heal>) {
    data.roll(|found| {
        let entity: Entity = found.entity();
        let mut now = found.now();
        now.remove::<Cure>(entity);
        now.remove::<Poison>(entity);
    });
}

fn sum(data: &mut Data<'_, W, Sum>) {
    *data.effects.output() = data.own.removed::<Poison>().map(|(_, poison)| poison.0).sum();
}

fn main() {
    let mut world = World::<W>::new();
    let entity = world.spawn((Poison(1), Cure));
    world.remove::<Cure>(entity);
    world.remove::<Poison>(entity);
    world.tick().unwrap();
}
