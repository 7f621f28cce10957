//! Sets as private as can be, with paths of every kind, second names, and a diamond.

#![deny(warnings)]

use ecs_core::{Data, System, World};

struct Shared(u32);

mod deep {
    pub(super) mod parts {
        pub(in super::super) struct Other<T>(pub(in super::super) T);

        ecs_core::set! {
            pub(in super::super) set Parts;
            component self::Other<u32>: contiguous_buffer;
            component super::super::Shared: contiguous_buffer;
            component (Left, Right): contiguous_buffer;
            resource Option = self::Option(u32::from(true));
        }

        pub(in super::super) struct Left;
        pub(in super::super) struct Right;
        pub(in super::super) struct Option(pub(in super::super) u32);
    }
}

ecs_core::set! {
    set First;
    include deep::parts::Parts;
    system Rise: Change { write: [Shared], state: Change(2), spawn: [(Left, Right), Left], despawn }
}

ecs_core::set! {
    set Second;
    include self::deep::parts::Parts;
    system Fall: Change { write: [Other], state: Change(3), read_resources: [Option] }
}

struct Change(u32);

impl<D: FirstWorld> System<D, Rise> for Change {
    fn process(&self, data: &mut Data<'_, D, Rise>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.shared.0 += self.0;
            effects.spawn((deep::parts::Left,));
        });
    }
}

impl<D: SecondWorld> System<D, Fall> for Change {
    fn process(&self, data: &mut Data<'_, D, Fall>) {
        let one = data.resources.get::<deep::parts::Option>().0;
        data.own.for_entities(|e| e.other.0 += self.0 + one);
    }
}

mod game {
    ecs_core::world! {
        pub(super) world Game;
        include super::First;
        include super::Second;
        order Rise -> Fall;
    }
}

fn main() {
    let mut world = World::<game::Game>::new();
    let both = (Shared(1), deep::parts::Other(1));
    let entity = world.step(|step| step.spawn(both)).unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<Shared>(entity).unwrap().0, 3);
    assert_eq!(world.get::<deep::parts::Other<u32>>(entity).unwrap().0, 5);
    assert_eq!(world.entity_count(), 2);
}
