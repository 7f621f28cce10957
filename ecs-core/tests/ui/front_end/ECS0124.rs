//! ECS0124: events or changes read for each batch of a stream.

use ecs_core::{Stream, world};
struct Sample(u8);
struct Reset;

world! {
    world W;
    component Sample;
    event Reset;
    system Read {
        read: [Sample],
        output: Stream<u8>,
        each: |e, effects| { let _ = e.sample.0; },
    }
    system Take { streams: [Read], on: [Reset], run: |_| {} }
}

fn main() {}
