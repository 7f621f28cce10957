//! What is not inserted or removed together.

use ecs_core::{World, world};

struct A(u8);
struct B(u8);
struct Alien;

world! {
    world W;
    component A, B;
    system Change {
        with: [A],
        insert: [B],
        remove: [B],
        run: |data| {
            let entities: Vec<_> = data.own.query::<ecs_core::Entity>().into_iter().collect();
            for entity in entities {
                data.effects.insert_many(entity, B(1));
                data.effects.insert_many(entity, (B(1), A(1)));
                data.effects.remove_many::<B>(entity);
                data.effects.remove_many::<(A, B)>(entity);
            }
        },
    }
}

fn main() {
    let mut world = World::<W>::new();
    let entity = world.spawn((A(1),));
    world.insert_many(entity, B(1)).unwrap();
    world.insert_many(entity, (B(1), Alien)).unwrap();
    world.remove_many::<B>(entity);
}
