//! A system writes what an index is made from, and nothing orders it with the two users of the index.

use ecs_core::joins::Coordinates;
use ecs_core::{Data, World, world};

struct Position([f32; 2]);
struct Health(u32);

impl Coordinates for Position {
    type Point = [f32; 2];

    fn coordinates(&self) -> [f32; 2] {
        self.0
    }
}

world! {
    world Field;
    component Position, Health;
    query Near { index: by_cell(Position, 4.0), read: [Health] }
    system Walk { write: [Position], each: |walker| walker.position.0[0] += 1.0 }
    system Look { read: [Position], queries: [Near], run: look }
    system Count { queries: [Near(Health)], run: count }
}

fn look(_: &mut Data<'_, Field, Look>) {}
fn count(_: &mut Data<'_, Field, Count>) {}

fn main() {
    let _ = World::<Field>::new();
}
