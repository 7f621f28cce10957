//! ECS0087: an index that is not there.

use ecs_core::{Data, System, world};
struct Owner(u32);
#[derive(Default)]
struct Count;

world! {
    world W;
    component Owner: contiguous_buffer;
    query Owners { read: [Owner] }
    system Count { queries: [Owners] }
}

impl System<W> for Count {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.effects.lookup::<Owners, &Owner>();
    }
}

fn main() {}
