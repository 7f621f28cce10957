//! Two sets, each sound by itself, whose systems insert the same component: an `order` of the world helps.

pub struct Position(pub f32);

mod space {
    ecs_core::set! {
        pub set Space;
        component super::Position: contiguous_buffer;
    }
}

mod motion {
    use ecs_core::{Data, System};

    #[derive(Default)]
    pub struct Advance;

    ecs_core::set! {
        pub set Motion;
        include super::space::Space;
        system Advance { insert: [Position] }
    }

    impl<D: MotionWorld> System<D> for Advance {
        fn process(&self, _: &mut Data<'_, D, Self>) {}
    }
}

mod sight {
    use ecs_core::{Data, System};

    #[derive(Default)]
    pub struct Look;

    ecs_core::set! {
        pub set Sight;
        include super::space::Space;
        system Look { insert: [Position] }
    }

    impl<D: SightWorld> System<D> for Look {
        fn process(&self, _: &mut Data<'_, D, Self>) {}
    }
}

ecs_core::world! {
    world Game;
    include motion::Motion;
    include sight::Sight;
}

fn main() {}
