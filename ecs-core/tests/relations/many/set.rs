//! Relations of a set, of a world that includes it, and of code that is generic over worlds.

use ecs_core::settings::Settings;
use ecs_core::{Entity, HasManyToMany, World, world};

mod social {
    use ecs_core::{Entity, set};

    /// How often they have met.
    pub(crate) struct Met(pub(crate) u32);
    pub(crate) struct Host(pub(crate) Entity);
    pub(crate) struct Home;

    set! {
        pub(crate) set Social;
        component Host;
        relation Met: many_to_many, on_despawn: detach;
        relation Home: one_to_many, on_despawn: detach;
        system Visit {
            read: [Host],
            relations: [Met],
            link: [Met, Home],
            run: |data| for (guest, host) in data.own.query::<(Entity, &Host)>() {
                let before = data.effects.get_link::<Met>(guest, host.0).map_or(0, |met| met.0);
                data.effects.insert_link(guest, host.0, Met(before + 1));
                data.effects.relink::<Home>(guest, host.0);
            },
        }
    }
}

use social::{Home, Host, Met};

struct Owes(u32);

world! {
    world Town {}
    include social::Social;
    /// Links of the same two entities.
    relation Owes: many_to_many, on_despawn: forbid;
    system Pay {
        dependencies: [Visit],
        relations: [Met],
        link: [Owes],
        with: [Host],
        run: |data| for (guest,) in data.own.query::<(Entity,)>() {
            for (host, met) in data.effects.targets::<Met>(guest) {
                data.effects.insert_link(guest, host, Owes(10 * met.0));
            }
        },
    }
}

fn sum<D: HasManyToMany<Owes> + HasManyToMany<Met>, S: Settings>(
    world: &World<D, S>,
    of: Entity,
) -> (u32, u32) {
    let owes = world.sources::<Owes>(of).map(|(_, owes)| owes.0).sum();
    (owes, world.sources::<Met>(of).map(|(_, met)| met.0).sum())
}

#[test]
fn a_set_has_relations_for_the_worlds_that_include_it() {
    let mut world = World::<Town>::new();
    let host = world.spawn(());
    let guests = world.spawn_batch((0..3).map(|_| (Host(host),)));
    for _ in 0..2 {
        world.tick().unwrap();
    }
    assert_eq!(sum(&world, host), (30, 6));
    assert!(world.children::<Home>(host).eq(guests.iter().copied()));
    assert!(!world.despawn(host), "they owe it something");
    world.remove_link::<Owes>(guests[0], host);
    world.step(|step| guests[1..].iter().for_each(|guest| step.despawn(*guest))).unwrap();
    assert!(world.despawn(host));
    assert_eq!(world.targets::<Met>(guests[0]).len(), 0);
}
