//! Trees that are large, deep, or both, and links in the step that spawns.

use ecs_core::settings::Settings;
use ecs_core::{Entity, Refused, Relation, StateHash, StepError, World, world};

use super::support::{every_kind, mix, three};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Depth(u32);
/// How many children the system `Sprout` spawns.
#[derive(Clone, Debug, StateHash)]
struct Buds(u32);
/// Entities with it have other rows.
#[derive(Clone, Debug, StateHash)]
struct Leaf;

struct Part;
struct Holds;

world! {
    world Woods { rows: by_archetype }
    component Depth: contiguous_buffer;
    component Buds;
    component Leaf: empty;
    relation Part: one_to_many, on_despawn: despawn;
    relation Holds: one_to_many, on_despawn: forbid;
    system Measure {
        parallelism: split_evenly(4),
        after_parent: Part,
        write: [Depth],
        run: |data| data.for_after_parent::<&Depth>(|one, parent, _| {
            one.depth.0 = parent.map_or(0, |parent| parent.0 + 1);
        }),
    }
    system Sprout {
        read: [Buds],
        defer,
        run: |data| for (entity, buds) in data.own.query::<(Entity, &Buds)>() {
            let count = buds.0;
            data.effects.defer(move |world| {
                let parents: Vec<Entity> = (0..count).map(|_| world.spawn((Depth(0),))).collect();
                for parent in parents {
                    let leaf = world.spawn((Depth(0), Leaf));
                    world.link::<Part>(parent, entity);
                    world.link::<Part>(leaf, parent);
                }
            });
        },
    }
}

/// A world with `count` entities, of which each but the first has the parent that `parent` says.
fn tree<S: Settings>(
    mut world: World<Woods, S>,
    count: usize,
    parent: impl Fn(usize) -> usize,
) -> (World<Woods, S>, Vec<Entity>) {
    let all = world
        .step(|step| {
            let all: Vec<Entity> = (0..count).map(|_| step.spawn((Depth(0),))).collect();
            for child in 1..count {
                step.link::<Part>(all[child], all[parent(child)]);
            }
            all
        })
        .expect("a tree");
    (world, all)
}

#[test]
fn a_root_is_despawned_with_100_000_descendants() {
    let shapes: [fn(usize) -> usize; 3] =
        [|_| 0, |child| child - 1, |child| mix(child as u64) as usize % child];
    for shape in shapes {
        let (mut world, all) = tree(World::<Woods>::on(three()), 100_001, shape);
        let other = world.spawn((Depth(7),));
        assert!(world.despawn(all[0]));
        assert_eq!(world.entity_count(), 1);
        assert_eq!(all.iter().filter(|one| world.is_alive(**one)).count(), 0);
        // The rows are free, and have no links.
        let again = world.spawn_batch((0..100_001).map(|_| (Depth(0),)));
        assert!(again.iter().all(|one| world.parent::<Part>(*one).is_none()));
        assert!(again.iter().all(|one| world.children::<Part>(*one).len() == 0));
        assert!(world.is_alive(other));
    }
}

#[test]
fn a_chain_of_10_000_levels_is_gone_along_and_relinked() {
    for threads in every_kind() {
        let (mut world, all) = tree(World::<Woods>::on(threads), 10_000, |child| child - 1);
        world.tick().unwrap();
        let depth = |world: &World<Woods>, at: usize| world.get::<Depth>(all[at]).unwrap().0;
        assert!((0..10_000).all(|at| depth(&world, at) as usize == at));
        // The lower half goes to the root.
        world.relink::<Part>(all[5_000], all[0]).unwrap();
        world.tick().unwrap();
        assert_eq!([4_999, 5_000, 9_999].map(|at| depth(&world, at)), [4_999, 1, 5_000]);
        let error = world.relink::<Part>(all[0], all[9_999]).unwrap_err();
        let refused = Refused::Cycle { child: all[0], parent: all[9_999] };
        assert_eq!(error, StepError::Refused { relation: "Part", refused, count: 1 });
    }
}

#[test]
fn many_parents_that_must_stay_are_refused_in_linear_time() {
    let count = 60_000;
    let (mut world, all) = tree(World::<Woods>::on(three()), count, |child| child - 1);
    // Each node of the chain holds an entity of its own.
    let held = world.spawn_batch((0..count).map(|_| (Leaf,)));
    world
        .step(|step| {
            for (child, parent) in held.iter().zip(&all) {
                step.link::<Holds>(*child, *parent);
            }
        })
        .unwrap();
    let error = world.step(|step| all.iter().for_each(|node| step.despawn(*node))).unwrap_err();
    let refused = Refused::Despawn { entity: all[0], child: held[0] };
    assert_eq!(error, StepError::Refused { relation: "Holds", refused, count });
    assert_eq!(world.entity_count(), 2 * count);
    let error = world.step(|step| step.despawn(all[0])).unwrap_err();
    assert_eq!(error, StepError::Refused { relation: "Holds", refused, count: 1 });
    // With all that they hold, they go.
    world
        .step(|step| {
            step.despawn(all[0]);
            for one in &held {
                step.despawn(*one);
            }
        })
        .unwrap();
    assert_eq!(world.entity_count(), 0);
}

