//! A query for one component is none for another, of which it is a subtype.

use ecs_core::Query;
use ecs_core::{Data, System, world};

type One = for<'a> fn(&'a str) -> usize;
type Other = fn(&'static str) -> usize;

world! {
    world W {}
    component One: contiguous_buffer;
    component Other: contiguous_buffer;
    system Look { read: [One] }
}
#[derive(Default)]
struct Look;
impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let query: Query<'_, W, Look, &'static One> = data.query::<&'static One>();
        let query: Query<'_, W, Look, &'static Other> = query;
        query.for_each(|f| println!("{}", f("called")));
    }
}

fn main() {}
