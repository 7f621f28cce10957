//! E0044: a set that is not included.

mod physics {
    use ecs_core::{Data, System, set};

    pub struct Position(pub f32);
    #[derive(Default)]
    pub struct Fall;

    set! {
        pub set Physics;
        component Position: contiguous_buffer;
        system Fall { write: [Position] }
    }

    impl<D: PhysicsWorld> System<D> for Fall {
        fn process(&self, data: &mut Data<'_, D, Self>) {
            data.for_entities(|e| e.position.0 -= 1.0);
        }
    }
}

ecs_core::world! {
    world W;
    component physics::Position: contiguous_buffer;
    system physics::Fall { write: [Position] }
}

fn main() {}
