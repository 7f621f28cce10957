//! ECS0098: a query that does not read what its user asks for.

use ecs_core::{Data, world};
struct Position([f32; 2]);
struct Health(u32);
fn heal(_: &mut Data<'_, W, Heal>) {}

world! {
    world W;
    component Position, Health;
    query Near { index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 4.0) }
    system Heal { read: [Position], queries: [Near(Position, Health)], run: heal }
}

fn main() {}
