//! What becomes of children, and what is refused.

use ecs_core::{Entity, Refused, StepError, World, world};

struct Part;
struct Friend;
struct Holds;

world! {
    world House {}
    component Mark;
    relation Part: one_to_many, on_despawn: despawn;
    relation Friend: one_to_many, on_despawn: detach;
    relation Holds: one_to_many, on_despawn: forbid;
    system Raze { sequential, read: [Mark], despawn, run: |data| data.roll(|one| { let entity = one.entity(); one.now().despawn(entity); }) }
}

#[derive(Clone, Debug)]
struct Mark;

fn four() -> (World<House>, [Entity; 4]) {
    let mut world = World::new();
    let all = [(); 4].map(|()| world.spawn(()));
    (world, all)
}

#[test]
fn descendants_along_several_relations_go_together() {
    let (mut world, [a, b, c, d]) = four();
    world.link::<Part>(b, a).unwrap();
    world.link::<Friend>(c, b).unwrap();
    world.link::<Part>(d, c).unwrap();
    assert!(world.despawn(a));
    assert!(!world.is_alive(b) && world.is_alive(c) && world.is_alive(d));
    assert_eq!((world.parent::<Friend>(c), world.parent::<Part>(d)), (None, Some(c)));
    // The row of `b` has another entity, which has none of its links.
    let [e, f] = [(); 2].map(|()| world.spawn(()));
    assert!(e.index() < 2 && f.index() < 2);
    assert_eq!((world.children::<Friend>(e).len(), world.children::<Friend>(f).len()), (0, 0));
}

#[test]
fn what_must_not_lose_its_children_keeps_its_ancestors() {
    let (mut world, [a, b, c, d]) = four();
    world.link::<Part>(b, a).unwrap();
    world.link::<Holds>(c, b).unwrap();
    let error = world.step(|step| [a, d].map(|one| step.despawn(one))).unwrap_err();
    let refused = Refused::Despawn { entity: a, child: c };
    assert_eq!(error, StepError::Refused { relation: "Holds", refused, count: 1 });
    assert!(world.is_alive(a) && world.is_alive(b) && !world.is_alive(d));
    assert!(!world.despawn(b), "for the same reason");
    assert!(world.step(|step| [a, c].map(|one| step.despawn(one))).is_ok());
    assert_eq!(world.entity_count(), 0);
}

#[test]
fn what_a_sequential_system_has_despawned_is_gone() {
    let (mut world, [a, b, c, d]) = four();
    world.link::<Part>(b, a).unwrap();
    world.link::<Holds>(c, a).unwrap();
    world.link::<Friend>(d, a).unwrap();
    world.insert(a, Mark).unwrap();
    world.tick().unwrap();
    assert!(!world.is_alive(a) && !world.is_alive(b));
    assert_eq!((world.parent::<Holds>(c), world.parent::<Friend>(d)), (None, None));
}

#[test]
fn a_child_that_is_relinked_survives_its_parent_of_the_same_step() {
    let (mut world, [a, b, c, _]) = four();
    world.link::<Part>(b, a).unwrap();
    world
        .step(|step| {
            step.despawn(a);
            step.relink::<Part>(b, c);
        })
        .unwrap();
    assert_eq!((world.is_alive(a), world.parent::<Part>(b)), (false, Some(c)));
}

#[test]
fn two_links_may_change_places_and_a_cycle_loses_its_last_link() {
    let (mut world, [a, b, c, d]) = four();
    world.link::<Part>(b, a).unwrap();
    // One by one, the first would make a cycle.
    world
        .step(|step| {
            step.link::<Part>(a, b);
            step.unlink::<Part>(b);
        })
        .unwrap();
    assert_eq!((world.parent::<Part>(a), world.parent::<Part>(b)), (Some(b), None));
    let error = world.step(|step| {
        for [child, parent] in [[b, c], [c, d], [d, a], [d, d]] {
            step.link::<Part>(child, parent);
        }
        step.link::<Part>(a, c);
    });
    let refused = [
        Refused::Cycle { child: d, parent: a },
        Refused::Cycle { child: d, parent: d },
        Refused::SecondParent { child: a, parent: c, has: b },
    ];
    assert_eq!(world.refused::<Part>(), refused);
    let first = refused[0];
    let expected = StepError::Refused { relation: "Part", refused: first, count: 3 };
    assert_eq!(error, Err(expected));
    assert_eq!(
        expected.to_string(),
        format!(
            "`Part`: {d:?} is not linked to {a:?}, as it would be its own ancestor (and 2 more)"
        )
    );
    assert_eq!(
        [a, b, c, d].map(|one| world.parent::<Part>(one)),
        [Some(b), Some(c), Some(d), None]
    );
}

#[test]
fn the_dead_are_not_linked() {
    let (mut world, [a, b, c, _]) = four();
    world.despawn(a);
    let link = |world: &mut World<House>, child, parent| match world
        .link::<Friend>(child, parent)
        .unwrap_err()
    {
        StepError::Refused { refused, .. } => refused,
        other => panic!("{other}"),
    };
    assert_eq!(link(&mut world, a, b), Refused::DeadChild { child: a, parent: b });
    assert_eq!(link(&mut world, b, a), Refused::DeadParent { child: b, parent: a });
    world.unlink::<Friend>(a);
    // The parent dies in the step in which it is linked: the link was made first.
    world
        .step(|step| {
            step.link::<Part>(b, c);
            step.despawn(c);
        })
        .unwrap();
    assert!(!world.is_alive(b));
    assert!(world.refused::<Part>().is_empty());
}
