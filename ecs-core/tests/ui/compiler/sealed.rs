//! Constants of traits that the library relies on, in impls of users.

use ecs_core::{Bundle, BundleSink, Output, world};
struct Load(String);

world! {
    world W {}
    component Load: contiguous_buffer;
}

struct Lies;
impl Bundle<W> for Lies {
    const BY_BLOCKS: bool = true;
    const COMPONENTS: Option<ecs_core::signature::IndexSet> = None;

    fn put(self, sink: &mut BundleSink<'_, W>) {
        sink.put(Load(String::new()));
    }
}

#[derive(Default)]
struct Sends;
impl Output for Sends {
    const STREAM_END: bool = true;
}

fn main() {}
