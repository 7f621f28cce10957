//! Random worlds, and random sets of their entities.

use std::collections::BTreeMap;

use ecs_core::{Entity, MapEntities, Prefab, PrefabError, Template, World};
use proptest::prelude::*;

use super::{Aim, Field, Health, Likes, Marked, Mind, Name, PartOf};

/// An entity of a random world. Numbers are those of other entities, modulo how many there are.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    health: Option<u32>,
    name: Option<String>,
    aim: Option<(Option<usize>, Vec<usize>)>,
    /// With a mind, whom it follows, or nobody.
    #[expect(
        clippy::option_option,
        reason = "the component is there or not, and so is the handle in it"
    )]
    follows: Option<Option<usize>>,
    marked: bool,
    parent: Option<usize>,
    likes: Vec<(usize, u8)>,
}

pub(super) fn specs() -> impl Strategy<Value = Vec<Spec>> {
    let number = 0..64_usize;
    let spec = (
        proptest::option::of(any::<u32>()),
        proptest::option::of("[a-z]{0,6}"),
        proptest::option::of((
            proptest::option::of(number.clone()),
            proptest::collection::vec(number.clone(), 0..3),
        )),
        proptest::option::of(proptest::option::of(number.clone())),
        any::<bool>(),
        proptest::option::of(number.clone()),
        proptest::collection::vec((number, any::<u8>()), 0..3),
    );
    let spec = spec.prop_map(|(health, name, aim, follows, marked, parent, likes)| Spec {
        health,
        name,
        aim,
        follows,
        marked,
        parent,
        likes,
    });
    proptest::collection::vec(spec, 1..12)
}

/// Spawns the entities, each with these handles for the numbers of others, and links them.
pub(super) fn spawn(world: &mut World<Field>, specs: &[Spec]) -> Vec<Entity> {
    let all: Vec<Entity> = specs.iter().map(|_| world.spawn(())).collect();
    let at = |number: usize| all[number % all.len()];
    for (number, (spec, &entity)) in specs.iter().zip(&all).enumerate() {
        if let Some(health) = spec.health {
            world.insert(entity, Health(health)).expect("it is alive");
        }
        if let Some(name) = &spec.name {
            world.insert(entity, Name(name.clone())).expect("it is alive");
        }
        if let Some((aim, others)) = &spec.aim {
            let others = others.iter().map(|&one| at(one)).collect();
            let aim = Aim { at: aim.map(at), others, strength: number as u32 };
            world.insert(entity, aim).expect("it is alive");
        }
        if let Some(follows) = spec.follows {
            let mind = follows.map_or(Mind::Idle, |number| Mind::Follows(at(number)));
            world.insert(entity, mind).expect("it is alive");
        }
        if spec.marked {
            world.insert(entity, Marked).expect("it is alive");
        }
        if let Some(parent) = spec.parent.filter(|parent| parent % all.len() < number) {
            world.link::<PartOf>(entity, at(parent)).expect("the parent is older");
        }
        for &(target, value) in &spec.likes {
            world.insert_link(entity, at(target), Likes(value)).expect("both are alive");
        }
    }
    all
}

