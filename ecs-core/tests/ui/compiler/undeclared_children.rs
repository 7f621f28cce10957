//! What a system needs to spawn a template with children: the right to spawn them. And a template with children is not what
//! another one is overridden with.

use ecs_core::{Template, World, world};

#[derive(Clone)]
struct Health(u32);
#[derive(Clone)]
struct Size(u8);
struct PartOf;

world! {
    world W;
    component Health, Size;
    relation PartOf: one_to_many, on_despawn: despawn;
    template Tank { Health(10), children: PartOf [Wheel, Wheel] }
    template Wheel { Size(4), children: PartOf [Nut] }
    template Nut { Size(1) }
    system Roll {
        with: [Health],
        spawn: [Tank],
        link: [PartOf],
        run: |data| data.effects.spawn_batch([Tank::default()]),
    }
    system Stop {
        sequential,
        spawn: [Tank],
        link: [PartOf],
        run: |data| _ = data.now().spawn(Tank::default()),
    }
}

fn main() {
    let mut world = World::<W>::new();
    let tank = Template::<W>::new((Health(3),));
    world.spawn(tank.with(Wheel::default()));
}
