//! Deferred functions that do the same whatever they have captured may be one function to the optimiser,
//! though what they have captured differs in size.
//!
//! Shows in optimised builds only: `cargo test --release -p benches --test deferred_closures`

use std::hint::black_box;

use ecs_core::{Data, System, World, world};

/// What the last function has captured.
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
        data.defer(move |_| {
            let _ = &short;
            black_box(0);
        });
        data.defer(move |_| {
            let _ = &long;
            black_box(0);
        });
        data.defer(move |defer| defer.resource_mut::<Seen>().0.push(last));
    }
}

#[test]
fn each_is_as_long_as_what_it_captured() {
    let mut world = World::<Deferring>::new();
    for _ in 0..3 {
        world.step(|step| step.execute_systems().run()).unwrap();
    }
    assert_eq!(world.resource::<Seen>().0, [[7, 8]; 3]);
}
