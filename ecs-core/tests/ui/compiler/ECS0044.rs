//! ECS0044: a set that is not included.

mod physics {
    use ecs_core::{World, set};

    pub struct Position(pub f32);
    #[derive(Default)]
    pub struct Gravity(pub f32);

    set! {
        pub set Physics;
        component Position;
        resource Gravity;
    }

    pub fn double<D: PhysicsWorld>(world: &mut World<D>) {
        world.resource_mut::<Gravity>().0 *= 2.0;
    }
}

ecs_core::world! {
    world W;
    component physics::Position;
    resource physics::Gravity;
}

fn main() {
    physics::double(&mut ecs_core::World::<W>::new());
}
