//! Streams of two worlds, whose ends and outputs are swapped while both run.

use std::mem::{swap, take};

use attacks::support::{four, fresh, watched};
use ecs_core::{Data, Stream, System, Threads, World, world};

use super::nest::Slot;

/// A component, so that there are subtasks.
struct Number;

/// The received items, by producer.
#[derive(Default)]
struct Come(Vec<String>);

world! {
    world Pipes {}
    component Number: contiguous_buffer;
    resource Come;
    system Send { read: [Number], output: Stream<String>, parallelism: split_evenly(2) }
    system Take { streams: [Send], write_resources: [Come] }
}

#[derive(Default)]
struct Send;

impl System<Pipes> for Send {
    fn process(&self, _: &mut Data<'_, Pipes, Self>) {}
}

#[derive(Default)]
struct Take;

impl System<Pipes> for Take {
    fn process(&self, data: &mut Data<'_, Pipes, Self>) {
        let items = data.effects.received::<Send>();
        data.resources.get_mut::<Come>().0.extend(items);
    }
}

/// More than a queue holds.
const MANY: usize = 3000;

/// A world with two subtasks.
fn filled(threads: Threads) -> World<Pipes> {
    let mut world = World::on(threads);
    world
        .step(|step| {
            step.spawn_batch((0..200).map(|_| (Number,)));
        })
        .unwrap();
    world
}

/// Calls `f` for two worlds, with different threads.
fn on_all_threads(f: fn(World<Pipes>, World<Pipes>)) {
    watched(move || {
        let pairs = [
            (Threads::Inline, Threads::Inline),
            (four(), four()),
            (four(), fresh(2)),
            (fresh(2), Threads::Inline),
            (Threads::Inline, four()),
        ];
        for (outer, inner) in pairs {
            f(filled(outer), filled(inner));
        }
    });
}

/// Steps the world: each of its subtasks calls `f`, the first one with the value of the slot.
fn produce<T: std::marker::Send>(
    world: &mut World<Pipes>,
    slot: &Slot<T>,
    f: impl Fn(&mut Data<'_, Pipes, Send>, Option<T>) + Sync + std::marker::Send,
) {
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Send>(|_, data| f(data, slot.take()))
            });
        })
        .unwrap();
}

/// Asserts how often each of the lines was received, and that there were no others.
fn assert_come(world: &mut World<Pipes>, expected: &[(&str, usize)]) {
    let come = take(&mut world.resource_mut::<Come>().0);
    for &(line, count) in expected {
        assert_eq!(come.iter().filter(|other| *other == line).count(), count, "{line}");
    }
    assert_eq!(come.len(), expected.iter().map(|(_, count)| count).sum::<usize>());
}

fn send_many(data: &mut Data<'_, Pipes, Send>, line: &str) {
    let mut stream = data.effects.stream();
    (0..MANY).for_each(|_| stream.send(line.into()));
}

#[test]
fn senders_change_places() {
    on_all_threads(|mut outer, inner| {
        let (slot, done) = (Slot::new(inner), Slot::empty());
        produce(&mut outer, &slot, |data, inner| {
            let mut sender = data.effects.stream();
            (0..MANY).for_each(|_| sender.send("outer".into()));
            let Some(mut inner) = inner else { return };
            produce(&mut inner, &Slot::new(sender), |data, theirs| {
                let mut mine = data.effects.stream();
                let Some(mut theirs) = theirs else { return mine.send("other".into()) };
                swap(&mut mine, &mut theirs);
                for _ in 0..MANY {
                    mine.send("to outer".into());
                    theirs.send("to inner".into());
                }
            });
            done.put(inner);
        });
        assert_come(&mut outer, &[("outer", 2 * MANY), ("to outer", MANY)]);
        assert_come(&mut done.take().unwrap(), &[("to inner", MANY), ("other", 1)]);
    });
}

#[test]
fn streams_change_places_while_both_run() {
    on_all_threads(|mut outer, inner| {
        let (slot, done) = (Slot::new(inner), Slot::empty());
        produce(&mut outer, &slot, |data, inner| {
            send_many(data, "outer");
            let Some(mut inner) = inner else { return };
            produce(&mut inner, &Slot::new(&mut *data), |mine, theirs| {
                send_many(mine, "inner");
                let Some(theirs) = theirs else { return };
                swap(mine.effects.output(), theirs.effects.output());
                send_many(mine, "inner");
                send_many(theirs, "outer");
                swap(mine.effects.output(), theirs.effects.output());
                theirs.effects.stream().send("outer".into());
                swap(mine.effects.output(), theirs.effects.output());
            });
            done.put(inner);
            send_many(data, "outer");
        });
        let mut inner = done.take().unwrap();
        assert_come(&mut outer, &[("outer", 4 * MANY + 1)]);
        assert_come(&mut inner, &[("inner", 3 * MANY)]);
        // Both worlds still work.
        for world in [&mut outer, &mut inner] {
            produce(world, &Slot::<()>::empty(), |data, _| send_many(data, "again"));
            assert_come(world, &[("again", 2 * MANY)]);
        }
    });
}

