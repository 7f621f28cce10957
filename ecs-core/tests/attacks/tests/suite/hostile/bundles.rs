//! Bundles that put nothing, put twice, panic or step another world, and positions that lie.

use std::cell::RefCell;

use attacks::support::{caught, fail, four};
use ecs_core::{Bundle, BundleSink, Data, System, Threads, World, world};

use super::counted::{Counted, Living};

struct Number(u64);
struct Tag;

world! {
    world Nursery {}
    component Number: contiguous_buffer;
    component Counted: contiguous_buffer;
    component Tag: empty;
    system Bear { read: [Number], spawn: [Odd, (Number, Counted)], parallelism: split_evenly(3) }
    system Now { sequential, read: [Number], spawn: [Odd], dependencies: [Bear] }
}

#[derive(Default)]
struct Bear;
#[derive(Default)]
struct Now;

impl System<Nursery> for Bear {
    fn process(&self, _: &mut Data<'_, Nursery, Self>) {}
}

impl System<Nursery> for Now {
    fn process(&self, _: &mut Data<'_, Nursery, Self>) {}
}

/// The behaviour of an odd bundle.
#[derive(Clone, Copy)]
enum Way {
    Nothing,
    Twice,
    Panics,
    /// Differs from entity to entity.
    Differs(u64),
}

struct Odd(Way, Counted, Living);

impl Bundle<Nursery> for Odd {
    fn put(self, sink: &mut BundleSink<'_, Nursery>) {
        let Self(way, value, living) = self;
        match way {
            Way::Nothing => {}
            Way::Twice => {
                sink.put(Number(value.0));
                sink.put(living.value(99));
                sink.put(Tag);
                sink.put(Tag);
                sink.put(value);
            }
            Way::Panics => {
                sink.put(Number(value.0));
                sink.put(value);
                fail("put");
            }
            Way::Differs(n) => {
                if n % 2 == 0 {
                    sink.put(Number(value.0));
                }
                if n % 3 == 0 {
                    sink.put(value);
                }
            }
        }
    }
}

fn world(threads: Threads) -> World<Nursery> {
    let mut world = World::<Nursery>::on(threads);
    world
        .step(|step| {
            step.spawn_batch((0..130).map(|n| (Number(n),)));
        })
        .unwrap();
    world
}

/// The number of entities, and how many of them have a number and a value.
fn count(world: &World<Nursery>) -> (usize, usize, usize) {
    let (mut numbers, mut values) = (0, 0);
    world.iter::<&Number>().for_each(|_| numbers += 1);
    world.iter::<(&Counted, Option<&Number>)>().for_each(|(value, number)| {
        assert!(number.is_none_or(|number| number.0 == value.0));
        values += 1;
    });
    (world.entity_count(), numbers, values)
}

#[test]
fn bundles_of_steps() {
    for threads in [Threads::Inline, four()] {
        let living = Living::default();
        let odd = |way, n| Odd(way, living.value(n), living.clone());
        let mut world = world(threads);
        world
            .step(|step| {
                step.spawn(odd(Way::Nothing, 1));
            })
            .unwrap();
        assert_eq!(count(&world), (131, 130, 0));
        world
            .step(|step| {
                step.spawn_batch((0..70).map(|n| odd(Way::Twice, n)));
            })
            .unwrap();
        assert_eq!((count(&world), living.count()), ((201, 200, 70), 70));
        // One by one: the entities before the panic stay, with the components that were put.
        assert_eq!(
            caught(|| world.step(|step| {
                step.spawn(odd(Way::Panics, 7));
            }))
            .unwrap(),
            "put"
        );
        assert_eq!(count(&world), (202, 201, 71));
        // In a batch: none is spawned.
        let many = (0..200).map(|n| odd(if n == 150 { Way::Panics } else { Way::Twice }, n));
        assert_eq!(caught(|| world.step(|step| step.spawn_batch(many).len())).unwrap(), "put");
        assert_eq!((count(&world), living.count()), ((202, 201, 71), 71));
        let many = (0..60).map(|n| odd(Way::Differs(n), n));
        world
            .step(|step| {
                step.spawn_batch(many);
            })
            .unwrap();
        assert_eq!((count(&world), living.count()), ((262, 231, 91), 91));
        drop(world);
        assert_eq!(living.count(), 0);
    }
}

#[test]
fn bundles_of_systems() {
    for threads in [Threads::Inline, four()] {
        let living = Living::default();
        let odd = |way, n| Odd(way, living.value(n), living.clone());
        let mut world = world(threads);
        let mut run = |way: Way| {
            let before = count(&world);
            let panic = caught(|| {
                world.step(|step| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Bear>(|_, data| {
                            let (own, effects) = (&mut data.own, &mut data.effects);
                            own.for_entities(|e| {
                                if e.number.0 < 130 {
                                    effects.spawn(odd(way, 1000 + e.number.0));
                                    effects.spawn((Number(500), living.value(500)));
                                }
                            });
                        })
                    });
                })
            });
            let after = count(&world);
            (panic, after.0 - before.0, after.1 - before.1, after.2 - before.2)
        };
        assert_eq!(run(Way::Nothing), (None, 260, 130, 130));
        assert_eq!(run(Way::Twice), (None, 260, 260, 260));
        let (panic, spawned, ..) = run(Way::Panics);
        assert_eq!(panic.unwrap(), "put");
        assert!(spawned <= 260, "{spawned}");
        // The world still works.
        assert_eq!(run(Way::Twice), (None, 260, 260, 260));
        let values = count(&world).2;
        assert_eq!(living.count(), values);
        world
            .step(|step| {
                let panic = caught(|| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Now>(|_, data| {
                            let mut now = data.now();
                            now.spawn(odd(Way::Twice, 3));
                            let many = (0..100)
                                .map(|n| odd(if n == 70 { Way::Panics } else { Way::Twice }, n));
                            now.spawn_batch(many);
                        })
                    });
                });
                assert_eq!(panic.unwrap(), "put");
            })
            .unwrap();
        assert_eq!((count(&world).2, living.count()), (values + 1, values + 1));
        drop(world);
        assert_eq!(living.count(), 0);
    }
}

