//! A component that is inserted and removed.

use ecs_core::{Data, Entity, Place, Threads, World, world};

use super::steadily;

struct A;
#[derive(Clone, Copy)]
struct B(f32);

world! {
    world Toggled { staged_changes: refresh_before_dependents }
    component A, B;
    system Add {
        with: [A],
        without: [B],
        insert: [B],
        run: |Data { own, effects, .. }| own.query::<Place>().for_each(|place| effects.insert(place, B(1.0))),
    }
    system Remove {
        dependencies: [Add],
        with: [A, B],
        remove: [B],
        run: |Data { own, effects, .. }| own.query::<Place>().for_each(|place| effects.remove::<B>(place)),
    }
}

fn filled() -> (World<Toggled>, Vec<Entity>) {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| (0..10_000).map(|_| step.spawn((A,))).collect::<Vec<_>>());
    (world, filled.expect("nothing is staged"))
}

/// One system inserts the component into all entities, another one removes it, with a refresh after each.
pub(super) fn add_remove() {
    let (mut world, _) = filled();
    steadily(|| {
        world.tick().expect("nothing is spawned");
    });
}

/// The same through the step, by handle, in one step for the insertions and one for the removals.
pub(super) fn add_remove_at_once() {
    let (mut world, entities) = filled();
    steadily(|| {
        let added = world.step(|step| {
            entities.iter().try_for_each(|&entity| step.insert(entity, B(1.0)).map(drop))
        });
        added.expect("nothing is staged").expect("they live");
        let removed = world.step(|step| {
            entities.iter().filter_map(|&entity| step.remove::<B>(entity)).map(|b| b.0).sum::<f32>()
        });
        assert!(removed.expect("nothing is staged") > 9_999.0);
    });
}

/// The same, with one call for all insertions and one for all removals.
pub(super) fn add_remove_together() {
    let (mut world, entities) = filled();
    steadily(|| {
        let added =
            world.step(|step| step.insert_batch(entities.iter().map(|&entity| (entity, B(1.0)))));
        assert_eq!(added.expect("nothing is staged"), 10_000);
        let removed = world.step(|step| step.remove_batch::<B>(entities.iter().copied()));
        assert_eq!(removed.expect("nothing is staged"), 10_000);
    });
}
