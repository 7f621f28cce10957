//! What a system needs to spawn a template with children: the right to link them.

use ecs_core::{Template, World, world};

#[derive(Clone)]
struct Health(u32);
#[derive(Clone)]
struct Size(u8);
struct PartOf;
struct Spins;

world! {
    world W;
    component Health, Size;
    relation PartOf: one_to_many, on_despawn: despawn;
    template Tank { Health(10), children: PartOf [Wheel, Wheel] }
    template Wheel { Size(4), children: PartOf [Nut] }
    template Nut { Size(1) }
    system Roll {
        with: [Health],
        spawn: [Tank, Wheel],
        run: |data| data.effects.spawn(Tank::default()),
    }
    system Stop { sequential, spawn: [Wheel], run: |data| _ = data.now().spawn(Wheel::default()) }
}

fn main() {
    let mut world = World::<W>::new();
    let tank = Template::<W>::new((Health(3),));
    world.spawn(tank.with_children::<Spins>([]));
}
