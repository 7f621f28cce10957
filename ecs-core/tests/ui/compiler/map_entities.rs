//! ECS0157: types for which `MapEntities` is not derived.

use ecs_core::{Entity, MapEntities};

#[derive(MapEntities)]
struct Unmarked(Entity);

#[derive(MapEntities)]
#[entities]
struct Outside(Entity);

#[derive(MapEntities)]
struct Arguments(#[entities(all)] Entity);

#[derive(MapEntities)]
union Either {
    number: u64,
    entity: Entity,
}

fn main() {}