#[test]
fn a_stream_is_replaced() {
    on_all_threads(|mut world, _| {
        let kept = Slot::empty();
        for _ in 0..2 {
            produce(&mut world, &Slot::new(()), |data, first| {
                send_many(data, "before");
                if first.is_some() {
                    *data.effects.output() = Stream::default();
                } else {
                    // The output outlives the step.
                    kept.put(take(data.effects.output()));
                }
                send_many(data, "after");
                let clone = data.effects.output().clone();
                drop(std::mem::replace(data.effects.output(), clone));
            });
            assert_come(&mut world, &[("before", 2 * MANY), ("after", 2 * MANY)]);
        }
    });
}

#[test]
fn streams_of_one_world_change_places() {
    on_all_threads(|mut world, _| {
        let slot = Slot::empty();
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Send>(|_, data| {
                        send_many(data, "one");
                        let mine = take(data.effects.output());
                        if let Some(other) = slot.take() {
                            *data.effects.output() = other;
                        }
                        slot.put(mine);
                        send_many(data, "two");
                    })
                });
            })
            .unwrap();
        assert_come(&mut world, &[("one", 2 * MANY), ("two", 2 * MANY)]);
    });
}

#[test]
fn streams_change_places_between_executions() {
    on_all_threads(|mut outer, mut inner| {
        for _ in 0..3 {
            let of_outer = Slot::empty();
            outer
                .step(|step| {
                    step.execute_with(|systems| {
                        systems.detailed::<Send>(|_, executor| {
                            executor.for_subtasks(|data| send_many(data, "outer"));
                            of_outer.put(executor.outputs_mut().map(take).collect::<Vec<_>>());
                        })
                    });
                })
                .unwrap();
            inner
                .step(|step| {
                    step.execute_with(|systems| {
                        systems.detailed::<Send>(|_, executor| {
                            let mut others = of_outer.take().unwrap();
                            executor.for_subtasks(|data| send_many(data, "inner"));
                            executor.outputs_mut().zip(&mut others).for_each(|(a, b)| swap(a, b));
                            executor.for_subtasks(|data| send_many(data, "inner"));
                        })
                    });
                })
                .unwrap();
        }
        assert_come(&mut outer, &[("outer", 6 * MANY)]);
        assert_come(&mut inner, &[("inner", 12 * MANY)]);
    });
}

#[test]
fn consumers_take_within_each_other() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Send>(|_, data| send_many(data, "outer"))
                        .for_subtasks::<Take>(|_, data| {
                            let mut theirs = data.effects.received::<Send>();
                            let Some(mut world) = inner.take() else {
                                return data.resources.get_mut::<Come>().0.extend(theirs);
                            };
                            let slot = Slot::new((&mut *data, &mut theirs));
                            world
                                .step(|step| {
                                    step.execute_with(|systems| {
                                        systems
                                            .for_subtasks::<Send>(|_, data| {
                                                send_many(data, "inner");
                                            })
                                            .for_subtasks::<Take>(|_, mine| {
                                                let mut items = mine.effects.received::<Send>();
                                                if let Some((yours, theirs)) = slot.take() {
                                                    // Alternately, as long as both have items.
                                                    while let (Some(a), Some(b)) =
                                                        (items.next(), theirs.next())
                                                    {
                                                        mine.resources.get_mut::<Come>().0.push(b);
                                                        yours.resources.get_mut::<Come>().0.push(a);
                                                    }
                                                }
                                                mine.resources.get_mut::<Come>().0.extend(items);
                                            })
                                    });
                                })
                                .unwrap();
                            data.resources.get_mut::<Come>().0.extend(theirs);
                            inner.put(world);
                        })
                });
            })
            .unwrap();
        let inner = inner.take().unwrap();
        let (ours, theirs) = (&outer.resource::<Come>().0, &inner.resource::<Come>().0);
        let swapped = ours.iter().filter(|line| *line == "inner").count();
        assert!(swapped > 0);
        assert!(theirs.iter().filter(|line| *line == "outer").count() >= swapped);
    });
}
