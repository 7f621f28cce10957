//! `Now`s of two worlds at once: they are owned, so they can be swapped in the middle of an iteration.

use std::collections::BTreeSet;
use std::mem::swap;

use ecs_core::Now;
use ecs_core::{Entity, World};

use super::nest::{
    Act, COUNT, Key, Nest, Plain, Slot, Tag, Text, entities, on_all_threads, tags, texts,
};

/// Runs `f` in the body of the inner world's `Act`, inside the body of the outer world's, with the `Now`s of both.
macro_rules! both_now {
    ($outer:ident, $inner:ident, |$yours:ident, $mine:ident| $body:expr) => {{
        let inner = Slot::new($inner);
        $outer
            .step(|step| {
                step.execute_systems()
                    .for_subtasks::<Act>(|_, data| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new(data.now());
                        world
                            .step(|step| {
                                step.execute_systems()
                                    .for_subtasks::<Act>(|_, data| {
                                        let mut $mine = data.now();
                                        let mut $yours = slot.take().unwrap();
                                        $body;
                                    })
                                    .run();
                            })
                            .unwrap();
                        inner.put(world);
                    })
                    .run();
            })
            .unwrap();
        inner.take().unwrap()
    }};
}

/// The entities of the world that have a text, and their texts.
fn pairs(world: &World<Nest>) -> Vec<(Entity, String)> {
    let mut all = Vec::new();
    world.for_each::<(Entity, &Text)>(|(entity, text)| all.push((entity, text.0.clone())));
    all
}

#[test]
fn nows_change_places() {
    on_all_threads(|mut outer, inner| {
        let (of_outer, of_inner) = (entities(&outer), entities(&inner));
        let inner = both_now!(outer, inner, |yours, mine| {
            swap(&mut yours, &mut mine);
            // `mine` is now the `Now` of the outer world.
            mine.despawn(of_outer[0]);
            yours.despawn(of_inner[1]);
            mine.remove::<Text>(of_outer[2]);
            yours.insert(of_inner[3], Tag("inner new".into()));
            mine.spawn((Text("outer new".into()), Tag("outer new".into()))).unwrap();
            mine.output().push("outer".into());
            yours.output().push("inner".into());
            let mut seen = 0;
            mine.roll(|mut m| {
                assert!(m.get::<&Text>().0.starts_with("outer"));
                seen += 1;
            });
            yours.roll(|mut m| {
                assert!(m.get::<&Text>().0.starts_with("inner"));
                seen += 1;
            });
            assert_eq!(seen, 2 * COUNT - 3);
        });
        for (world, stamp, count) in [(&outer, "outer", COUNT - 1), (&inner, "inner", COUNT - 1)] {
            assert!(texts(world).iter().chain(&tags(world)).all(|text| text.starts_with(stamp)));
            assert_eq!(texts(world).len(), count, "{stamp}");
        }
        assert_eq!(pairs(&inner).len(), COUNT - 1);
        assert!(!outer.is_alive(of_outer[0]) && outer.is_alive(of_outer[1]));
        assert!(!inner.is_alive(of_inner[1]) && inner.is_alive(of_inner[0]));
        assert_eq!(inner.get::<Tag>(of_inner[3]).unwrap().0, "inner new");
    });
}

/// Iterates over the inner world in each call of an iteration over the outer one. At the first match of the inner
/// iteration the two `Now`s are swapped, and each despawns, in its new world, the entity that would come next.
fn roll_in_roll(swapped: for<'a> fn(&mut Now<'a, Nest, Act>, &mut Now<'a, Nest, Act>)) {
    on_all_threads(|mut outer, inner| {
        let (of_outer, of_inner) = (entities(&outer), entities(&inner));
        let inner = both_now!(outer, inner, |yours, mine| {
            let mut turns = 0;
            yours.roll(|theirs| {
                assert_eq!(theirs.entity(), of_outer[2 * turns]);
                let victim = 2 * turns + 1;
                let mut theirs = Some(theirs.now());
                let mut seen = 0;
                mine.roll(|mut m| {
                    assert!(m.get::<&Text>().0.starts_with("inner"));
                    seen += 1;
                    let Some(mut theirs) = theirs.take() else { return };
                    let mut now = m.now();
                    swapped(&mut now, &mut theirs);
                    // `now` is that of the outer world, and `theirs` that of the inner iteration.
                    theirs.despawn(of_inner[victim]);
                    theirs.output().push("inner".into());
                    now.despawn(of_outer[victim]);
                    now.output().push("outer".into());
                    now.roll(|mut m| assert!(m.get::<&Text>().0.starts_with("outer")));
                });
                turns += 1;
                assert_eq!(seen, COUNT - turns, "a despawned entity was visited");
            });
            assert_eq!(turns, COUNT / 2);
            assert_eq!((yours.output().len(), mine.output().len()), (turns, turns));
            assert!(yours.output().iter().all(|line| line == "outer"));
        });
        // The last entities have moved to the rows of the despawned ones.
        let evens = |stamp: &str| {
            (0..COUNT).step_by(2).map(|n| format!("{stamp} {n}")).collect::<BTreeSet<_>>()
        };
        assert_eq!(BTreeSet::from_iter(texts(&outer)), evens("outer"));
        assert_eq!(BTreeSet::from_iter(texts(&inner)), evens("inner"));
    });
}

#[test]
fn nows_change_places_in_the_middle_of_rolls() {
    roll_in_roll(|a, b| swap(a, b));
}

#[test]
fn effects_change_places_in_the_middle_of_rolls() {
    // The target of `Now`'s dereference: outputs, inputs, and the reference to the world.
    roll_in_roll(|a, b| swap(&mut **a, &mut **b));
}

#[test]
fn nows_of_pairs_change_places() {
    on_all_threads(|mut outer, mut inner| {
        // 20 entities in each world are enough.
        for world in [&mut outer, &mut inner] {
            let spare = entities(world).split_off(20);
            world.step(|step| spare.into_iter().for_each(|entity| step.despawn(entity))).unwrap();
        }
        let of_inner = entities(&inner);
        let inner = both_now!(outer, inner, |yours, mine| {
            let mut turns = 0;
            yours.roll_pairs::<Plain>(|mut theirs| {
                let _: &Key = theirs.get_member::<&Key>();
                let member = theirs.member();
                let mut theirs = Some(theirs.now());
                mine.roll_pairs::<Plain>(|mut pair| {
                    assert!(pair.get::<&Text>().0.starts_with("inner"));
                    turns += 1;
                    let own = pair.entity();
                    let Some(mut theirs) = theirs.take() else { return };
                    let mut now = pair.now();
                    swap(&mut now, &mut theirs);
                    assert!(now.query::<&Text>().all(|text| text.0.starts_with("outer")));
                    // This leaves one pair of the outer world.
                    now.despawn(member);
                    if own != of_inner[19] {
                        theirs.despawn(own);
                    }
                });
            });
            // Each inner iteration despawns its first entity at that entity's first member; all others pair.
            assert_eq!(turns, (1..=20).map(|alive| 1 + (alive - 1) * (alive - 1)).sum::<usize>());
        });
        assert!(texts(&outer).iter().all(|text| text.starts_with("outer")));
        assert!(texts(&inner).iter().all(|text| text.starts_with("inner")));
        assert_eq!((outer.entity_count(), texts(&inner)), (0, vec!["inner 19".to_owned()]));
    });
}
