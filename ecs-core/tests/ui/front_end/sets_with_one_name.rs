//! Two sets declare the same name.

mod one {
    pub struct Mass;
    ecs_core::set! {
        pub set One;
        component Mass: contiguous_buffer;
    }
}

mod two {
    pub struct Mass;
    ecs_core::set! {
        pub set Two;
        component Mass: contiguous_buffer;
    }
}

ecs_core::world! {
    world Game;
    include one::One;
    include two::Two;
}

fn main() {}
