//! After a clone has panicked in `restore`, manual subscriptions and outputs agree with the values in the world.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use attacks::support::{caught, fail};
use ecs_core::{Data, System, Threads, World, world};

mod chosen {
    use super::*;

    static FAILS: AtomicBool = AtomicBool::new(false);

    struct Held(Box<u64>);

    impl Clone for Held {
        fn clone(&self) -> Self {
            if FAILS.load(Relaxed) {
                fail("clone");
            }
            Self(self.0.clone())
        }
    }

    #[derive(Clone, Default)]
    struct Seen(usize, Vec<u64>);

    #[derive(Clone, Default)]
    struct Look;

    world! {
        world Chosen {}
        component Held: contiguous_buffer;
        resource Seen;
        system Look { opt_in, read: [Held], write_resources: [Seen], parallelism: none }
    }

    impl System<Chosen> for Look {
        fn process(&self, data: &mut Data<'_, Chosen, Self>) {
            let count = data.own.all_entity_count();
            data.resources.get_mut::<Seen>().0 = count;
            let seen = data.resources.get_mut::<Seen>();
            data.own.for_entities(|e| seen.1.push(*e.held.0));
        }
    }

    #[test]
    fn an_entity_that_a_failed_restore_leaves_without_the_component_is_not_subscribed() {
        let mut world = World::<Chosen>::on(Threads::Inline);
        let one = world.step(|step| step.spawn((Held(Box::new(7)),))).unwrap();
        world.step(|step| step.subscribe::<Look>(one)).unwrap().unwrap();
        let snapshot = world.snapshot();
        world.step(|step| drop(step.remove::<Held>(one))).unwrap();
        FAILS.store(true, Relaxed);
        assert_eq!(caught(|| world.restore(&snapshot)).as_deref(), Some("clone"));
        FAILS.store(false, Relaxed);
        assert!(world.get::<Held>(one).is_none());
        world.tick().unwrap();
        assert_eq!(world.resource::<Seen>().0, 0, "it has read {:?}", world.resource::<Seen>().1);
    }
}

mod stale {
    use super::*;

    static FAILS: AtomicBool = AtomicBool::new(false);

    struct Count(u64);

    impl Clone for Count {
        fn clone(&self) -> Self {
            if FAILS.load(Relaxed) {
                fail("clone");
            }
            Self(self.0)
        }
    }

    world! {
        world Stale {}
        system Count { output: Vec<u64>, state: Count(0) }
    }

    impl System<Stale> for Count {
        fn process(&self, data: &mut Data<'_, Stale, Self>) {
            data.effects.output().push(self.0);
        }
    }

    #[test]
    fn outputs_after_a_failed_restore_are_those_of_the_snapshot_or_none() {
        let mut world = World::<Stale>::on(Threads::Inline);
        world.tick().unwrap();
        let snapshot = world.snapshot();
        world.system_mut::<Count>().0 = 9;
        world.tick().unwrap();
        FAILS.store(true, Relaxed);
        assert_eq!(caught(|| world.restore(&snapshot)).as_deref(), Some("clone"));
        FAILS.store(false, Relaxed);
        let outputs: Vec<u64> =
            world.step(|step| step.outputs_of::<Count>().flatten().copied().collect()).unwrap();
        assert!(outputs.is_empty() || outputs == [0], "{outputs:?}");
    }
}
