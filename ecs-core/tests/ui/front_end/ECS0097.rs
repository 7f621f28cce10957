//! ECS0097: an index that is stale for one of its users.

use ecs_core::{Data, world};
struct Position([f32; 2]);
fn look(_: &mut Data<'_, W, Look>) {}
fn shoot(_: &mut Data<'_, W, Shoot>) {}

world! {
    world W;
    component Position;
    query Near { index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 4.0) }
    system Look { read: [Position], queries: [Near], run: look }
    system Move { dependencies: [Look], each: |position: &mut Position| position.0[0] += 1.0 }
    system Shoot { read: [Position], queries: [Near], dependencies: [Move], run: shoot }
}

fn main() {}
