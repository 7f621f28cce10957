//! Types that are no paths, and settings of another form.

ecs_core::world! {
    world W { entity_limit: unlimited }
    component [f32; 3], &'static str;
    component (u8, u8): hash_map;
    resource [u8; 4];
    system Move { write: [[f32; 3]], parallelism: split_evenly(core), run: |_| () }
}

ecs_core::world! {
    world V { entity_limit: fixed }
}

fn main() {}
