//! ECS0168: a child that is not a template of the declaration.

use ecs_core::world;
struct Health(u32);
struct Size(u8);
struct PartOf;

world! {
    world W;
    component Health, Size;
    relation PartOf: one_to_many, on_despawn: despawn;
    bundle Wheel { Size }
    template Tank { Health(10), children: PartOf [Wheel, Wheel] }
}

fn main() {}
