//! Streams that are none, lead to too many ends, or between ends that cannot run at the same time.

use ecs_core::{Stream, world};

world! {
    world Ends;
    component Life: contiguous_buffer;
    system Silent { read: [Life] }
    system Find { output: Stream<u32> }
    system Make { output: Stream<u32> }
    system Listen { streams: [Silent] }
    system Both { streams: [Find, Make] }
    system Again { streams: [Make], output: Stream<u32> }
    system Last { streams: [Again] }
    system Alone { unordered }
    system Itself { streams: [Itself], output: Stream<u32> }
    system Typo { streams: [Fnid] }
}

world! {
    world Between;
    system Look { output: Stream<u32> }
    system Order { inputs: [Look] }
    system Mark { streams: [Look], dependencies: [Order] }
}

world! {
    world Crossed;
    system Seek { output: Stream<u32>, dependencies: [Eat] }
    system Write { streams: [Seek] }
    system Craft { output: Stream<u32>, dependencies: [Write] }
    system Eat { streams: [Craft] }
}

world! {
    world Shared;
    component Prey: contiguous_buffer;
    system Hunt { write: [Prey], output: Stream<u32> }
    system Tell { streams: [Hunt], read: [Prey] }
}

fn main() {}
