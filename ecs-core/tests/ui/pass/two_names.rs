//! One system type under two names, each with a signature and a state of its own.

#![deny(warnings)]

use ecs_core::access::Writes;
use ecs_core::SystemName;
use ecs_core::{Data, System, World, world};

struct Level(i32);
struct Below;

struct Adjust {
    by: i32,
}

world! {
    world Tanks;
    component Level: contiguous_buffer;
    component Below: contiguous_buffer;
    system Rise: Adjust { write: [Level], with: [Below], state: Adjust { by: 1 } }
    system Fall: Adjust { write: [Level], without: [Below], state: Adjust { by: -1 } }
}

impl<N: SystemName<Tanks> + Writes<Level, Tanks>> System<Tanks, N> for Adjust {
    fn process(&self, data: &mut Data<'_, Tanks, N>) {
        data.query::<&mut Level>().for_each(|level| level.0 += self.by);
    }
}

fn main() {
    let mut world = World::<Tanks>::new();
    let low = world.step(|step| step.spawn((Level(5), Below))).unwrap().unwrap();
    let high = world.step(|step| step.spawn((Level(5),))).unwrap().unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<Level>(low).unwrap().0, 6);
    assert_eq!(world.get::<Level>(high).unwrap().0, 4);
}
