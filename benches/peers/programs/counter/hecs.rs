//! Buttons are pressed, and the presses are counted: `hecs`.

use hecs::World;

struct Button {
    period: u32,
    value: u32,
}
struct Pressed(u32);
#[derive(Default)]
struct Count {
    presses: u32,
    sum: u32,
}

fn press(world: &mut World, time: u32, pressed: &mut Vec<Pressed>) {
    for button in world.query_mut::<&Button>() {
        if time.is_multiple_of(button.period) {
            pressed.push(Pressed(button.value));
        }
    }
}

fn count(pressed: &mut Vec<Pressed>, count: &mut Count) {
    for Pressed(value) in pressed.drain(..) {
        count.presses += 1;
        count.sum += value;
    }
}

fn report(time: u32, count: &Count) {
    println!("{}: {} presses, sum {}", time, count.presses, count.sum);
}

pub fn main() {
    let mut world = World::new();
    let mut counted = Count::default();
    let mut pressed = Vec::new();
    world.spawn_batch((1..=5).map(|n| {
        (Button {
            period: n,
            value: n * n,
        },)
    }));
    for time in 1..=10 {
        press(&mut world, time, &mut pressed);
        count(&mut pressed, &mut counted);
        report(time, &counted);
    }
}
