//! Queries, iterators and proxies for any entity: owned access to the entities of a subtask.

use std::mem::swap;

use ecs_core::Query;
use ecs_core::{Entity, World};

use super::nest::{
    COUNT, Edit, Nest, Slot, Tag, Text, Whole, assert_tags, entities, on_all_threads, stamped,
    tags, texts,
};

/// Appends to a text by which world it was seen.
fn mark(text: &mut Text, by: &str) {
    text.0.push_str(by);
}

#[test]
fn queries_change_places() {
    on_all_threads(|mut outer, inner| {
        let (inner, done) = (Slot::new(inner), Slot::empty());
        outer
            .step(|step| {
                step.execute_systems()
                    .for_subtasks::<Edit>(|_, data| {
                        // One subtask takes the inner world; the others mark their own entities.
                        let Some(mut world) = inner.take() else {
                            return data.query::<&mut Text>().for_each(|text| mark(text, "+o"));
                        };
                        let slot = Slot::new(data.query::<&mut Text>());
                        swapped_in(&mut world, &slot);
                        done.put(world);
                    })
                    .run();
            })
            .unwrap();
        let inner = done.take().unwrap();
        assert_eq!(
            (texts(&outer), texts(&inner)),
            (stamped("outer", "+o"), stamped("inner", "+i"))
        );
        assert_tags(&outer, "outer");
        assert_tags(&inner, "inner");
    });
}

/// Steps the world; one of its subtasks takes the query from the slot and swaps it with its own.
fn swapped_in(world: &mut World<Nest>, slot: &Slot<Query<'_, Nest, Edit, &'static mut Text>>) {
    world
        .step(|step| {
            step.execute_systems()
                .for_subtasks::<Edit>(|_, data| {
                    let mut mine = data.query::<&mut Text>();
                    let Some(mut theirs) = slot.take() else {
                        return mine.for_each(|text| mark(text, "+i"));
                    };
                    swap(&mut mine, &mut theirs);
                    // `mine` is now the query of the outer world.
                    mine.for_each(|text| mark(text, "+o"));
                    theirs.into_iter().for_each(|text| mark(text, "+i"));
                })
                .run();
        })
        .unwrap();
}

#[test]
fn iterators_are_gone_over_side_by_side() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_systems()
                    .for_subtasks::<Whole>(|_, data| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new(data.query::<(Entity, &mut Tag)>().into_iter());
                        world
                            .step(|step| {
                                step.execute_systems()
                                    .for_subtasks::<Whole>(|_, data| {
                                        let mine = data.query::<(Entity, &mut Tag)>();
                                        let theirs = slot.take().unwrap();
                                        let pairs = theirs.zip(mine).step_by(2);
                                        pairs.for_each(|((_, theirs), (_, mine))| {
                                            swap(theirs, mine);
                                        });
                                    })
                                    .run();
                            })
                            .unwrap();
                        inner.put(world);
                    })
                    .run();
            })
            .unwrap();
        let inner = inner.take().unwrap();
        let of = |n: usize, even: &str, odd: &str| {
            format!("{} tag {n}", if n.is_multiple_of(2) { even } else { odd })
        };
        let expected = |even, odd| (0..COUNT).map(|n| of(n, even, odd)).collect::<Vec<_>>();
        assert_eq!(tags(&outer), expected("inner", "outer"));
        assert_eq!(tags(&inner), expected("outer", "inner"));
        assert_eq!(texts(&outer), stamped("outer", ""));
    });
}

#[test]
fn reaches_meet() {
    on_all_threads(|mut outer, inner| {
        let (ours, theirs) = (entities(&outer), entities(&inner));
        // Generations differ, so a handle of one world is invalid in the other one, or names the same row.
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_systems()
                    .for_subtasks::<Whole>(|_, data| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new(data.any_mut::<&mut Tag>());
                        world
                            .step(|step| {
                                step.execute_systems()
                                    .for_subtasks::<Whole>(|_, data| {
                                        let mut mine = data.any_mut::<&mut Tag>();
                                        let mut yours = slot.take().unwrap();
                                        for (&a, &b) in ours.iter().zip(theirs.iter().rev()) {
                                            let a = yours.get_mut(a).unwrap();
                                            swap(a, mine.get_mut(b).unwrap());
                                        }
                                        let two = yours.pair_mut(ours[0], ours[1]).unwrap();
                                        swap(two.0, two.1);
                                        assert!(mine.pair_mut(theirs[3], theirs[3]).is_none());
                                        let all = theirs.iter().copied();
                                        mine.for_each_of(all, |_, tag| tag.0.push_str("+i"));
                                    })
                                    .run();
                            })
                            .unwrap();
                        inner.put(world);
                    })
                    .run();
            })
            .unwrap();
        let inner = inner.take().unwrap();
        let mut expected: Vec<_> = (0..COUNT).rev().map(|n| format!("inner tag {n}")).collect();
        expected.swap(0, 1);
        assert_eq!(tags(&outer), expected);
        assert_eq!(
            tags(&inner),
            (0..COUNT).rev().map(|n| format!("outer tag {n}+i")).collect::<Vec<_>>()
        );
    });
}

#[test]
fn the_outer_proxy_is_used_anew_between_uses_of_the_inner_one() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_systems()
                    .for_subtasks::<Whole>(|_, data| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new(&mut *data);
                        world
                            .step(|step| {
                                step.execute_systems()
                                    .for_subtasks::<Whole>(|_, mine| {
                                        let yours = slot.take().unwrap();
                                        for round in 0..3 {
                                            yours.for_entities(|e| mark(e.text, "+o"));
                                            let (own, _) = mine.split();
                                            let (theirs, _) = yours.split();
                                            let theirs = theirs.query::<&mut Text>().into_iter();
                                            let texts =
                                                own.query::<&mut Text>().into_iter().zip(theirs);
                                            texts.skip(round).for_each(|(mine, yours)| {
                                                mark(mine, "+i");
                                                swap(mine, yours);
                                                swap(mine, yours);
                                            });
                                        }
                                    })
                                    .run();
                            })
                            .unwrap();
                        data.for_entities(|e| mark(e.text, "."));
                        inner.put(world);
                    })
                    .run();
            })
            .unwrap();
        let inner = inner.take().unwrap();
        assert_eq!(texts(&outer), stamped("outer", "+o+o+o."));
        let marks = |n: usize| "+i".repeat((n + 1).min(3));
        let expected: Vec<_> = (0..COUNT).map(|n| format!("inner {n}{}", marks(n))).collect();
        assert_eq!(texts(&inner), expected);
    });
}