/// Steps a world of its own while it is put.
struct Nested<'a>(&'a RefCell<World<Nursery>>, Counted);

impl Bundle<Nursery> for Nested<'_> {
    fn put(self, sink: &mut BundleSink<'_, Nursery>) {
        sink.put(Number(self.1.0));
        let before = count(&self.0.borrow());
        let twin = self.1.clone();
        self.0
            .borrow_mut()
            .step(|step| {
                step.spawn((Number(twin.0), twin));
            })
            .unwrap();
        assert_eq!(count(&self.0.borrow()).2, before.2 + 1);
        sink.put(self.1);
    }
}

#[test]
fn bundles_that_step_another_world() {
    let living = Living::default();
    let inner = RefCell::new(world(four()));
    let mut outer = world(four());
    let many = (0..100).map(|n| Nested(&inner, living.value(n)));
    outer
        .step(|step| {
            step.spawn_batch(many);
        })
        .unwrap();
    assert_eq!((count(&outer), count(&inner.borrow())), ((230, 230, 100), (230, 230, 100)));
    drop(inner);
    assert_eq!(living.count(), 100);
    drop(outer);
    assert_eq!(living.count(), 0);
}

mod by_hand {
    //! A `SpawnedBy` implementation written by hand, with the position of another bundle.

    use ecs_core::access::SpawnedBy;
    use ecs_core::{Bundle, BundleSink};

    use super::{Counted, Data, Living, System, Threads, World, caught, world};

    struct Egg(u64);
    struct Odd(Counted);
    struct Other(Counted);

    world! {
        world Nest {}
        component Egg: contiguous_buffer;
        component Counted: contiguous_buffer;
        system Lay { spawn: [(Egg,), Odd, (Counted,)] }
    }

    #[derive(Default)]
    struct Lay;
    impl System<Nest> for Lay {
        fn process(&self, _: &mut Data<'_, Nest, Self>) {}
    }

    impl Bundle<Nest> for Odd {
        fn put(self, sink: &mut BundleSink<'_, Nest>) {
            sink.put(self.0);
        }
    }

    impl Bundle<Nest> for Other {
        fn put(self, sink: &mut BundleSink<'_, Nest>) {
            sink.put(self.0);
            sink.put(Egg(0));
        }
    }

    /// The bundles have the positions 0 to 2; this one takes that of `Odd`.
    impl SpawnedBy<Lay, Nest> for Other {
        type Stored = Self;
        const POSITION: Option<usize> = Some(1);
        fn stored(self) -> Self {
            self
        }
    }

