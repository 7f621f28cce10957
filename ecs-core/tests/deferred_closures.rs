//! Deferred functions with the same behaviour may be merged into one by the optimiser, though the sizes of
//! their captures differ.
//!
//! This shows in optimised builds only: `cargo test --release -p benches --test deferred_closures`

use std::hint::black_box;

use ecs_core::{Data, System, World, world};

/// The captures of the last function.
#[derive(Default)]
struct Seen(Vec<[u64; 2]>);

world! {
    world Deferring;
    resource Seen;
    system Defer { defer }
}

#[derive(Default)]
struct Defer;

impl System<Deferring> for Defer {
    fn process(&self, data: &mut Data<'_, Deferring, Self>) {
        let (short, long, last) = black_box(([1_u8; 16], [2_u8; 64], [7_u64, 8]));
        data.effects.defer(move |_| {
            let _ = &short;
            black_box(0);
        });
        data.effects.defer(move |_| {
            let _ = &long;
            black_box(0);
        });
        data.effects.defer(move |defer| defer.resource_mut::<Seen>().0.push(last));
    }
}

#[test]
fn each_is_as_long_as_what_it_captured() {
    let mut world = World::<Deferring>::new();
    for _ in 0..3 {
        world.tick().unwrap();
    }
    assert_eq!(world.resource::<Seen>().0, [[7, 8]; 3]);
}
