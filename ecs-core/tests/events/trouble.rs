//! Events in phases, from deferred functions and sequential systems, and after panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ecs_core::{Entity, Threads, World, world};

use super::support;

/// An event that counts how many of it exist.
struct Counted(u32, #[expect(dead_code, reason = "it counts")] Arc<()>);

#[derive(Default)]
struct Seen(Vec<u32>);

#[derive(Default)]
struct Faulty {
    emitter: bool,
    reader: bool,
    token: Arc<()>,
}

struct Mark(u32);

mod panics {
    use super::{Counted, Faulty, Mark, Seen, world};

    world! {
        pub(super) world Panics;
        component Mark;
        resource Faulty;
        resource Seen;
        event Counted;
        system First {
            emit: [Counted],
            parallelism: split_every(64),
            each: |mark: &Mark, effects, faulty: &Faulty| {
                effects.emit(Counted(mark.0, faulty.token.clone()));
                assert!(!faulty.emitter || mark.0 != 100, "the emitter panics");
            },
        }
        system Read {
            on: [Counted],
            run: |effects, faulty: &Faulty, seen: &mut Seen| {
                assert!(!faulty.reader, "the reader panics");
                seen.0.extend(effects.events::<Counted>().map(|one| one.0));
            },
        }
    }
}

use panics::Panics;

fn fails(world: &mut World<Panics>) -> bool {
    catch_unwind(AssertUnwindSafe(|| world.tick())).is_err()
}

#[test]
fn nothing_of_a_panicking_emitter_is_seen_and_nothing_is_leaked() {
    for threads in [Threads::Inline, support::three()] {
        let mut world = World::<Panics>::on(threads);
        let token = world.resource::<Faulty>().token.clone();
        world.spawn_batch((0..200).map(|n| (Mark(n),)));
        world.resource_mut::<Faulty>().emitter = true;
        assert!(fails(&mut world));
        assert_eq!(world.events::<Counted>().len(), 0);
        assert_eq!(Arc::strong_count(&token), 2, "events were leaked");
        world.resource_mut::<Faulty>().emitter = false;
        world.tick().unwrap();
        assert!(world.resource::<Seen>().0.iter().copied().eq(0..200));
        assert_eq!(Arc::strong_count(&token), 202);
        world.tick().unwrap();
        assert_eq!(world.resource::<Seen>().0.len(), 400);
        assert_eq!(Arc::strong_count(&token), 202, "events of the last step are dropped");
        drop(world);
        assert_eq!(Arc::strong_count(&token), 1);
    }
}

#[test]
fn what_a_panicking_reader_has_not_read_is_there_when_the_step_goes_on() {
    let mut world = World::<Panics>::on(Threads::Inline);
    world.spawn_batch((0..3).map(|n| (Mark(n),)));
    world.resource_mut::<Faulty>().reader = true;
    world
        .step(|step| {
            let outcome = catch_unwind(AssertUnwindSafe(|| step.execute_systems()));
            assert!(outcome.is_err());
            step.resource_mut::<Faulty>().reader = false;
            step.execute_only::<(panics::Read,)>();
        })
        .unwrap();
    assert_eq!(world.resource::<Seen>().0, [0, 1, 2]);
}

#[derive(Clone, Copy)]
struct Happened(u32);

mod phases {
    use super::{Entity, Happened, Mark, Seen, world};

    world! {
        pub(super) world Phases { staged_changes: refresh_before_dependents }
        component Mark;
        resource Seen;
        event Happened;
        system Begin {
            emit: [Happened],
            spawn: [(Mark,)],
            run: |data| {
                data.effects.emit(Happened(1));
                data.effects.spawn((Mark(7),));
            },
        }
        system Middle {
            emit: [Happened],
            defer,
            dependencies: [Begin],
            each: |entity: Entity, mark: &Mark, effects| {
                effects.emit(Happened(10 + mark.0));
                effects.defer(move |world| world.emit(Happened(100 + entity.index())));
            },
        }
        system Alone {
            sequential,
            emit: [Happened],
            dependencies: [Middle],
            run: |data| data.effects.emit(Happened(1000)),
        }
        system End {
            on: [Happened],
            run: |effects, seen: &mut Seen| {
                seen.0.extend(effects.events::<Happened>().map(|one| one.0));
            },
        }
    }
}

#[test]
fn events_are_in_the_order_of_phases() {
    for threads in [Threads::Inline, support::three()] {
        let mut world = World::<phases::Phases>::on(threads);
        world.tick().unwrap();
        assert_eq!(world.resource::<Seen>().0, [1, 17, 100, 1000]);
    }
}