    #[test]
    fn two_bundles_with_one_position() {
        let living = Living::default();
        for odds in [0, 1] {
            let mut world = World::<Nest>::on(Threads::Inline);
            let panic = caught(|| {
                world.step(|step| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Lay>(|_, data| {
                            data.effects.spawn((living.value(3),));
                            data.effects.spawn_batch((0..odds).map(|n| Odd(living.value(n))));
                            data.effects.spawn((Egg(1),));
                            data.effects.spawn(Other(living.value(2)));
                        })
                    });
                })
            });
            let mut found = Vec::new();
            world.iter::<(Option<&Egg>, Option<&Counted>)>().for_each(|(egg, value)| {
                found.push((egg.map(|e| e.0), value.map(|v| v.0)));
            });
            assert!(panic.is_some_and(|text| text.contains("have the same position")));
            assert_eq!(found, []);
            drop(world);
            assert_eq!(living.count(), 0);
        }
    }
}

mod copied {
    //! Bundles that pretend to be a tuple, by hidden items of the trait.

    use ecs_core::generated::{BundleFacts, SpawnWriter};
    use ecs_core::{Bundle, BundleSink, Threads, World, world};

    use super::{Counted, Living, caught};

    struct Shell(u64);

    world! {
        world Nest { rows: by_archetype }
        component Counted: contiguous_buffer;
        component Shell: contiguous_buffer;
        system Now { sequential, spawn: [(Counted,)], run: |_| () }
        system Lay { spawn: [(Counted,)], dependencies: [Now], run: |_| () }
    }

    type Pretended = (Counted,);

    /// What is done with many bundles at once.
    #[derive(Clone, Copy, Debug)]
    enum Batch {
        /// They are written by the tuple.
        Tuple,
        /// They are written by a tuple of another component, for which there is no memory.
        Other,
        /// They are taken, and their values are dropped.
        Empty,
        /// They are not taken.
        Untaken,
    }

    /// Puts another component one by one.
    struct Liar<const BATCH: usize>(Counted);

    const BATCHES: [Batch; 4] = [Batch::Tuple, Batch::Other, Batch::Empty, Batch::Untaken];

    impl<const BATCH: usize> Bundle<Nest> for Liar<BATCH> {
        const FACTS: BundleFacts = <Pretended as Bundle<Nest>>::FACTS;

        fn put(self, sink: &mut BundleSink<'_, Nest>) {
            sink.put(Shell(self.0.0));
        }

        fn write_batch<I: Iterator, F: FnMut(I::Item) -> Self>(
            writer: SpawnWriter<'_, '_, I, F, Nest>,
        ) {
            match BATCHES[BATCH] {
                Batch::Tuple => Pretended::write_batch(writer.map(|Self(value)| (value,))),
                Batch::Other => {
                    <(Shell,)>::write_batch(writer.map(|Self(value)| (Shell(value.0),)));
                }
                Batch::Empty => <()>::write_batch(writer.map(|_| ())),
                Batch::Untaken => {}
            }
        }
    }

    impl<const BATCH: usize> ecs_core::access::SpawnedBy<Lay, Nest> for Liar<BATCH> {
        type Stored = Self;
        const POSITION: Option<usize> = None;
        fn stored(self) -> Self {
            self
        }
    }

    impl<const BATCH: usize> ecs_core::access::SpawnedBy<Now, Nest> for Liar<BATCH> {
        type Stored = Self;
        const POSITION: Option<usize> = None;
        fn stored(self) -> Self {
            self
        }
    }

    /// The numbers of entities, of values and of shells. Each entity that is named lives, and no value without one.
    fn count(world: &World<Nest>, living: &Living) -> (usize, usize, usize) {
        let values = world.iter::<&Counted>().count();
        assert_eq!(living.count(), values, "each value is that of one entity");
        for entity in world.iter::<ecs_core::Entity>() {
            assert!(world.is_alive(entity));
        }
        (world.entity_count(), values, world.iter::<&Shell>().count())
    }

