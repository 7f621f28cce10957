//! A consumer of a stream is called with some items at a time, so it has no random numbers of its own.

use ecs_core::{Stream, World, world};
struct Life(u32);

world! {
    world W;
    component Life;
    system Send { output: Stream<u32>, each: |life: &Life, effects| effects.stream().send(life.0) }
    system Take {
        streams: [Send],
        random,
        run: |data| {
            let mut random = data.effects.random_of_system();
            data.effects.received::<Send>().for_each(|item| {
                let _ = (item, random.u64());
            });
        },
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