/// Asserts that each copy has what the original has, with the copies in the place of the originals, and nothing else of them.
#[track_caller]
pub(super) fn assert_copies(
    from: &World<Field>,
    originals: &[Entity],
    to: &World<Field>,
    copies: &[Entity],
) {
    let copy_of: BTreeMap<Entity, Entity> =
        originals.iter().copied().zip(copies.iter().copied()).collect();
    assert_eq!(copy_of.len(), copies.len());
    for (&original, &copy) in originals.iter().zip(copies) {
        assert_eq!(to.get::<Health>(copy), from.get::<Health>(original));
        assert_eq!(to.get::<Name>(copy), from.get::<Name>(original));
        assert_eq!(to.contains::<Marked>(copy), from.contains::<Marked>(original));
        let (mut aim, copied) = (from.get::<Aim>(original).cloned(), to.get::<Aim>(copy).cloned());
        let (mut mind, minded) =
            (from.get::<Mind>(original).cloned(), to.get::<Mind>(copy).cloned());
        // What leads out of the set is a handle of nobody.
        let never = never();
        let map = &mut |entity: Entity| copy_of.get(&entity).copied().unwrap_or(never);
        if let Some(aim) = &mut aim {
            aim.map_entities(map);
        }
        if let Some(mind) = &mut mind {
            mind.map_entities(map);
        }
        assert_eq!((copied, minded), (aim, mind));
        let parent = from.parent::<PartOf>(original).and_then(|one| copy_of.get(&one).copied());
        assert_eq!(to.parent::<PartOf>(copy), parent);
        let mut liked: Vec<(Entity, Likes)> = from
            .targets::<Likes>(original)
            .filter_map(|(target, likes)| Some((*copy_of.get(&target)?, *likes)))
            .collect();
        let mut copied: Vec<(Entity, Likes)> =
            to.targets::<Likes>(copy).map(|(target, likes)| (target, *likes)).collect();
        liked.sort_by_key(|(entity, _)| *entity);
        copied.sort_by_key(|(entity, _)| *entity);
        assert_eq!(copied, liked);
    }
}

/// A handle that is never valid, as a prefab has it for entities that are not in it.
fn never() -> Entity {
    let mut world = World::<Field>::new();
    let [inside, outside] = [(), ()].map(|()| world.spawn(()));
    let aim = Aim { at: Some(outside), others: Vec::new(), strength: 0 };
    world.insert(inside, aim).expect("it is alive");
    let prefab = world.prefab([inside]).expect("it is alive");
    let never = prefab.entities()[0].get::<Aim>().and_then(|aim| aim.at).expect("it has one");
    assert!(!world.is_alive(never));
    never
}

proptest! {
    /// Any entities of a world, spawned in it and in another one, some times.
    #[test]
    fn copies_are_as_the_originals(
        specs in specs(),
        chosen in proptest::collection::vec(any::<bool>(), 12),
        before in 0..70_usize,
        count in 1..4_usize,
    ) {
        let mut world = World::<Field>::new();
        world.spawn_batch((0..before).map(|n| (Health(n as u32),)));
        let all = spawn(&mut world, &specs);
        let chosen: Vec<Entity> =
            all.iter().rev().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(one, _)| *one).collect();
        let prefab = world.prefab(chosen.iter().copied()).expect("they are alive");
        prop_assert_eq!(prefab.len(), chosen.len());

        let mut other = World::<Field>::new();
        let entities = other.spawn_prefabs(&prefab, count);
        prop_assert_eq!(entities.len(), chosen.len() * count);
        prop_assert_eq!(other.entity_count(), entities.len());
        for copies in entities.chunks(chosen.len().max(1)) {
            assert_copies(&world, &chosen, &other, copies);
        }
        let original = world.clone();
        let entities = world.spawn_prefabs(&prefab, count);
        for copies in entities.chunks(chosen.len().max(1)) {
            assert_copies(&original, &chosen, &world, copies);
        }
        world.tick().expect("nothing is staged");
    }

    /// The same bits as from code that spawns the entities one by one.
    #[test]
    fn as_by_hand(values in proptest::collection::vec((any::<u32>(), 0..8_usize), 1..8), count in 1..80_usize) {
        let (mut prefab, len) = (Prefab::<Field>::new(), values.len());
        for (number, &(health, target)) in values.iter().enumerate() {
            let aim = Aim { at: Some(Prefab::<Field>::handle(target % len)), others: Vec::new(), strength: 1 };
            prefab.push(Template::new((Health(health), aim)));
            if number > 0 {
                prefab.link::<PartOf>(number, target % number).expect("the parent is older");
            }
        }
        let (mut by_prefab, mut by_hand) = (World::<Field>::new(), World::<Field>::new());
        let spawned = by_prefab.spawn_prefabs(&prefab, count);
        let same = by_hand.step(|step| {
            let all: Vec<Entity> = (0..len * count).map(|_| step.spawn(())).collect();
            for entities in all.chunks(len) {
                for (number, &(health, target)) in values.iter().enumerate() {
                    let aim = Aim { at: Some(entities[target % len]), others: Vec::new(), strength: 1 };
                    step.insert(entities[number], Health(health)).expect("it is alive");
                    step.insert(entities[number], aim).expect("it is alive");
                    if number > 0 {
                        step.link::<PartOf>(entities[number], entities[target % number]);
                    }
                }
            }
            all
        });
        prop_assert_eq!(Ok(spawned), same);
        for _ in 0..2 {
            by_prefab.tick().expect("nothing is staged");
            by_hand.tick().expect("nothing is staged");
            prop_assert_eq!(by_prefab.state_hash(), by_hand.state_hash());
        }
    }
}

