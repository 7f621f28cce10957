//! Two components, and two resources, whose paths have the same last segment.

struct Buf<T>(T);
mod near {
    #[derive(Default)]
    pub struct Pos(pub f32);
}
mod far {
    #[derive(Default)]
    pub struct Pos(pub f32);
}

ecs_core::world! {
    world W;
    component Buf<f32>, Buf<u8>;
    resource near::Pos;
    resource far::Pos;
    system Fill { read: [Buf<f32>], write: [Buf<u8>], run: |_| () }
    system Move { read_resources: [near::Pos], write_resources: [far::Pos], run: |_| () }
}

ecs_core::world! {
    world V;
    component Buf<f32>;
    system Clear { write: [Buf<u8>], run: |_| () }
}

fn main() {}
