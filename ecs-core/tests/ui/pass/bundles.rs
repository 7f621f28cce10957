//! Bundles as sets, named bundles, and bundles of the user's own, in a world and in a set, by every operation that
//! spawns.

#![deny(warnings)]

mod parts {
    pub struct Position(pub f32);
    pub struct Health(pub i32);
}

mod war {
    use ecs_core::HasComponent;
    use ecs_core::{Bundle, BundleSink, Data, set};

    pub struct Walker(pub u32);
    pub struct Type(pub u8);
    use crate::parts::Health;

    set! {
        pub set War;

        component Walker, Type, Health;

        /// One that walks.
        #[derive(Default)]
        bundle Soldier { Health, Walker, Type }

        system Recruit { spawn: [Soldier, (Walker, Health), Maybe], run: recruit }
    }

    impl Default for Walker {
        fn default() -> Self {
            Self(1)
        }
    }
    impl Default for Type {
        fn default() -> Self {
            Self(2)
        }
    }
    impl Default for Health {
        fn default() -> Self {
            Self(3)
        }
    }

    pub struct Maybe(pub Option<Walker>);

    impl<D: HasComponent<Walker>> Bundle<D> for Maybe {
        fn put(self, sink: &mut BundleSink<'_, D>) {
            if let Some(walker) = self.0 {
                sink.put(walker);
            }
        }
    }

    fn recruit<D: WarWorld>(data: &mut Data<'_, D, Recruit>) {
        data.effects.spawn(Soldier { health: Health(1), ..Soldier::default() });
        data.effects.spawn((Type(1), Health(2), Walker(3)));
        data.effects.spawn((Health(2), Walker(3)));
        data.effects.spawn(Maybe(None));
        data.effects.spawn_batch([Maybe(Some(Walker(4)))]);
    }
}

use ecs_core::{Entity, World, world};
use parts::{Health, Position};
use war::{Soldier, Walker};

world! {
    pub world Game { entity_limit: fixed(100) }
    include war::War;
    component Position;
    bundle Tower { Position, Health }
    bundle Nothing {}
    bundle Marcher { war::Walker, Position, }
    system Build { spawn: [Tower, Nothing, Soldier], run: |data| {
        data.effects.spawn((Health(9), Position(1.0)));
        data.effects.spawn(Tower { position: Position(2.0), health: Health(8) });
        data.effects.spawn(Nothing {});
        data.effects.spawn(Soldier::default());
    } }
    system Lead { sequential, spawn: [(Position, Walker)], dependencies: [Build], run: |data| {
        let mut now = data.now();
        let one: Entity = now.spawn((Walker(5), Position(3.0)));
        let other = now.spawn(Marcher { walker: Walker(6), position: Position(4.0) });
        let more = now.spawn_batch([Marcher { walker: Walker(7), position: Position(5.0) }]).len();
        assert!(now.is_alive(one) && now.is_alive(other) && more == 1);
    } }
}

/// Components with names that type parameters often have.
mod letters {
    use ecs_core::world;

    pub struct B(pub u8);
    pub struct F(pub u8);
    pub struct I(pub u8);

    world! {
        pub world Letters;
        component B, F, I;
        bundle All { B, F, I }
    }
}

type Plural = Tower;

fn main() {
    let mut world = World::<Game>::new();
    world.tick().unwrap();
    assert_eq!(world.entity_count(), 5 + 4 + 3);
    let tower = world.spawn(Plural { position: Position(0.0), health: Health(1) }).unwrap();
    let soldiers = world.spawn_batch((0..3).map(|_| Soldier::default())).unwrap();
    assert_eq!(world.get::<Walker>(soldiers[2]).unwrap().0, 1);
    let same = world.step(|step| step.spawn((Health(1), Position(0.0)))).unwrap();
    assert!(world.is_alive(tower) && world.is_alive(same));
    assert_eq!(world.get::<Health>(same).unwrap().0, 1);
    assert_eq!(world.get::<Position>(same).unwrap().0, 0.0);
    let mut walkers = 0;
    world.iter::<&Walker>().for_each(|_| walkers += 1);
    assert_eq!(walkers, 4 + 1 + 3 + 3);
    let mut typed = 0;
    world.iter::<(&war::Type, &Health)>().for_each(|(ty, health)| {
        assert!(ty.0 > 0 && health.0 > 0);
        typed += 1;
    });
    assert_eq!(typed, 2 + 1 + 3);
    let all = letters::All { b: letters::B(1), f: letters::F(2), i: letters::I(3) };
    let mut world = World::<letters::Letters>::new();
    let entity = world.spawn(all);
    assert_eq!(world.get::<letters::F>(entity).unwrap().0, 2);
}
