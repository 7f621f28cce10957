//! Iterators whose hints lie, that yield items after their end, and that panic.

use attacks::support::{caught, fail, four};
use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Data, Entity, StepError, System, Threads, World, world};

use super::counted::{Counted, Living};

struct Number(u64);

world! {
    world Many {}
    component Number: contiguous_buffer;
    component Counted: contiguous_buffer;
    system Act {
        sequential,
        write: [Number],
        spawn: [(Number, Counted)],
        insert: [Counted],
        remove: [Counted],
    }
    system Stage { read: [Number], spawn: [(Number, Counted)], dependencies: [Act] }
    system Ask { read: [Number], read_any: [Counted], dependencies: [Stage] }
    system Reach { exclusive, write: [Number], dependencies: [Ask] }
}

/// Declares systems with empty bodies, which each step overrides.
macro_rules! idle {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;
        impl System<Many> for $name {
            fn process(&self, _: &mut Data<'_, Many, Self>) {}
        }
    )*};
}

idle!(Act Stage Ask Reach);

/// An iterator that cycles through a list of hints.
struct Liar<I> {
    inner: I,
    hints: Vec<(usize, Option<usize>)>,
    asked: std::cell::Cell<usize>,
    /// The call of `next` and the call of `size_hint` that panic.
    panics: [Option<usize>; 2],
    calls: usize,
}

impl<I: Iterator> Iterator for Liar<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.panics[0] == Some(self.calls) {
            fail("next");
        }
        self.calls += 1;
        self.inner.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let asked = self.asked.get();
        if self.panics[1] == Some(asked) {
            fail("size_hint");
        }
        self.asked.set(asked + 1);
        self.hints[asked % self.hints.len()]
    }
}

/// Lists of hints for 200 items.
fn hints() -> Vec<Vec<(usize, Option<usize>)>> {
    const ALL: usize = usize::MAX;
    vec![
        vec![(0, None)],
        vec![(0, Some(1))],
        vec![(1, Some(0))],
        vec![(199, Some(199))],
        vec![(201, Some(500))],
        vec![(5000, Some(3))],
        vec![(ALL, Some(0))],
        vec![(0, Some(ALL)), (64, Some(65)), (1, None)],
        vec![(0, None), (ALL, Some(ALL))],
        vec![(ALL, None)],
        vec![(ALL, Some(ALL)), (0, Some(0))],
        vec![(1 << 31, Some(1 << 31))],
        vec![(0, None), (0, None), (0, Some(0))],
    ]
}

fn liar<I: Iterator>(
    inner: I,
    hints: &[(usize, Option<usize>)],
    panics: [Option<usize>; 2],
) -> Liar<I> {
    Liar { inner, hints: hints.to_vec(), asked: std::cell::Cell::new(0), panics, calls: 0 }
}

/// Yields items, then `None`, then an item again.
fn broken(living: &Living) -> impl Iterator<Item = (Number, Counted)> {
    let mut calls = 0;
    std::iter::from_fn(move || {
        calls += 1;
        let n = calls - 1;
        (n != 100 && n < 201).then(|| (Number(n), living.value(n)))
    })
}

/// The numbers of all entities; asserts that the value of each is equal to its number.
fn check<S: ecs_core::settings::Settings>(world: &World<Many, S>, living: &Living) -> Vec<u64> {
    let mut all = Vec::new();
    world.iter::<(&Number, &Counted)>().for_each(|(number, value)| {
        assert_eq!(number.0, value.0);
        all.push(number.0);
    });
    assert_eq!((world.entity_count(), living.count()), (all.len(), all.len()));
    all
}

