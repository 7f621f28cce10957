//! Values that are made from handles at the refresh belong to systems that spawn: for others there are no handles to wait for.
use ecs_core::{Accumulate, Entity, World, world};

struct Loaded(Entity);
struct Seen(Vec<Entity>);

impl Accumulate for Seen {
    fn accumulate(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

world! {
    world Arms;
    component Loaded, Seen;
    system Load {
        with: [Seen],
        insert: [Loaded],
        each: |entity: Entity, effects| effects.insert_with(entity, entity, Loaded),
    }
    system Reload {
        update: [Loaded],
        dependencies: [Load],
        each: |entity: Entity, effects| effects.update_with(entity, entity, Loaded),
    }
    system Look {
        with: [Loaded],
        accumulate: [Seen],
        dependencies: [Reload],
        each: |entity: Entity, effects| effects.accumulate_with(entity, entity, |one| Seen(vec![one])),
    }
}

fn main() {
    let mut world = World::<Arms>::new();
    world.tick().unwrap();
    let loaded = world.iter::<&Loaded>().map(|loaded| loaded.0).count();
    let seen = world.iter::<&Seen>().map(|seen| seen.0.len()).sum::<usize>();
    println!("{loaded} {seen}");
}
