//! Systems that insert the same component, remove it, or defer functions: each pair needs an order.

use ecs_core::{Data, System, world};

struct Fuel(f32);
struct Burning(f32);

world! {
    world Fire;
    component Fuel: contiguous_buffer;
    component Burning: contiguous_buffer;
    system Ignite { without: [Burning], insert: [Burning] }
    system Spread { dependencies: [Ignite], with: [Burning], insert: [Burning], despawn }
    system Quench { dependencies: [Spread, Ignite], read: [Fuel], remove: [Burning] }
    system Smother { dependencies: [Spread, Ignite], read: [Fuel], remove: [Burning], despawn }
    system Script { dependencies: [Spread, Ignite, Quench, Smother], defer }
}

#[derive(Default)]
struct Ignite;
#[derive(Default)]
struct Spread;
#[derive(Default)]
struct Quench;
#[derive(Default)]
struct Smother;
#[derive(Default)]
struct Script;

macro_rules! bodies {
    ($($S:ident)*) => {$(
        impl System<Fire> for $S {
            fn process(&self, _: &mut Data<'_, Fire, Self>) {}
        }
    )*};
}

bodies! { Ignite Spread Quench Smother Script }

fn main() {}
