//! ECS0157: a type without handles that can be replaced.

use ecs_core::{Entity, MapEntities};

#[derive(Clone, MapEntities)]
struct Turret {
    #[entities]
    target: Option<Entity>,
    #[entities]
    range: f32,
}

fn main() {}
