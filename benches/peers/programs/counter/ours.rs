//! Buttons are pressed, and the presses are counted: `ecs_core`.

use ecs_core::{World, world};

struct Button {
    period: u32,
    value: u32,
}
struct Pressed(u32);
#[derive(Default)]
struct Time(u32);
#[derive(Default)]
struct Count {
    presses: u32,
    sum: u32,
}

world! {
    world Counter;
    component Button;
    resource Time, Count;
    system Advance { run: |time: &mut Time| time.0 += 1 }
    system Press {
        dependencies: [Advance], output: Vec<Pressed>,
        each: |button: &Button, time: &Time, effects| if time.0.is_multiple_of(button.period) {
            effects.output().push(Pressed(button.value));
        },
    }
    system Report {
        inputs: [Press],
        run: |effects, time: &Time, count: &mut Count| {
            for pressed in effects.outputs_of::<Press>().flatten() {
                count.presses += 1;
                count.sum += pressed.0;
            }
            println!("{}: {} presses, sum {}", time.0, count.presses, count.sum);
        },
    }
}

pub fn main() {
    let mut world = World::<Counter>::new();
    world.spawn_batch((1..=5).map(|n| {
        (Button {
            period: n,
            value: n * n,
        },)
    }));
    for _ in 0..10 {
        world.tick().unwrap();
    }
}
