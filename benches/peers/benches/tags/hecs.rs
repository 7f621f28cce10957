//! The toggling tag through `hecs`, without a command buffer, which costs more.

use hecs::{Entity, With, Without, World};

use super::{Contender, start};

struct Blinks;
struct Tag;
struct Position(f32);

pub(crate) struct Tagged {
    world: World,
    on: Vec<Entity>,
    off: Vec<Entity>,
}

impl Tagged {
    pub(crate) fn new(entities: usize) -> Self {
        let mut world = World::new();
        for n in 0..entities {
            match start(n) {
                (true, true) => world.spawn((Position(0.0), Blinks, Tag)),
                (true, false) => world.spawn((Position(0.0), Blinks)),
                (false, true) => world.spawn((Position(0.0), Tag)),
                (false, false) => world.spawn((Position(0.0),)),
            };
        }
        Self { world, on: Vec::new(), off: Vec::new() }
    }
}

impl Contender for Tagged {
    fn step(&mut self) {
        let Self { world, on, off } = self;
        for position in world.query_mut::<With<&mut Position, &Tag>>() {
            position.0 += 1.0;
        }
        on.clear();
        on.extend(world.query_mut::<Without<With<Entity, &Blinks>, &Tag>>());
        off.clear();
        off.extend(world.query_mut::<With<Entity, (&Blinks, &Tag)>>());
        for &entity in &*on {
            world.insert_one(entity, Tag).expect("it lives");
        }
        for &entity in &*off {
            world.remove_one::<Tag>(entity).expect("it has one");
        }
    }

    fn summary(&mut self) -> (usize, f64) {
        let tagged = self.world.query::<&Tag>().iter().count();
        let sum =
            self.world.query::<&Position>().iter().map(|position| f64::from(position.0)).sum();
        (tagged, sum)
    }
}
