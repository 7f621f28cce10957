//! What comes close to a fault, and is none.

#![deny(warnings)]
#![allow(dead_code, reason = "nothing here does anything")]

use ecs_core::{Data, Entity, System, World, world};

struct Heat(f32);
struct Burning;
struct Frozen;
#[derive(Default)]
struct Total(f32);

world! {
    world W { entity_limit: fixed(2_147_483_647) }
    component Heat: contiguous_buffer;
    component Burning: contiguous_buffer;
    component Frozen: contiguous_buffer;
    resource Total;

    // ECS0025: systems that come to each entity once may write and stage.
    system Burn { write: [Heat, Burning], insert: [Burning], remove: [Heat, Burning] }
    // ECS0025: an exclusive system may stage effects on what it doesn't write.
    system Melt { exclusive, inputs: [Burn], write: [Heat], insert: [Frozen], despawn }
    // ECS0034: an input is needed for its outputs, and the sides of a diamond are two orders.
    system Left { inputs: [Burn, Melt], read: [Heat], output: Vec<f32> }
    system Right { inputs: [Melt], read: [Heat] }
    system Sum { inputs: [Left], dependencies: [Right], read_any: [Heat], write_resources: [Total] }
    // ECS0024: nested thresholds that can all be crossed.
    system Split {
        dependencies: [Sum],
        read: [Heat],
        parallelism: none_below_threshold(2, none_below_threshold(3, split_every(64))),
    }
    // ECS0032: filters that tell entities apart.
    system Freeze: Change { dependencies: [Split], write: [Heat], with: [Frozen] }
    system Thaw: Change { dependencies: [Split], write: [Heat], without: [Frozen] }
}

macro_rules! bodies {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<W> for $name {
            fn process(&self, _: &mut Data<'_, W, Self>) {}
        }
    )*};
}

bodies! { Burn Melt Left Right Sum Split }

#[derive(Default)]
struct Change;

impl<N: ecs_core::SystemName<W>> System<W, N> for Change {
    fn process(&self, _: &mut Data<'_, W, N>) {}
}

fn main() {
    type Small = ecs_core::settings::Config<
        ecs_core::settings::Fixed<1>,
        ecs_core::settings::Allow,
        ecs_core::settings::Sequential,
    >;
    let mut world = World::<W, Small>::new();
    world
        .step(|step| {
            // ECS0074, ECS0076: two starts without an order, and an override downstream of one of them.
            step.execute_with(|systems| systems.from::<(Left, Right)>().for_subtasks::<Thaw>(|_, _| {}));
            let _: Entity = step.spawn((Heat(1.0),));
        })
        .unwrap();
}
