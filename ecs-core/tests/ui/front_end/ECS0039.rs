//! ECS0039: a refresh between two users of an index.

use ecs_core::{Data, world};
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Owner(u32);
struct Burning;
fn count(_: &mut Data<'_, W, Count>) {}
fn ignite(_: &mut Data<'_, W, Ignite>) {}
fn spread(_: &mut Data<'_, W, Spread>) {}

world! {
    world W { staged_changes: refresh_before_dependents }
    component Owner;
    component Burning: empty;
    query Owners { index: by_key(Owner) }
    system Count { read: [Owner], queries: [Owners], run: count }
    system Ignite { read: [Owner], insert: [Burning], run: ignite }
    system Spread {
        read: [Owner],
        with: [Burning],
        dependencies: [Ignite],
        queries: [Owners],
        run: spread,
    }
}

fn main() {}
