//! Buttons are pressed, and the presses are counted: `bevy_ecs`.

use bevy_ecs::prelude::*;

#[derive(Component)]
struct Button {
    period: u32,
    value: u32,
}
#[derive(Event)]
struct Pressed(u32);
#[derive(Resource, Default)]
struct Time(u32);
#[derive(Resource, Default)]
struct Count {
    presses: u32,
    sum: u32,
}

fn advance(mut time: ResMut<Time>) {
    time.0 += 1;
}

fn press(mut commands: Commands, time: Res<Time>, buttons: Query<&Button>) {
    for button in &buttons {
        if time.0.is_multiple_of(button.period) {
            commands.trigger(Pressed(button.value));
        }
    }
}

fn count(pressed: On<Pressed>, mut count: ResMut<Count>) {
    count.presses += 1;
    count.sum += pressed.0;
}

fn report(time: Res<Time>, count: Res<Count>) {
    println!("{}: {} presses, sum {}", time.0, count.presses, count.sum);
}

pub fn main() {
    let mut world = World::new();
    world.init_resource::<Time>();
    world.init_resource::<Count>();
    world.add_observer(count);
    let mut schedule = Schedule::default();
    schedule.add_systems((advance, press, report).chain());
    world.spawn_batch((1..=5).map(|n| Button {
        period: n,
        value: n * n,
    }));
    for _ in 0..10 {
        schedule.run(&mut world);
    }
}
