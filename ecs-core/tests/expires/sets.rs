//! Components that expire in sets: counted down by a system of the set, of another set, or of the world.

mod magic {
    use ecs_core::set;

    /// Its field is private to the module.
    #[derive(Default)]
    pub(crate) struct Charm(u32);
    pub(crate) struct Glow {
        left: u8,
    }

    impl Charm {
        pub(crate) fn of(left: u32) -> Self {
            Self(left)
        }
    }

    impl Glow {
        pub(crate) fn of(left: u8) -> Self {
            Self { left }
        }
    }

    set! {
        pub(crate) set Magic;
        component Charm: expires(0);
        component Glow: hash_map, expires(left);
        system Fade { expire: Glow }
    }
}

mod orders {
    use ecs_core::set;

    set! {
        pub(crate) set Orders;
        include super::magic::Magic;
        component Spent: expires(rest);
        system Release { expire: Charm, dependencies: [Fade] }
    }

    pub(crate) struct Spent {
        pub(crate) rest: u16,
    }
}

use ecs_core::{World, world};
use magic::{Charm, Glow, Magic};
use orders::{Orders, Spent};

world! {
    world Outer;
    include Orders;
    system Spend { expire: Spent, dependencies: [Release] }
}

world! {
    world Inner;
    include Magic;
    system Release { expire: Charm, despawn }
}

#[test]
fn sets_and_worlds_count_down() {
    let mut world = World::<Outer>::new();
    let entity = world.spawn((Charm::of(1), Glow::of(2), Spent { rest: 3 }));
    for left in [[false, true, true], [false, false, true], [false; 3]] {
        world.tick().expect("no error");
        let has = [
            world.contains::<Charm>(entity),
            world.contains::<Glow>(entity),
            world.contains::<Spent>(entity),
        ];
        assert_eq!(has, left);
    }
}

#[test]
fn a_world_says_what_becomes_of_a_set_s_component() {
    let mut world = World::<Inner>::new();
    world.spawn_batch([1, 2].map(|left| (Charm::of(left), Glow::of(1))));
    world.tick().expect("no error");
    assert_eq!((world.entity_count(), world.iter::<&Glow>().count()), (1, 0));
}