#[test]
fn what_a_step_spawns_is_linked_in_that_step() {
    for threads in every_kind() {
        let mut world = World::<Woods>::on(threads);
        let root = world.spawn((Depth(0), Buds(50)));
        world.tick().unwrap();
        assert_eq!(world.children::<Part>(root).len(), 50);
        for parent in world.children::<Part>(root) {
            let leaf = world.children::<Part>(parent).next().expect("a leaf");
            assert!(world.contains::<Leaf>(leaf));
        }
        world.tick().unwrap();
        let leaf = |world: &World<Woods>| {
            let parent = world.children::<Part>(root).next().expect("a child");
            world.children::<Part>(parent).next().expect("a leaf")
        };
        assert_eq!(world.get::<Depth>(leaf(&world)), Some(&Depth(2)));
        // Back to before that, and to the same again.
        let snapshot = world.snapshot();
        let copy = world.clone();
        world.tick().unwrap();
        let hash = world.state_hash();
        assert_ne!(hash, copy.state_hash());
        world.restore(&snapshot).expect("of this world");
        assert_eq!(world.state_hash(), copy.state_hash());
        world.tick().unwrap();
        assert_eq!(world.state_hash(), hash);
        // Rows of half of the parents become free, and others move there with their links.
        let parents: Vec<Entity> = world.children::<Part>(root).collect();
        world.step(|step| parents.iter().step_by(2).for_each(|one| step.despawn(*one))).unwrap();
        let left: Vec<Entity> = world.children::<Part>(root).collect();
        assert_eq!(left.len(), 75);
        for parent in left {
            let leaf = world.children::<Part>(parent).next().expect("a leaf");
            assert_eq!(world.parent::<Part>(leaf), Some(parent));
        }
        assert!(world.despawn(root));
        assert_eq!(world.entity_count(), 0);
    }
}

/// Each parent has the entity among its children, and its depth is one less.
fn assert_measured(world: &World<Woods>) {
    for (entity, depth) in world.iter::<(Entity, &Depth)>() {
        let parent = world.parent::<Part>(entity);
        let above = parent.map_or(0, |parent| {
            assert!(parent != entity && world.children::<Part>(parent).any(|one| one == entity));
            world.get::<Depth>(parent).expect("each has a depth").0 + 1
        });
        assert_eq!(depth.0, above);
    }
}

#[test]
fn links_of_another_time_or_world_are_a_forest_still() {
    for round in 0..40_u64 {
        let random = |n: u64| mix(round << 32 | n) as usize;
        let (mut world, all) =
            tree(World::<Woods>::on(three()), 600, |child| random(child as u64) % child);
        let (mut other, _) = tree(World::<Woods>::on(three()), 900, |child| child / 2);
        let old = world.resource::<Relation<Part>>().clone();
        for step in 0..4 {
            // Rows become free and are taken, and entities move to others.
            let spawned = random(1000 + step) % 30;
            world
                .step(|world| {
                    for n in 0..=random(2000 + step) % 40 {
                        world.despawn(all[random(3000 + 100 * step + n as u64) % all.len()]);
                    }
                    for _ in 0..spawned {
                        world.spawn((Depth(0), Leaf));
                    }
                })
                .expect("nothing is refused");
            match random(4000 + step) % 3 {
                0 => *world.resource_mut::<Relation<Part>>() = old.clone(),
                1 => core::mem::swap(
                    world.resource_mut::<Relation<Part>>(),
                    other.resource_mut::<Relation<Part>>(),
                ),
                _ => {}
            }
            let [first, last] = {
                let mut all = world.iter::<Entity>();
                [all.next(), all.last()].map(|one| one.expect("some are left"))
            };
            world.insert(last, Leaf).expect("it is alive");
            world.despawn(first);
            for _ in 0..2 {
                world.tick().expect("nothing is refused");
                other.tick().expect("nothing is refused");
                assert_measured(&world);
                assert_measured(&other);
            }
        }
    }
}

#[test]
fn links_follow_entities_to_other_rows_after_a_peak() {
    let (mut world, all) = tree(World::<Woods>::on(three()), 1, |_| 0);
    let first = all[0];
    let all = world.spawn_batch((0..60_000).map(|_| (Depth(0),)));
    let (most, last) = all.split_at(all.len() - 10);
    world
        .step(|step| {
            step.link::<Part>(last[0], first);
            last.windows(2).for_each(|pair| step.link::<Part>(pair[1], pair[0]));
        })
        .unwrap();
    // The memory of their rows is given back in the same refresh in which the last ones move.
    world.step(|step| most.iter().for_each(|one| step.despawn(*one))).unwrap();
    for pair in last.windows(2) {
        assert_eq!(world.parent::<Part>(pair[1]), Some(pair[0]));
        assert!(world.children::<Part>(pair[0]).eq([pair[1]]));
    }
    assert!(world.children::<Part>(first).eq([last[0]]));
    world.tick().unwrap();
    assert_measured(&world);
    assert!(world.despawn(last[0]));
    assert_eq!(world.iter::<Entity>().collect::<Vec<_>>(), [first]);
}
