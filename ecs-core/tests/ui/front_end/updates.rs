//! Updates that something else gets in the way of: a write at once, an insertion, a function, a refresh,
//! and other lists of the same system.

use ecs_core::{Data, System, world};

struct Level(f32);
struct Depth(f32);
struct Wet;

world! {
    world Sea { staged_changes: refresh_before_dependents }
    component Level: contiguous_buffer;
    component Depth: contiguous_buffer;
    component Wet: empty;
    system Rise { update: [Level] }
    system Pour { write: [Level] }
    system Fill { read: [Depth], insert: [Level] }
    system Script { dependencies: [Pour, Fill], defer }
    system Sink { dependencies: [Rise, Pour, Fill, Script], write: [Level], update: [Level] }
}

world! {
    world Shore { staged_changes: refresh_before_dependents }
    component Level: contiguous_buffer;
    component Depth: contiguous_buffer;
    component Wet: empty;
    system Ebb { update: [Depth] }
    system Splash { read: [Level], insert: [Wet] }
    system Dry { dependencies: [Splash], update: [Depth], with: [Wet] }
}

macro_rules! bodies {
    ($($World:ident: $($S:ident)*;)*) => {$($(
        #[derive(Default)]
        struct $S;

        impl System<$World> for $S {
            fn process(&self, _: &mut Data<'_, $World, Self>) {}
        }
    )*)*};
}

bodies! {
    Sea: Rise Pour Fill Script Sink;
    Shore: Ebb Splash Dry;
}

fn main() {}
