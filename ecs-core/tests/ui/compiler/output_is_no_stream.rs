//! A stream is taken of a system with another output. The macro does not know types: what is
//! found here is found in a constant, at the output's own token.

use ecs_core::{Data, Stream, System, world};

type Hits = Stream<u32>;
type Found = Vec<u32>;

world! {
    world W;
    system Find { output: Found }
    system Note { streams: [Find] }
    system Hit { output: Hits }
    system Miss { streams: [Hit] }
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<W> for $name {
            fn process(&self, _: &mut Data<'_, W, Self>) {}
        }
    )*};
}

systems! { Find Note Hit Miss }

fn main() {}
