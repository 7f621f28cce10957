//! A world whose tables of clones and hashes have several sections, as it has many parts.

use ecs_core::{Data, StateHash, System, Threads, World, world};

macro_rules! many {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, StateHash)]
            struct $name(u32);
        )*

        world! {
            world Many;
            $(component $name;)*
            resource Total;
            system Count { write_resources: [Total], output: u32 }
        }
    };
}

many! {
    A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 C0 C1 C2 C3 C4 C5 C6 C7 C8 C9
    D0 D1 D2 D3 D4 D5 D6 D7 D8 D9 E0 E1 E2 E3 E4 E5 E6 E7 E8 E9 F0 F1 F2 F3 F4 F5 F6 F7 F8 F9
    G0 G1 G2 G3 G4 G5 G6 G7 G8 G9
}

#[derive(Clone, Default, StateHash)]
struct Total(u32);

#[derive(Clone, Default, StateHash)]
struct Count(u32);

impl System<Many> for Count {
    fn process(&self, data: &mut Data<'_, Many, Self>) {
        data.resources.get_mut::<Total>().0 += self.0;
        *data.effects.output() = self.0;
    }
}

#[test]
fn parts_of_every_section_are_cloned_and_hashed() {
    let mut world = World::<Many>::on(Threads::Inline);
    let entity = world.spawn((A0(1), D1(2), D2(3), D9(4), G9(5)));
    world.system_mut::<Count>().0 = 6;
    world.tick().unwrap();
    let hash = world.state_hash();
    let snapshot = world.snapshot();

    let changes: [fn(&mut World<Many>, _); 7] = [
        |world, entity| world.get_mut::<A0>(entity).unwrap().0 = 0,
        |world, entity| world.get_mut::<D1>(entity).unwrap().0 = 0,
        |world, entity| world.get_mut::<D2>(entity).unwrap().0 = 0,
        |world, entity| world.get_mut::<D9>(entity).unwrap().0 = 0,
        |world, entity| world.get_mut::<G9>(entity).unwrap().0 = 0,
        |world, _| world.resource_mut::<Total>().0 = 0,
        |world, _| world.system_mut::<Count>().0 = 0,
    ];
    for change in changes {
        change(&mut world, entity);
        assert_ne!(world.state_hash(), hash);
        let same = |world: &World<Many>| {
            assert_eq!(world.state_hash(), hash);
            assert_eq!(world.get::<G9>(entity), Some(&G9(5)));
            assert_eq!(world.resource::<Total>().0, 6);
        };
        world.restore(&snapshot).unwrap();
        same(&world);
        same(&world.clone());
    }
}
