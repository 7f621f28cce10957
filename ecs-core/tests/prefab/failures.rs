//! What goes wrong leaves nothing half done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};

use ecs_core::{LimitReached, Prefab, PrefabError, StepError, Template, World, world};

use super::{Field, Health};

#[test]
fn dead_and_repeated_entities() {
    let mut world = World::<Field>::new();
    let [one, dead] = [1, 2].map(|n| world.spawn((Health(n),)));
    world.despawn(dead);
    let error = world.prefab([one, dead]).expect_err("one is dead");
    assert_eq!(error, PrefabError::NotAlive { entity: dead });
    let error = world.prefab([one, one]).expect_err("it is there twice");
    assert_eq!(error, PrefabError::Twice { entity: one });
    assert!(world.prefab([]).expect("nothing is wrong").is_empty());
}

mod small {
    use super::*;

    #[derive(Clone)]
    pub(super) struct Weight;

    world! {
        pub(super) world Small { entity_limit: fixed(5) }
        component Weight;
    }
}

#[test]
fn without_room_for_all_there_are_none() {
    use small::{Small, Weight};
    let mut prefab = Prefab::<Small>::new();
    prefab.push(Template::new((Weight,)));
    prefab.push(Template::default());
    let mut world = World::<Small>::new();
    assert_eq!(world.spawn_prefabs(&prefab, 2).map(|all| all.len()), Ok(4));
    let full = world.spawn_prefab(&prefab);
    assert!(matches!(full, Err(LimitReached { .. })), "{full:?}");
    assert_eq!(world.entity_count(), 4);
    let too_many = world.spawn_prefabs(&prefab, usize::MAX);
    assert!(too_many.is_err(), "{too_many:?}");
    let in_a_step = world.step(|step| step.spawn_prefabs(&prefab, 1).len());
    assert!(matches!(in_a_step, Err(StepError::LimitReached { .. })), "{in_a_step:?}");
    assert_eq!(world.entity_count(), 4);
}

mod fragile {
    use super::*;

    pub(super) static ALIVE: AtomicI64 = AtomicI64::new(0);
    pub(super) static CLONES_LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

    /// Counts its values, and panics in a clone.
    pub(super) struct Egg(Box<u8>);

    impl Egg {
        pub(super) fn new(value: u8) -> Self {
            ALIVE.fetch_add(1, Relaxed);
            Self(Box::new(value))
        }
    }

    impl Clone for Egg {
        fn clone(&self) -> Self {
            let left = CLONES_LEFT.load(Relaxed);
            assert!(left > 0, "the egg breaks");
            CLONES_LEFT.store(left - 1, Relaxed);
            Self::new(*self.0)
        }
    }

    impl Drop for Egg {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Relaxed);
        }
    }

    world! { pub(super) world Nest; component Egg; }
}

#[test]
fn a_clone_that_panics_spawns_nothing_and_leaks_nothing() {
    use fragile::{ALIVE, CLONES_LEFT, Egg, Nest};
    {
        let mut prefab = Prefab::<Nest>::new();
        (0..3).for_each(|n| _ = prefab.push(Template::new((Egg::new(n),))));
        let mut world = World::<Nest>::new();
        for left in 0..6 {
            CLONES_LEFT.store(left, Relaxed);
            let outcome = catch_unwind(AssertUnwindSafe(|| world.spawn_prefabs(&prefab, 2)));
            assert!(outcome.is_err());
            assert_eq!(world.entity_count(), 0);
            assert_eq!(ALIVE.load(Relaxed), 3);
        }
        CLONES_LEFT.store(usize::MAX, Relaxed);
        assert_eq!(world.spawn_prefabs(&prefab, 2).len(), 6);
        assert_eq!(ALIVE.load(Relaxed), 9);
    }
    assert_eq!(ALIVE.load(Relaxed), 0);
}

mod hostile {
    use super::{Prefab, world};
    use ecs_core::{Entity, MapEntities};

    #[derive(Clone)]
    pub(super) struct Liar(pub(super) Entity);

    impl MapEntities for Liar {
        /// Asks for any handles, takes one of another entity, and panics if it had number 1.
        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            let asked = [0, 1, 2, u32::MAX as usize].map(|n| map(Prefab::<Lie>::handle(n)));
            let old = std::mem::replace(&mut self.0, asked[2]);
            assert!(map(old) != asked[1], "a lie");
        }
    }

    world! { pub(super) world Lie; component Liar; }
}

#[test]
fn any_implementation_of_map_entities_is_safe() {
    use hostile::{Liar, Lie};
    let mut world = World::<Lie>::new();
    let mut prefab = Prefab::<Lie>::new();
    prefab.push(Template::new((Liar(Prefab::<Lie>::handle(0)),)));
    prefab.push(Template::default());
    let all = world.spawn_prefab(&prefab);
    // Entity 2 is none of the prefab.
    assert!(!world.is_alive(world.get::<Liar>(all[0]).expect("it has one").0));
    prefab.push(Template::new((Liar(Prefab::<Lie>::handle(1)),)));
    let outcome = catch_unwind(AssertUnwindSafe(|| world.spawn_prefab(&prefab)));
    assert!(outcome.is_err());
    // They were spawned before.
    assert_eq!(world.entity_count(), 5);
    assert_eq!(world.iter::<&Liar>().count(), 3);
    world.tick().expect("nothing is staged");
}
