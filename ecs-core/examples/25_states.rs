//! States: which systems run in the menu, in the game and when it is paused, and what is set up and cleared between them.
//!
//! Run it: `cargo run -p ecs-core --example 25_states`

use std::error::Error;

use ecs_core::{Entity, World, world};

struct Ball(i32);
#[derive(Default)]
struct Score(u32);

world! {
    world Game { staged_changes: refresh_before_dependents }
    component Ball;
    resource Score;

    /// The first variant is that of a new world.
    state Mode { Menu, Playing, Over }

    system SetUp { on_enter: Mode::Playing, spawn: [Ball], run: |data| data.effects.spawn_batch([3, 5].map(|n| (Ball(n),))) }
    system Reset { on_enter: Mode::Playing, run: |_, score: &mut Score| score.0 = 0 }
    system Clear { on_exit: Mode::Over, despawn, each: |ball: Entity, _: &Ball, effects| effects.despawn(ball) }

    system Fall { in: Mode::Playing, each: |ball: &mut Ball| ball.0 -= 1 }
    system Judge {
        in: Mode::Playing,
        set_state: [Mode],
        dependencies: [Fall],
        each: |ball: &Ball, effects| {
            if ball.0 == 0 {
                effects.set_state(Mode::Over);
            }
        },
    }
    system Count { in: Mode::Playing, every: 2, dependencies: [Judge], run: |_, score: &mut Score| score.0 += 10 }

    // It writes what `Fall` writes, and needs no order: they never run in the same execution.
    system Rise { in: [Mode::Menu, Mode::Over], each: |ball: &mut Ball| ball.0 += 1 }
}

/// From the menu into a game, and back when it is over.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Game>::new();
    world.tick()?;
    assert_eq!((world.state::<Mode>(), world.entity_count()), (Mode::Menu, 0));

    world.set_state(Mode::Playing); // A click on "play": the next step begins with the transition.
    world.tick()?;
    assert_eq!((world.state::<Mode>(), world.entity_count()), (Mode::Playing, 2));
    while world.state::<Mode>() == Mode::Playing {
        world.tick()?;
    }
    assert_eq!((world.state::<Mode>(), world.resource::<Score>().0), (Mode::Over, 10));

    world.set_state(Mode::Menu);
    world.tick()?;
    assert_eq!((world.state::<Mode>(), world.entity_count()), (Mode::Menu, 0));
    println!("played, and back in the menu");
    Ok(())
}
