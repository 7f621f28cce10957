//! Functions that do not take what they are called with: the errors are at their paths.

use ecs_core::{Data, world};

struct Position(f32);

world! {
    world W;
    component Position;
    system One { write: [Position], each: with_another }
    system Two { write: [Position], dependencies: [One], each: with_none }
    system Three { write: [Position], dependencies: [Two], each: of_another }
    system Four { write: [Position], dependencies: [Three], each: with_a_result }
    system Five { write: [Position], dependencies: [Four], run: with_a_number }
}

fn with_another(_: OneEntry<'_>, _: u8) {}
fn with_none() {}
fn of_another(_: TwoEntry<'_>) {}
fn with_a_result(_: FourEntry<'_>) -> u8 {
    0
}
fn with_a_number(_: &mut Data<'_, W, Five>, _: u8) {}

fn main() {}