#[test]
fn a_tree_has_all_that_is_below() {
    let mut world = World::<Field>::new();
    let [root, other, one, two, below] = [1, 2, 3, 4, 5].map(|n| world.spawn((Health(n),)));
    for (child, parent) in [(one, root), (two, root), (below, one), (root, other)] {
        world.link::<PartOf>(child, parent).expect("they are alive");
    }
    let tree = world.prefab_tree::<PartOf>(root).expect("it is alive");
    let health: Vec<u32> =
        tree.entities().iter().filter_map(|one| one.get()).map(|Health(n)| *n).collect();
    assert_eq!(health, [1, 3, 4, 5]);
    let copies = world.spawn_prefab(&tree);
    assert_copies(&world.clone(), &[root, one, two, below], &world, &copies);
    // The root of the copy has no parent, and takes all that is below it along.
    assert_eq!(world.parent::<PartOf>(copies[0]), None);
    let before = world.entity_count();
    world.despawn(copies[0]);
    assert_eq!(world.entity_count(), before - 4);
}

#[test]
fn links_by_hand_are_checked() {
    let mut prefab = Prefab::<Field>::new();
    let [a, b, c] = [(), (), ()].map(|()| prefab.push(Template::default()));
    assert_eq!(prefab.link::<PartOf>(b, a), Ok(()));
    assert_eq!(prefab.link::<PartOf>(c, b), Ok(()));
    assert_eq!(prefab.link::<PartOf>(c, b), Ok(()), "it is there already");
    let relation = "PartOf";
    let second = PrefabError::SecondParent { relation, child: c, has: b };
    assert_eq!(prefab.link::<PartOf>(c, a), Err(second));
    let cycle = PrefabError::Cycle { relation, child: a, parent: c };
    assert_eq!(prefab.link::<PartOf>(a, c), Err(cycle));
    let own = PrefabError::Cycle { relation, child: a, parent: a };
    assert_eq!(prefab.link::<PartOf>(a, a), Err(own));
    let none = PrefabError::NoEntity { number: 3, len: 3 };
    assert_eq!(prefab.link::<PartOf>(3, a), Err(none));
    assert_eq!(prefab.insert_link(a, 3, Likes(1)), Err(none));
    assert_eq!(prefab.insert_link(a, a, Likes(1)), Ok(()));
    assert_eq!(prefab.insert_link(a, a, Likes(2)), Ok(()));

    let copy = prefab.clone();
    assert!(format!("{copy:?}").contains("PartOf: 2, Likes: 1"), "{copy:?}");
    let mut world = World::<Field>::new();
    let entities = world.spawn_prefab(&copy);
    assert_eq!(world.parent::<PartOf>(entities[c]), Some(entities[b]));
    assert_eq!(world.get_link::<Likes>(entities[a], entities[a]), Some(&Likes(2)));
}
