//! ECS0049: a stream that the signature does not declare.

use ecs_core::{Stream, world};

world! {
    world W;
    system Find { output: Stream<u32>, run: |data| data.effects.stream().send(1) }
    system Note {
        run: |data| {
            data.effects.received::<Find>().for_each(|number| println!("{number}"));
            data.effects.stream().send(2);
        },
    }
}

fn main() {}
