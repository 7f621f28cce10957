//! The order in which a system comes to entities that goes along a relation.

use super::*;

/// Whether `Propagate` came to all of its entities, by level and then in the order of iteration, and saw what it had written to
/// the parent.
pub(crate) fn check<S: Settings>(world: &World<Forest, S>, model: &Model) {
    // What is despawned is despawned before the system runs, as the step refreshes between the two.
    let mine: Vec<Entity> =
        living(world).into_iter().filter(|one| world.contains::<Sum>(*one)).collect();
    let parents = &model.parents[0];
    let level = |entity: &Entity| {
        let (mut level, mut at) = (0, *entity);
        while let Some(parent) = parents.get(&at) {
            (level, at) = (level + 1, *parent);
        }
        level
    };
    let mut expected: Vec<(usize, Entity)> = mine.iter().map(|one| (level(one), *one)).collect();
    expected.sort_by_key(|(level, _)| *level);
    let came: Vec<&Came> = world.events::<Came>().collect();
    assert!(came.iter().map(|came| came.0).eq(expected.iter().map(|(_, entity)| *entity)));
    let mut sums = std::collections::BTreeMap::new();
    for (_, entity) in expected {
        let parent = parents.get(&entity).filter(|parent| sums.contains_key(*parent));
        let own = world.get::<Own>(entity).unwrap().0;
        sums.insert(entity, mix(parent.map_or(0, |parent| sums[parent]) ^ own));
        assert_eq!(world.get::<Sum>(entity).unwrap().0, sums[&entity]);
        let came = came.iter().find(|came| came.0 == entity).expect("it came there");
        assert_eq!(came.1.as_ref(), parent);
    }
}

struct Leaf(u32);
struct Depth(u32);
struct Below;

world! {
    world Levels {}
    component Depth, Leaf: contiguous_buffer;
    relation Below: one_to_many, on_despawn: detach;
    // Both refresh at the end of the step only.
    system Count {
        parallelism: split_evenly(4),
        after_parent: Below,
        write: [Depth],
        despawn,
        run: |data| data.for_after_parent::<&Depth>(|one, parent, effects| {
            one.depth.0 = parent.map_or(0, |parent| parent.0 + 1);
            if one.depth.0 == 5 {
                effects.despawn(one.entity);
            }
        }),
    }
    system Grow {
        dependencies: [Count],
        read: [Leaf],
        relations: [Below],
        link: [Below],
        run: |data| for (entity, leaf) in data.own.query::<(Entity, &Leaf)>() {
            let up = data.effects.parent::<Below>(entity);
            let up = up.and_then(|up| data.effects.parent::<Below>(up));
            if leaf.0 > 0 && let Some(up) = up {
                assert!(data.effects.children::<Below>(up).all(|child| child != entity));
                data.effects.relink::<Below>(entity, up);
            }
        },
    }
}

#[test]
fn large_levels_are_split_and_small_ones_are_not() {
    for threads in every_kind() {
        let mut world = World::<Levels>::on(threads);
        let root = world.spawn((Depth(9),));
        let wide = world.spawn_batch((0..3_000).map(|_| (Depth(9),)));
        let long = world.spawn_batch((0..1_000).map(|_| (Depth(9),)));
        let below = world.spawn_batch((0..3_000).map(|_| (Depth(9), Leaf(1))));
        world
            .step(|step| {
                for (number, entity) in wide.iter().enumerate() {
                    step.link::<Below>(*entity, root);
                    step.link::<Below>(below[number], *entity);
                }
                for pair in long.windows(2) {
                    step.link::<Below>(pair[1], pair[0]);
                }
            })
            .unwrap();
        world.tick().unwrap();
        for (number, entity) in long.iter().enumerate().filter(|(number, _)| *number != 5) {
            assert_eq!(world.get::<Depth>(*entity).unwrap().0 as usize, number);
        }
        assert!(!world.is_alive(long[5]));
        assert_eq!(world.parent::<Below>(long[6]), None);
        assert!(below.iter().all(|entity| world.get::<Depth>(*entity).unwrap().0 == 2));
        assert_eq!(world.children::<Below>(root).len(), 6_000, "leaves have moved up");
        world.tick().unwrap();
        assert!(below.iter().all(|entity| world.get::<Depth>(*entity).unwrap().0 == 1));
        assert_eq!(world.get::<Depth>(long[999]).unwrap().0, 993);
    }
}

#[test]
fn a_panic_drops_links_that_are_staged() {
    let mut world = World::<Levels>::on(three());
    let all = world.spawn_batch((0..300).map(|_| (Depth(0), Leaf(1))));
    world
        .step(|step| all.windows(2).for_each(|pair| step.link::<Below>(pair[1], pair[0])))
        .unwrap();
    let hash = |world: &World<Levels>| {
        all.iter().map(|one| world.parent::<Below>(*one)).collect::<Vec<_>>()
    };
    let before = hash(&world);
    let message = support::caught(|| {
        world.step(|step| {
            step.unlink::<Below>(all[1]);
            step.execute_only::<(Grow,)>();
            support::fail("stop");
        })
    });
    assert_eq!(message, "stop");
    assert_eq!(hash(&world), before);
    world.step(|_| ()).unwrap();
    assert_eq!(hash(&world), before);
    // A body that panics on some level.
    let message = support::caught(|| {
        world.step(|step| {
            step.execute_with(|execution| {
                execution.only::<(Count,)>().for_subtasks::<Count>(|_, data| {
                    data.for_after_parent::<(Entity, &Depth)>(|one, _, effects| {
                        effects.despawn(one.entity);
                        if one.entity == all[200] {
                            support::fail("level 200");
                        }
                    });
                })
            });
        })
    });
    assert_eq!(message, "level 200");
    assert_eq!((hash(&world), world.entity_count()), (before, 300));
}
