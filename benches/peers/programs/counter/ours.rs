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
    resource Time;
    resource Count;
    order Advance -> Press; order Add -> Report;
    system Advance { write_resources: [Time], run: |data| data.resource_mut::<Time>().0 += 1 }
    system Press {
        read: [Button],
        read_resources: [Time],
        output: Vec<Pressed>,
        each: |it, effects| {
            if effects.resource::<Time>().0.is_multiple_of(it.button.period) {
                effects.output().push(Pressed(it.button.value));
            }
        },
    }
    system Add {
        inputs: [Press],
        write_resources: [Count],
        run: |data| {
            for pressed in data.outputs_of::<Press>().flatten() {
                let count = data.resource_mut::<Count>();
                count.presses += 1;
                count.sum += pressed.0;
            }
        },
    }
    system Report {
        read_resources: [Time, Count],
        run: |data| {
            let (time, count) = (data.resource::<Time>(), data.resource::<Count>());
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
