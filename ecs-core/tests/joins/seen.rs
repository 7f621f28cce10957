//! Indices beside seen effects and commutative resources: an index has what the refresh before its users applies.

use ecs_core::{Combine, Entity, World, world};

use crate::every_kind;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Team(u32);
struct Seed;
#[derive(Combine, Debug, Default, PartialEq)]
struct Found(u64);

world! {
    world Sides;
    component Team;
    component Seed: empty;
    resource Found: sum;

    query SameTeam { index: by_key(Team), parallelism: split_every(64) }
    // It writes the keys, so the index comes after it; it also stages what the index has after the refresh only.
    system Sow {
        write: [Team],
        with: [Seed],
        parallelism: split_every(16),
        despawn,
        spawn: [(Team,)],
        each: |e, effects| {
            e.team.0 += 1;
            let team = *e.team;
            effects.spawn((team,));
            effects.spawn((team,));
            effects.despawn(e.entity);
        },
    }
    system Count {
        read: [Team],
        queries: [SameTeam],
        sees: [Sow.spawn],
        add: [Found],
        parallelism: split_every(8),
        each: |e, effects| {
            let found = effects.lookup::<SameTeam, Entity>().at(*e.team).count();
            effects.add(Found(found as u64));
        },
    }
    // It adds to the same resource, before the refresh, and is not ordered with the index.
    system Greet {
        with: [Seed],
        add: [Found],
        parallelism: split_every(8),
        each: |_, effects| effects.add(Found(1_000_000)),
    }
}

#[test]
fn an_index_has_what_its_user_sees() {
    for threads in every_kind() {
        let mut world = World::<Sides>::on(threads);
        for team in 0..300 {
            world.spawn((Team(team % 3), Seed));
        }
        world.tick().unwrap();
        // Of each seed there are two entities, and in each of three teams 200 that find one another.
        assert_eq!(*world.resource::<Found>(), Found(300 * 1_000_000 + 3 * 200 * 200));
        assert_eq!(world.entity_count(), 600);
        world.tick().unwrap();
        assert_eq!(*world.resource::<Found>(), Found(300 * 1_000_000 + 2 * 3 * 200 * 200));
    }
}
