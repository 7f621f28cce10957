//! Updates beside everything that they commute with, or are ordered with, or that the refresh tells apart.

use ecs_core::{Data, System, World, world};

struct Level(f32);
struct Wet;

world! {
    world Sea { staged_changes: refresh_before_dependents }
    component Level: contiguous_buffer;
    component Wet: empty;
    system Rise { update: [Level], remove: [Level], read_any: [Level] }
    system Fall { update: [Level], parallelism: split_evenly(cores) }
    system Look { read: [Level], read_any: [Level] }
    system Drain { remove: [Level], despawn, spawn: [Level] }
    system Soak { without: [Level], write: [Wet] }
    system Fill { dependencies: [Rise, Fall, Drain], insert: [Level] }
    system Script { dependencies: [Fill, Soak], defer }
}

macro_rules! bodies {
    ($($S:ident)*) => {$(
        #[derive(Default)]
        struct $S;

        impl System<Sea> for $S {
            fn process(&self, _: &mut Data<'_, Sea, Self>) {}
        }
    )*};
}

bodies! { Rise Fall Look Drain Soak Fill Script }

fn main() {
    let mut world = World::<Sea>::new();
    assert_eq!(world.tick(), Ok(()));
}
