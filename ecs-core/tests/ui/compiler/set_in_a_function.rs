//! A set is a module, so it cannot be declared in a function.

fn main() {
    struct Position(f32);

    ecs_core::set! {
        set Physics;
        component Position;
        system Fall { write: [Position], each: |one| one.position.0 -= 1.0 }
    }
    ecs_core::world! {
        world W;
        include Physics;
    }
}
