//! ECS0169: a template among its own descendants.

use ecs_core::world;
struct Length(u32);
struct GrowsOn;

world! {
    world W;
    component Length;
    relation GrowsOn: one_to_many, on_despawn: despawn;
    template Branch { Length(8), children: GrowsOn [Twig, Twig] }
    template Twig { Length(3), children: GrowsOn [Branch] }
}

fn main() {}
