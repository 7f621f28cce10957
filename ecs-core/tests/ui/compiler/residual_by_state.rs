//! The macro cannot see that a system has room for handles; the judge does.

use ecs_core::{Data, Entity, System, world};

struct Position(f32);
struct Old;

world! {
    world Fading { staged_changes: deny }
    component Position: contiguous_buffer;
    component Old: contiguous_buffer;
    system Reap { with: [Old], kill }
    system Draw { read: [Position], without: [Old], dependencies: [Reap] }
}

/// It may kill others than its own: those that it remembers.
#[derive(Default)]
struct Reap(Vec<Entity>);

impl System<Fading> for Reap {
    fn process(&self, data: &mut Data<'_, Fading, Self>) {
        self.0.iter().for_each(|&entity| data.kill(entity));
    }
}

#[derive(Default)]
struct Draw;

impl System<Fading> for Draw {
    fn process(&self, _: &mut Data<'_, Fading, Self>) {}
}

fn main() {}