#[test]
fn hints_of_batches_in_steps() {
    for hints in hints() {
        for panics in
            [[None, None], [Some(0), None], [Some(130), None], [None, Some(0)], [None, Some(1)]]
        {
            let living = Living::default();
            let mut world = World::<Many>::on(Threads::Inline);
            let mut fixed =
                World::<Many, Config<Fixed<250>, Allow, AtomicCounter>>::on(Threads::Inline);
            let entity = |n: u64| (Number(n), living.value(n));
            world
                .step(|step| {
                    step.spawn_batch((0..10).map(entity));
                })
                .unwrap();
            let mut spawned = 0;
            let panic = caught(|| {
                let many = liar((10..210).map(entity), &hints, panics);
                spawned = world.step(|step| step.spawn_batch(many).count()).unwrap_or(0);
            });
            // A batch is spawned completely or not at all.
            let expected = if panic.is_none() { 10 + spawned as u64 } else { 10 };
            assert_eq!(check(&world, &living), (0..expected).collect::<Vec<_>>(), "{hints:?}");
            assert!(panic.is_none_or(|panic| panic == "next" || panic == "size_hint"));
            // The world still works.
            world.spawn_batch((expected..expected + 70).map(entity));
            assert_eq!(check(&world, &living).len() as u64, expected + 70);
            drop(world);
            // With a fixed limit.
            let mut count = 0;
            for _ in 0..2 {
                let panic = caught(|| {
                    let many = liar((count..count + 200).map(entity), &hints, panics);
                    let spawned = fixed.step(|step| step.spawn_batch(many).count());
                    count += spawned.unwrap_or(0) as u64;
                });
                assert_eq!(
                    check(&fixed, &living),
                    (0..count).collect::<Vec<_>>(),
                    "{hints:?}, {panic:?}"
                );
            }
        }
    }
}

#[test]
fn losses_add_up() {
    const ALL: usize = usize::MAX;
    let living = Living::default();
    let entities = |count, hints: &[_]| {
        let items: Vec<_> = (0..count).map(|n| (Number(n), living.value(n))).collect();
        liar(items.into_iter(), hints, [None, None])
    };
    // The hint of the last iterator is too small.
    let cases = [
        (vec![(ALL, None)], 0),
        (vec![(ALL, None)], 0),
        (vec![(0, None), (ALL, None)], 0),
        (vec![(1, None), (0, Some(64)), (1, None)], 100),
    ];
    for threads in [Threads::Inline, four()] {
        let mut world = World::<Many>::on(threads);
        let StepError::LimitReached { lost, .. } = world
            .step(|step| {
                for (hints, spawned) in &cases {
                    assert_eq!(step.spawn_batch(entities(100, hints)).len(), *spawned, "{hints:?}");
                }
            })
            .unwrap_err()
        else {
            panic!("another error")
        };
        assert_eq!((lost, check(&world, &living).len()), (ALL, 100));
        let StepError::LimitReached { lost, .. } = world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Act>(|_, data| {
                        for (hints, spawned) in &cases {
                            let all = entities(100, hints);
                            assert_eq!(data.now().spawn_batch(all).len(), *spawned, "{hints:?}");
                        }
                    })
                });
            })
            .unwrap_err()
        else {
            panic!("another error")
        };
        assert_eq!((lost, check(&world, &living).len()), (ALL, 200));
        drop(world);
        assert_eq!(living.count(), 0);
    }
}

#[test]
fn an_iterator_that_goes_on_after_its_end() {
    let living = Living::default();
    let mut world = World::<Many>::on(Threads::Inline);
    let spawned = world.step(|step| step.spawn_batch(broken(&living)).count()).unwrap();
    assert_eq!(check(&world, &living), (0..spawned as u64).collect::<Vec<_>>());
    assert_eq!(spawned, 100);
}

