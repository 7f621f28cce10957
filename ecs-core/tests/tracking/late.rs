//! Entities that a system gets after a change: it is told of it when it has them.

use ecs_core::{Threads, World, world};

use super::support;

struct A(u32);

/// What was changed and added, in each run.
#[derive(Default)]
struct Log(Vec<[Vec<u32>; 2]>);

mod early {
    use super::{A, Log, world};

    world! {
        pub(super) world Early;
        component A;
        resource Log;
        system Ask {
            read: [A],
            changed: [A],
            added: [A],
            run: |own, _, log: &mut Log| {
                let changed = own.changed::<A, &A>().map(|a| a.0).collect();
                let added = own.added::<A, &A>().map(|a| a.0).collect();
                log.0.push([changed, added]);
            },
        }
    }
}

mod sequential {
    use super::{A, Log, world};

    world! {
        pub(super) world After;
        component A;
        resource Log;
        system Make {
            sequential,
            spawn: [(A,)],
            run: |data| {
                let number = data.resources.get::<Log>().0.len() as u32;
                data.now().spawn((A(number),));
            },
            read_resources: [Log],
        }
        system Ask {
            read: [A],
            changed: [A],
            added: [A],
            dependencies: [Make],
            run: |own, _, log: &mut Log| {
                let changed = own.changed::<A, &A>().map(|a| a.0).collect();
                let added = own.added::<A, &A>().map(|a| a.0).collect();
                log.0.push([changed, added]);
            },
        }
    }
}

#[test]
fn what_a_step_adds_before_an_execution_is_told_when_the_system_has_it() {
    for threads in [Threads::Inline, support::three()] {
        let mut world = World::<early::Early>::on(threads);
        let bare = world.spawn(());
        world
            .step(|step| {
                step.spawn((A(1),));
                step.insert(bare, A(2)).unwrap();
                step.execute_systems();
                step.spawn((A(3),));
                step.execute_systems();
            })
            .unwrap();
        world.tick().unwrap();
        world.tick().unwrap();
        let all: Vec<u32> =
            world.resource::<Log>().0.iter().flat_map(|[_, added]| added.clone()).collect();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 2, 3], "each once: {all:?}");
        let changed = world.resource::<Log>().0.iter().flat_map(|[changed, _]| changed.clone());
        assert_eq!(changed.collect::<Vec<_>>(), all);
    }
}

#[test]
fn what_a_sequential_system_spawns_is_told_too() {
    let mut world = World::<sequential::After>::on(Threads::Inline);
    for _ in 0..4 {
        world.tick().unwrap();
    }
    let told = world.resource::<Log>().0.iter().flat_map(|[_, added]| added.clone());
    // The last one becomes the system's at the end of the step.
    assert_eq!(told.collect::<Vec<_>>(), [0, 1, 2]);
}
