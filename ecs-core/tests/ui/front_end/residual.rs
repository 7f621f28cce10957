//! Each effect that a later system would not see in time, at both tokens.

use ecs_core::{Data, System, world};

struct Position(f32);
struct Burning;

world! {
    world Fire { staged_changes: deny }
    component Position: contiguous_buffer;
    component Burning: contiguous_buffer;
    system Ignite { read: [Position], insert: [Burning] }
    system Quench { with: [Position], remove: [Burning], dependencies: [Ignite] }
    system Spark { spawn: [(Position, Burning)], inputs: [Quench] }
    system Draw { read: [Position], with: [Burning], inputs: [Spark] }
    system Tell { dependencies: [Draw], defer, before: [Listen] }
    system Listen;
}

macro_rules! bodies {
    ($($N:ident)*) => {$(
        #[derive(Default)]
        struct $N;

        impl System<Fire> for $N {
            fn process(&self, _: &mut Data<'_, Fire, Self>) {}
        }
    )*};
}

bodies! { Ignite Quench Spark Draw Tell Listen }

fn main() {}
