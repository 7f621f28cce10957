//! A body uses resources that its signature doesn't declare, or writes one that it only reads.

use ecs_core::{Data, System, world};

#[derive(Default)]
struct Score(u32);
#[derive(Default)]
struct Clock(u32);

world! {
    world W;
    resource Score;
    resource Clock;
    system Count { read_resources: [Clock] }
}

#[derive(Default)]
struct Count;

impl System<W> for Count {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.resource::<Clock>();
        let _ = data.resource::<Score>();
        let _ = data.resource_mut::<Clock>();
    }
}

fn main() {}
