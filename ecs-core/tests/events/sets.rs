//! Events of sets: emitted in a set and read in a world, or the other way round.

use ecs_core::{World, world};

mod falls {
    use ecs_core::set;

    pub(super) struct Height(pub(super) i32);
    pub(super) struct Landed(pub(super) i32);
    pub(super) struct Pushed(pub(super) i32);

    set! {
        /// Things that fall.
        pub(super) set Falls;
        component Height;
        event Landed;
        event Pushed: keep(1);
        system Push {
            on: [Pushed],
            write: [Height],
            run: |data| {
                let pushed: i32 = data.effects.events::<Pushed>().map(|pushed| pushed.0).sum();
                data.own.for_entities(|thing| thing.height.0 -= pushed);
            },
        }
        system Fall {
            emit: [Landed],
            dependencies: [Push],
            each: |height: &mut Height, effects| {
                height.0 -= 1;
                if height.0 < 0 {
                    effects.emit(Landed(height.0));
                    height.0 = 0;
                }
            },
        }
    }
}

use falls::{Height, Landed};

#[derive(Default)]
struct Log(Vec<i32>);

world! {
    world Hills;
    include falls::Falls;
    resource Log;
    system Note {
        on: [Landed],
        run: |effects, log: &mut Log| log.0.extend(effects.events::<Landed>().map(|one| one.0)),
    }
    system Shake {
        emit: [Pushed],
        run: |data| data.effects.emit(falls::Pushed(2)),
    }
}

#[test]
fn a_world_reads_what_a_set_emits_and_the_other_way_round() {
    let mut world = World::<Hills>::new();
    world.spawn_batch([3, 4].map(|height| (Height(height),)));
    world.tick().unwrap(); // 0 and 1
    assert!(world.resource::<Log>().0.is_empty());
    world.tick().unwrap(); // -3 and -2
    assert_eq!(world.resource::<Log>().0, [-3, -2]);
}
