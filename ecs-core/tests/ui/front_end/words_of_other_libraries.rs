//! Keys, items, storages, strategies and values as other libraries call them: each message names the one that is meant.

struct Position(f32);
struct Marked;
#[derive(Default)]
struct Time(f32);

ecs_core::world! {
    world W { capacity: dynamic(10), scheduler: multi_threaded }
    component Position: VecStorage;
    tag Marked;
    singleton Time;
    system Move { view_mut: [Position], res: [Time], each: |_| () }
    system Mark { read: [Position], Commands, after: [Move], for_each: |_| () }
    system Split { write: [Position], dependencies: [Mark], parallelism: par_iter, run: |_| () }
    system Last { write: [Position], dependencies: [Split], priority: 3, body: |_| () }
}

fn main() {}
