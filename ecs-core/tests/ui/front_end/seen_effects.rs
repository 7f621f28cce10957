//! `sees` with other entries than a system and its effect; a resource with other words than an operation.

use ecs_core::world;

struct Life(f32);
#[derive(Default)]
struct Score(u64);

world! {
    world W { staged_changes: deny }
    component Life;
    resource Score: summ;
    stages Think -> Act;
    system Age { stage: Think, write: [Life], despawn, insert: [Life], run: |_| {} }
    system Walk { stage: Act, write: [Life], sees: [Age], run: |_| {} }
    system Rest { stage: Act, read: [Life], dependencies: [Walk], sees: [Age.kill, Think.spawn], run: |_| {} }
}

fn main() {}
