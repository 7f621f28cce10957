//! A sequential system that comes with a set. Its body runs in any world.

use ecs_core::{Data, Entity, System, Threads, World, set, world};

struct Energy(u64);
#[derive(Debug, PartialEq)]
struct Winner;

set! {
    set Fights;
    component Energy: contiguous_buffer;
    component Winner: contiguous_buffer;
    system Fight { sequential, write: [Energy], without: [Winner], insert: [Winner], despawn }
}

/// Each entity takes the energy of the entity before it, and despawns that entity.
#[derive(Default)]
struct Fight;

impl<D: FightsWorld> System<D> for Fight {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let mut last: Option<Entity> = None;
        data.roll(|mut found| {
            let own = found.entry().entity;
            let now = &mut found.now();
            if let Some(other) = last.replace(own) {
                let (mine, theirs) = now.pair_mut::<&mut Energy>(own, other).expect("two are left");
                mine.0 += theirs.0;
                now.despawn(other);
            }
        });
        let mut now = data.now();
        if let Some(last) = last {
            now.insert(last, Winner);
        }
    }
}

world! {
    world Ring { entity_limit: dynamic(16) }
    include Fights;
}

#[test]
fn the_last_one_has_it_all() {
    let mut world = World::<Ring>::on(Threads::Inline);
    let all: Vec<Entity> =
        world.step(|step| (1..=100).map(|n| step.spawn((Energy(n),))).collect()).unwrap();
    for _ in 0..2 {
        world.tick().unwrap();
        assert_eq!(world.entity_count(), 1);
        assert_eq!(world.get::<Energy>(all[99]).map(|energy| energy.0), Some(5_050));
        assert_eq!(world.get::<Winner>(all[99]), Some(&Winner));
    }
}
