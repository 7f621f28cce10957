//! ECS0034 is a warning: a declaration with an order that follows from others compiles.

use ecs_core::{Data, System, World, world};

world! {
    world W;
    system Sense;
    system Think { dependencies: [Sense] }
    system Act { dependencies: [Think, Sense] }
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<W> for $name {
            fn process(&self, _: &mut Data<'_, W, Self>) {}
        }
    )*};
}

systems! { Sense Think Act }

fn main() {
    World::<W>::new().tick().unwrap();
}
