//! The toggling tag through `specs`: the tag's storage is a bit set only, and it changes while others are joined.

use specs::{Builder as _, Component, Join as _, NullStorage, VecStorage, World, WorldExt as _};

use super::{Contender, start};

#[derive(Default)]
struct Blinks;

impl Component for Blinks {
    type Storage = NullStorage<Self>;
}

#[derive(Default)]
struct Tag;

impl Component for Tag {
    type Storage = NullStorage<Self>;
}

struct Position(f32);

impl Component for Position {
    type Storage = VecStorage<Self>;
}

pub(crate) struct Tagged(World);

impl Tagged {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        world.register::<Blinks>();
        world.register::<Tag>();
        world.register::<Position>();
        for n in 0..entities {
            let mut entity = world.create_entity().with(Position(0.0));
            let (blinks, tag) = start(n);
            if blinks {
                entity = entity.with(Blinks);
            }
            if tag {
                entity = entity.with(Tag);
            }
            entity.build();
        }
        Self(world)
    }
}

impl Contender for Tagged {
    fn step(&mut self) {
        let Self(world) = self;
        let mut tags = world.write_storage::<Tag>();
        for (position, _) in (&mut world.write_storage::<Position>(), &tags).join() {
            position.0 += 1.0;
        }
        for (entity, _) in (&world.entities(), &world.read_storage::<Blinks>()).join() {
            if tags.remove(entity).is_none() {
                tags.insert(entity, Tag).expect("it lives");
            }
        }
    }

    fn summary(&mut self) -> (usize, f64) {
        let Self(world) = self;
        let tagged = world.read_storage::<Tag>().count();
        let positions = world.read_storage::<Position>();
        (tagged, (&positions).join().map(|position| f64::from(position.0)).sum())
    }
}
