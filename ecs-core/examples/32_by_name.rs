//! Components by name: a console that knows no type of the game.
//!
//! A component that is `by_name` has a form as text, so that tools can show and set it.
//!
//! Run it: `cargo run -p ecs-core --example 32_by_name`

use std::error::Error;
use std::{fmt, num::ParseIntError, str::FromStr};

use ecs_core::settings::Settings;
use ecs_core::{Declaration, Entity, World, world};

struct Health(u32);
struct Velocity(f32);

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Health {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

world! {
    world Wood;
    component Health: by_name;
    component Velocity;
    system Heal { each: |health: &mut Health| health.0 += 1 }
}

/// Executes a line of the console, in any world, and says what came of it.
fn execute<D: Declaration, S: Settings>(
    world: &mut World<D, S>,
    entity: Entity,
    line: &str,
) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let result = match words[..] {
        ["list"] => Ok(world.names_of(entity).collect::<Vec<_>>().join(" ")),
        ["get", name] => world.get_by_name(entity, name),
        ["set", name, text] => world.set_by_name(entity, name, text).map(|()| "set".into()),
        ["add", name, text] => world.insert_by_name(entity, name, text).map(|()| "added".into()),
        ["remove", name] => world.remove_by_name(entity, name).map(|()| "removed".into()),
        _ => Ok(format!("add one of: {}", World::<D, S>::names().collect::<String>())),
    };
    result.unwrap_or_else(|error| error.to_string())
}

/// Edits an orc.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::<Wood>::new();
    let orc = world.spawn((Velocity(1.5),));
    for (line, expected) in [
        ("help", "add one of: Health"),
        ("add Health 10", "added"),
        ("list", "Health Velocity"),
        ("set Health 12", "set"),
        ("set Helath 13", "the world `Wood` has no component `Helath`; did you mean `Health`?"),
        (
            "set Health many",
            "the component `Health` cannot be `many`: invalid digit found in string",
        ),
    ] {
        let answer = execute(&mut world, orc, line);
        println!("> {line}\n{answer}");
        assert_eq!(answer, expected);
    }
    world.tick()?;
    assert_eq!(execute(&mut world, orc, "get Health"), "13");
    println!("the orc moves at {}", world.get::<Velocity>(orc).expect("it was spawned so").0);
    Ok(())
}
