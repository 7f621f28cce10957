//! What cannot be emitted, and not be read as an event.

use ecs_core::{EventQueue, world};

struct Mass(f32);
struct Died;
struct Born;

#[derive(Default)]
struct Score(u64);

world! {
    world W;
    component Mass;
    resource Score;
    event Died, Born;
    system Live {
        read: [Mass],
        emit: [Born],
        run: |data| {
            data.effects.emit(Died);
            data.effects.emit(Mass(1.0));
            data.effects.emit(Score(1));
            data.effects.events::<Died>();
            data.effects.events::<Born>();
        },
    }
    system Count {
        on: [Died],
        run: |data| data.effects.events::<Died>().for_each(|died| drop(died.0)),
    }
}

fn emits<N: ecs_core::access::Emits<EventQueue<Died>, W>>() {}
fn reads<N: ecs_core::access::ReadsEvents<EventQueue<Died>, W>>() {}

fn main() {
    emits::<Live>();
    reads::<Live>();
    let mut world = ecs_core::World::<W>::new();
    world.emit(Score(1));
}
