//! The composed world runs, on any number of threads alike.

use std::sync::Arc;

use compose_game::heights::Diary;
use compose_game::score::{Chalk, Gift, Option as Points, Score};
use compose_game::{Game, Lowest, Tally};
use compose_motion::space::Position;
use compose_motion::{Moves, Velocity};
use compose_sight::Eyes;
use engine::{Threads, World};

/// Three steps with three things, one of which looks.
fn play(mut world: World<Game>) -> (Vec<f32>, f32, usize, u32) {
    let things = world
        .step(|step| {
            let seer = step.spawn((Position(9.0), Velocity(0.0), Eyes { highest: 0.0 }));
            let stone = step.spawn((Position(2.0), Velocity(-1.0), Chalk::of(2)));
            let bird = step.spawn((Position(7.0), Velocity(8.0)));
            [seer, stone, bird]
        })
        .unwrap();
    for marked in [true, false, false] {
        world.tick().unwrap();
        assert_eq!(world.contains::<Chalk>(things[1]), marked);
    }
    assert_eq!(world.resource::<Lowest>().0, 0.0);
    let places = things.map(|thing| world.get::<Position>(thing).unwrap().0);
    let highest = world.get::<Eyes>(things[0]).unwrap().highest;
    (places.to_vec(), highest, world.resource::<Moves>().0, world.resource::<Score>().0)
}

#[test]
fn on_any_number_of_threads_alike() {
    let expected = play(World::new());
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let world = World::on(Threads::Eager(Arc::new(pool)));
        assert_eq!(play(world), expected, "{threads} threads");
    }
}

#[test]
fn a_template_of_a_set_is_spawned() {
    let mut world = World::<Game>::new();
    let gift = world.spawn(Gift { option: Points(5), ..Gift::default() }).unwrap();
    assert_eq!(world.get::<Points>(gift).map(|points| points.0), Some(5));
    world.tick().unwrap();
    assert!(world.is_alive(gift) && !world.contains::<Chalk>(gift));
}

#[test]
fn a_set_takes_the_stream_of_another_librarys() {
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut world = World::<Game>::on(Threads::Eager(Arc::new(pool)));
        world
            .step(|step| {
                for height in 0..200_u16 {
                    step.spawn((Position(1_000.0 + f32::from(height)), Velocity(0.0)));
                }
            })
            .unwrap();
        for _ in 0..2 {
            world.tick().unwrap();
        }
        // Down by 1, and by 2 more, in the order of things, whichever subtask reports them.
        let heights = |fallen: f32| (0..200_u16).map(move |n| 1_000.0 + f32::from(n) - fallen);
        let expected: Vec<f32> = heights(1.0).chain(heights(3.0)).collect();
        assert_eq!(world.resource::<Diary>().0, expected, "{threads} threads");
        assert_eq!(world.resource::<Tally>().0, 2 * (1..=200).sum::<u32>());
    }
}

#[test]
fn two_libraries_play_together() {
    let game = play(World::new());
    // The seer falls by 1, 2 and 3; the stone lands in the first step; the bird rises by 7, 6 and 5.
    assert_eq!(game.0, [3.0, 0.0, 25.0]);
    // `Look` comes after `Advance`: it sees the last height, too. It is subscribed to those with eyes.
    assert_eq!(game.1, 8.0);
    assert_eq!(game.2, 3 + 2 + 2);
    assert_eq!(game.3, 2 + 2 + 1);
}
