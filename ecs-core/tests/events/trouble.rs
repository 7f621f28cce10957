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

/// An event whose destructor panics if it is to.
#[derive(Clone)]
struct Sharp(i32, bool);

impl Drop for Sharp {
    fn drop(&mut self) {
        assert!(!self.1, "the destructor of {}", self.0);
    }
}

struct Other(i32);

#[derive(Default)]
struct Read(Vec<i32>);

#[derive(Default)]
struct Fail(bool);

mod sharp {
    use super::{Fail, Mark, Other, Read, Sharp, world};

    world! {
        pub(super) world Edges;
        component Mark;
        resource Read, Fail;
        event Sharp: keep(1);
        event Other;
        system Emit {
            emit: [Sharp],
            parallelism: split_every(64),
            each: |mark: &Mark, effects, fail: &Fail| {
                effects.emit(Sharp(mark.0 as i32, fail.0));
            },
        }
        system Collect {
            on: [Sharp, Other],
            run: |effects, read: &mut Read| {
                read.0.extend(effects.events::<Sharp>().map(|one| one.0));
                read.0.extend(effects.events::<Other>().map(|one| one.0));
            },
        }
        system Break {
            dependencies: [Collect],
            run: |_, fail: &Fail| assert!(!fail.0, "a system after the readers panics"),
        }
        // It emits after `Break`, so its reader is not reached then.
        system Late { emit: [Other], run: |data| data.effects.emit(Other(1000)) }
    }
}

use sharp::Edges;

fn panics(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

fn taken(world: &mut World<Edges>) -> Vec<i32> {
    std::mem::take(&mut world.resource_mut::<Read>().0)
}

#[test]
fn a_reader_that_has_run_does_not_read_again_because_another_system_panics() {
    let mut world = World::<Edges>::on(Threads::Inline);
    world.emit(Sharp(5, false));
    world.resource_mut::<Fail>().0 = true;
    assert!(panics(|| world.tick().unwrap()));
    assert_eq!(taken(&mut world), [5, 1000]);
    world.resource_mut::<Fail>().0 = false;
    world.tick().unwrap();
    assert_eq!(taken(&mut world), [1000]);
}

#[test]
fn queues_go_on_after_destructors_that_panic() {
    let mut world = World::<Edges>::on(Threads::Inline);
    // Two in one part, and one of another event.
    for (number, is_sharp) in [(1, false), (2, true), (3, true), (4, false)] {
        world.emit(Sharp(number, is_sharp));
    }
    world.tick().unwrap();
    assert_eq!(taken(&mut world), [1, 2, 3, 4, 1000]);
    world.tick().unwrap();
    assert_eq!(taken(&mut world), [1000]);
    // Now they are dropped. The other event has begun all the same.
    world.emit(Other(7));
    world.emit(Sharp(8, false));
    world
        .step(|step| {
            assert!(panics(|| step.execute_systems()));
            step.execute_systems();
        })
        .unwrap();
    assert_eq!(taken(&mut world), [8, 7, 1000]);
    for number in 10..14 {
        world.emit(Sharp(number, false));
        world.tick().unwrap();
        assert_eq!(taken(&mut world), [number, 1000]);
        assert_eq!(world.events::<Sharp>().len(), world.events::<Sharp>().count());
    }
}

#[test]
fn what_a_failed_phase_has_emitted_does_not_come_back() {
    for threads in [Threads::Inline, support::three()] {
        let mut world = World::<Edges>::on(threads);
        world.spawn_batch((0..200).map(|n| (Mark(n),)));
        world.resource_mut::<Fail>().0 = true;
        // `Break` panics, and then 200 destructors do, as the events of the step before are dropped.
        assert!(panics(|| world.tick().unwrap()));
        world.resource_mut::<Fail>().0 = false;
        for _ in 0..3 {
            panics(|| world.tick().unwrap());
        }
        taken(&mut world);
        world.tick().unwrap();
        assert_eq!(taken(&mut world), (0..200).chain([1000]).collect::<Vec<_>>());
    }
}
