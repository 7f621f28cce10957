//! A condition decides whether a system runs.
//!
//! It is a function of resources, which is evaluated before the systems run: once per execution, or once per phase if there are
//! several. A system that is skipped has no effects and no output. The systems that depend on it run.
//!
//! Run it: `cargo run -p ecs-core --example 23_conditions`

use std::error::Error;

use ecs_core::{World, world};

struct Height(f32);

#[derive(Default, PartialEq)]
enum Mode {
    #[default]
    Menu,
    Playing,
    Paused,
}

#[derive(Default)]
struct Ticks(u32);

fn is_playing(mode: &Mode) -> bool {
    *mode == Mode::Playing
}

world! {
    world Game;

    component Height;
    resource Mode, Ticks;

    // The path of a function, which several systems may name.
    system Fall { run_if: is_playing, each: |height: &mut Height| height.0 -= 1.0 }
    // A closure says by its types which resources it reads. Conditions are combined in it.
    system Find {
        run_if: |mode: &Mode, ticks: &Ticks| is_playing(mode) && ticks.0.is_multiple_of(2),
        dependencies: [Fall],
        output: Vec<f32>,
        each: |height: &Height, effects| effects.output().push(height.0),
    }
    // It runs in any mode. Of a system that was skipped it finds no output, not an older one.
    system Count {
        inputs: [Find],
        run: |_, effects, ticks: &mut Ticks| {
            let found = effects.outputs_of::<Find>().flatten().count();
            println!("tick {}: found {found}", ticks.0);
            ticks.0 += 1;
        },
    }
}

/// A stone falls while the game is played.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Game>::new();
    let stone = world.spawn((Height(9.0),));
    for (mode, height, found) in [
        (Mode::Menu, 9.0, 0),
        (Mode::Playing, 8.0, 0),
        (Mode::Playing, 7.0, 1),
        (Mode::Paused, 7.0, 0),
    ] {
        *world.resource_mut::<Mode>() = mode;
        world.tick()?;
        assert_eq!(world.get::<Height>(stone).map(|height| height.0), Some(height));
        assert_eq!(world.outputs_of::<Find>().flatten().count(), found);
    }
    Ok(())
}
