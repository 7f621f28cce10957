//! ECS0143: not the components of a template.

use ecs_core::{Template, world};
struct Health(u32);

world! {
    world W;
    component Health;
}

fn main() {
    let _orc = Template::<W>::new((Health(10),));
}
