//! Orders that cannot be: of a system with itself, by each list; of two systems both ways, by any two lists;
//! in a circle of four.

use ecs_core::{Data, System, world};

world! {
    world W;
    system Itself { before: [Itself], inputs: [Itself], dependencies: [Itself] }
    system Give { before: [Take] }
    system Take { before: [Give], output: Vec<u32> }
    system Read { inputs: [Write] }
    system Write { dependencies: [Read] }
    system North { dependencies: [West] }
    system East { dependencies: [North] }
    system South { dependencies: [East] }
    system West { inputs: [South] }
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

systems! { Itself Give Take Read Write North East South West }

fn main() {
    let _ = ecs_core::World::<W>::new();
}