#[test]
fn hints_in_systems() {
    for threads in [Threads::Inline, four()] {
        for hints in hints() {
            for panics in [[None, None], [Some(130), None], [None, Some(0)]] {
                let living = Living::default();
                let mut world = World::<Many>::on(threads.clone());
                let entity = |n: u64| (Number(n), living.value(n));
                world
                    .step(|step| {
                        step.spawn_batch((0..10).map(entity));
                    })
                    .unwrap();
                let all = check(&world, &living);
                assert_eq!(all.len(), 10);
                let panic = caught(|| {
                    world.step(|step| {
                        step.execute_with(|systems| {
                            systems
                                .for_subtasks::<Act>(|_, data| {
                                    let mut now = data.now();
                                    let _ = now.spawn_batch(liar(
                                        (10..210).map(entity),
                                        &hints,
                                        panics,
                                    ));
                                })
                                .for_subtasks::<Stage>(|_, data| {
                                    let sane = hints.iter().map(|hint| (hint.0.min(5000), hint.1));
                                    let sane: Vec<_> = sane.collect();
                                    // A panic between two items; see below for one in an item.
                                    let panics = [panics[0], None];
                                    data.effects.spawn_batch(liar(
                                        (300..400).map(entity),
                                        &sane,
                                        panics,
                                    ));
                                })
                        });
                    })
                });
                let after = check(&world, &living);
                // After a panic no staged entity is spawned; otherwise all are, whatever the hints.
                let staged = after.iter().filter(|n| **n >= 300).count();
                assert_eq!(staged, if panic.is_some() { 0 } else { 100 }, "{hints:?}: {panic:?}");
                assert!(after.iter().filter(|n| **n < 300).count() >= 10);
                drop(world);
                assert_eq!(living.count(), 0);
            }
        }
    }
}

#[test]
fn a_bundle_for_which_there_is_no_room() {
    for (hint, panics) in [((usize::MAX, None), [None, None]), ((0, None), [None, Some(1)])] {
        let living = Living::default();
        let mut world = World::<Many>::on(Threads::Inline);
        let panic = caught(|| {
            world.step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Stage>(|_, data| {
                        let entity = |n: u64| (Number(n), living.value(n));
                        data.effects.spawn_batch(liar((0..100).map(entity), &[hint], panics));
                    })
                });
            })
        });
        drop(world);
        assert_eq!(living.count(), 0, "{panic:?}");
    }
}

#[test]
fn names_from_iterators_that_lie() {
    for hints in hints() {
        for panics in [[None, None], [Some(70), None], [None, Some(0)]] {
            let living = Living::default();
            let mut world = World::<Many>::on(Threads::Inline);
            let entity = |n: u64| (Number(n), living.value(n));
            let all: Vec<Entity> =
                world.step(|step| step.spawn_batch((0..150).map(entity)).collect()).unwrap();
            let panic = caught(|| {
                let names = || liar(all.iter().copied(), &hints, panics);
                let mut seen = 0;
                world.for_each_of::<Counted>(names(), |_, _| seen += 1);
                assert_eq!(seen, 150);
                world
                    .step(|step| {
                        let values = liar(
                            all.iter().zip(0..).map(|(&e, n)| (e, living.value(n))),
                            &hints,
                            panics,
                        );
                        assert_eq!(step.insert_batch::<Counted>(values), 150);
                        step.execute_with(|systems| {
                            systems
                                .for_subtasks::<Ask>(|_, data| {
                                    let mut seen = 0;
                                    data.effects
                                        .read_any::<Counted>()
                                        .for_each_of(names(), |_, value| seen += value.0);
                                    assert_eq!(seen, 149 * 150 / 2);
                                })
                                .for_subtasks::<Reach>(|_, data| {
                                    let mut reach = data.own.any_mut::<&mut Number>();
                                    reach.for_each_of(names(), |_, number| number.0 += 0);
                                })
                        });
                    })
                    .unwrap();
            });
            assert_eq!(panic.is_some(), panics[0].is_some(), "{hints:?}: {panic:?}");
            assert_eq!(check(&world, &living).len(), 150);
            let removed = caught(|| {
                let names = liar(all.iter().copied(), &hints, panics);
                assert_eq!(world.step(|step| step.remove_batch::<Counted>(names)).unwrap(), 150);
            });
            let left = if removed.is_some() { 80 } else { 0 };
            assert_eq!((living.count(), world.entity_count()), (left, 150), "{hints:?}");
        }
    }
}
