//! Components by handle, in random order.

use std::hint::black_box;

use benches::bundle::Position;
use ecs_core::{Entity, Threads, World, world};

use super::{shuffled, steadily};

world! {
    world Places;
    component Position;
    resource Order, Total;
    system Look {
        read_any: [Position],
        run: |effects, order: &Order, total: &mut Total| {
            let any = effects.read_any::<Position>();
            let positions = order.0.iter().filter_map(|&entity| any.get(entity));
            total.0 = positions.map(|position| position.0[0]).sum();
        },
    }
}

#[derive(Default)]
struct Order(Vec<Entity>);
#[derive(Default)]
struct Total(f32);

fn filled() -> (World<Places>, Vec<Entity>) {
    const ENTITIES: usize = 100_000;
    let mut world = World::on(Threads::Inline);
    let entities = world.step(|step| {
        let one = |_| step.spawn((Position([1.0; 3]),));
        (0..ENTITIES).map(one).collect::<Vec<_>>()
    });
    let entities = entities.expect("nothing is staged");
    let order = shuffled(ENTITIES).into_iter().map(|n| entities[n]).collect();
    (world, order)
}

pub(super) fn get() {
    let (world, order) = filled();
    steadily(|| {
        let positions = order.iter().filter_map(|&entity| world.get::<Position>(entity));
        black_box(positions.map(|position| position.0[0]).sum::<f32>());
    });
}

pub(super) fn get_together() {
    let (world, order) = filled();
    steadily(|| {
        let mut sum = 0.0;
        world.for_each_of::<Position>(order.iter().copied(), |_, position| sum += position.0[0]);
        black_box(sum);
    });
}

pub(super) fn get_mut() {
    let (mut world, order) = filled();
    steadily(|| {
        let moved = world.step(|step| {
            for &entity in &order {
                if let Some(position) = step.get_mut::<Position>(entity) {
                    position.0[0] += 1.0;
                }
            }
        });
        moved.expect("nothing is staged");
    });
}

pub(super) fn any() {
    let (mut world, order) = filled();
    world.resource_mut::<Order>().0 = order;
    steadily(|| {
        world.tick().expect("nothing is staged");
        assert!(world.resource::<Total>().0 > 0.0);
    });
}
