//! What cannot be sent, and not be received.

use ecs_core::world;

struct Health(i32);
struct Hit(i32);
struct Heal(i32);
struct Loud;

world! {
    world W;
    component Health;
    event Hit, Heal: addressed;
    event Loud;
    system Shoot {
        emit: [Hit, Loud],
        each: |one: &mut Health, effects, entity: ecs_core::Entity| {
            one.0 -= 1;
            effects.send(entity, Heal(1));
            effects.send(entity, Loud);
            effects.emit(Hit(1));
        },
    }
    system Hurt {
        on: [Hit],
        write: [Health],
        run: |data| {
            data.for_messages::<Heal>(|_, _, _| ());
            data.for_messages::<Loud>(|_, _, _| ());
        },
    }
    system Care { on: [Heal], run: |_| {} }
}

fn main() {
    let mut world = ecs_core::World::<W>::new();
    let one = world.spawn((Health(1),));
    world.send(one, Loud);
}
