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

mod posts {
    use ecs_core::set;

    /// The types are not in the scope of the world.
    pub(super) struct Box(pub(super) u8);
    pub(super) struct Count(pub(super) usize);
    pub(super) struct Letter(pub(super) u8);
    pub(super) struct Noise(pub(super) [f32; 2]);

    const fn size() -> f32 {
        3.0
    }

    set! {
        /// Letters that are found by their boxes.
        pub(super) set Posts;
        component Box, Count;
        event Letter: by_key(|letter: &Letter| -> u8 { letter.0 });
        event Noise: by_cell(|noise: &Noise| -> [f32; 2] { noise.0 }, size());
        system Collect {
            on: [Letter, Noise],
            read: [Box],
            write: [Count],
            run: |data| {
                let noises = data.effects.events_by::<Noise>();
                data.for_events_by::<Letter>(|one| one.box_.0, |one, letters, _| {
                    one.count.0 += letters.count() + 100 * noises.at([0.0; 2]).count();
                });
            },
        }
    }
}

world! {
    world Town;
    include posts::Posts;
    resource Log;
    system Look {
        on: [Letter],
        run: |effects, log: &mut Log| {
            log.0.push(effects.events_by::<posts::Letter>().at(2).count() as i32);
        },
    }
}

#[test]
fn an_index_of_a_set_is_made_in_its_scope() {
    let mut world = World::<Town>::new();
    world.spawn_batch([1, 2].map(|number| (posts::Box(number), posts::Count(0))));
    for number in [2, 1, 2, 3] {
        world.emit(posts::Letter(number));
    }
    for x in [2.5, 6.5] {
        world.emit(posts::Noise([x, 0.0]));
    }
    world.tick().unwrap();
    assert!(world.iter::<&posts::Count>().map(|count| count.0).eq([101, 102]));
    assert_eq!(world.resource::<Log>().0, [2]);
}
