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
        let _ = data.resources.get::<Clock>();
        let _ = data.resources.get::<Score>();
        let _ = data.resources.get_mut::<Clock>();
    }
}

fn main() {}