    fn spawn_liars<const BATCH: usize>(threads: Threads) {
        let batch = BATCHES[BATCH];
        let living = Living::default();
        let mut world = World::<Nest>::on(threads);
        let mut expected = (0, 0, 0);
        for size in [1, 64, 200, 5_000] {
            let liars = || (0..size).map(|n| Liar::<BATCH>(living.value(n)));
            let size = size as usize;
            // At once, by the world and by a sequential system.
            assert_eq!(world.spawn_batch(liars()).len(), written(batch, size).0);
            add(&mut expected, written(batch, size));
            assert_eq!(count(&world, &living), expected, "{batch:?}");
            world
                .step(|step| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Now>(|_, data| {
                            assert_eq!(
                                data.now().spawn_batch(liars()).len(),
                                written(batch, size).0
                            );
                        })
                    });
                })
                .unwrap();
            add(&mut expected, written(batch, size));
            assert_eq!(count(&world, &living), expected, "{batch:?}");
            // The iterator panics in the middle.
            let broken =
                liars().inspect(|liar| assert!(liar.0.0 != size as u64 / 2, "in the middle"));
            let panic = caught(|| drop(world.spawn_batch(broken)));
            assert_eq!(panic.is_some(), !matches!(batch, Batch::Untaken), "{batch:?}");
            assert_eq!(count(&world, &living), expected, "{batch:?}");
            // At the refresh there are as many rows as bundles, so each gives an entity.
            if !matches!(batch, Batch::Untaken) {
                world
                    .step(|step| {
                        step.execute_with(|systems| {
                            systems.for_subtasks::<Lay>(|_, data| data.effects.spawn_batch(liars()))
                        });
                    })
                    .unwrap();
                add(&mut expected, written(batch, size));
                assert_eq!(count(&world, &living), expected, "{batch:?}");
            }
            // What pretends to be another bundle is found out where the system spawns both.
            let staged = caught(|| {
                world.step(|step| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Lay>(|_, data| {
                            data.effects.spawn_batch(liars());
                            data.effects.spawn((living.value(3),));
                        })
                    });
                })
            });
            assert!(staged.is_some_and(|text| text.contains("have the same position")));
            // One by one.
            let one = world.spawn(Liar::<BATCH>(living.value(7)));
            assert_eq!(world.get::<Shell>(one).map(|shell| shell.0), Some(7));
            world.spawn((living.value(8),));
            add(&mut expected, (2, 1, 1));
            world.tick().unwrap();
            assert_eq!(count(&world, &living), expected, "{batch:?}");
        }
        drop(world);
        assert_eq!(living.count(), 0);
    }

    /// The entities, values and shells of a batch.
    fn written(batch: Batch, size: usize) -> (usize, usize, usize) {
        match batch {
            Batch::Tuple => (size, size, 0),
            Batch::Empty => (size, 0, 0),
            Batch::Other => unreachable!("it panics"),
            Batch::Untaken => (0, 0, 0),
        }
    }

    fn add(to: &mut (usize, usize, usize), more: (usize, usize, usize)) {
        *to = (to.0 + more.0, to.1 + more.1, to.2 + more.2);
    }

    #[test]
    fn bundles_that_pretend_to_be_a_tuple() {
        for threads in [Threads::Inline, super::four()] {
            spawn_liars::<0>(threads.clone());
            spawn_liars::<2>(threads.clone());
            spawn_liars::<3>(threads);
        }
    }

    #[test]
    fn a_bundle_that_writes_another_component_than_it_says_panics() {
        for threads in [Threads::Inline, super::four()] {
            let living = Living::default();
            let mut world = World::<Nest>::on(threads);
            let liars = || (0..5_000).map(|n| Liar::<1>(living.value(n)));
            let panic = caught(|| drop(world.spawn_batch(liars())));
            assert!(panic.is_some_and(|text| text.contains("without memory")));
            assert_eq!(count(&world, &living), (0, 0, 0));
            let panic = caught(|| {
                world.step(|step| {
                    step.execute_with(|systems| {
                        systems.for_subtasks::<Lay>(|_, data| data.effects.spawn_batch(liars()))
                    });
                })
            });
            assert!(panic.is_some_and(|text| text.contains("without memory")));
            assert_eq!(world.iter::<&Shell>().count(), 0);
            world.spawn((living.value(8),));
            world.tick().unwrap();
            assert_eq!(world.iter::<&Counted>().count(), 1);
            assert_eq!(living.count(), 1);
        }
    }

    /// Does not override the batch.
    struct Idle;

    impl Bundle<Nest> for Idle {
        const FACTS: BundleFacts = <Pretended as Bundle<Nest>>::FACTS;

        fn put(self, _: &mut BundleSink<'_, Nest>) {}
    }

    #[test]
    fn a_bundle_that_writes_no_batch_spawns_none() {
        let living = Living::default();
        let mut world = World::<Nest>::on(Threads::Inline);
        for count in [1, 64, 200] {
            assert_eq!(world.spawn_batch((0..count).map(|_| Idle)).len(), 0);
        }
        assert_eq!(count(&world, &living), (0, 0, 0));
        world.spawn(Idle);
        assert_eq!(count(&world, &living), (1, 0, 0));
    }
}
