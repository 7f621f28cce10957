//! The defer proxy: every operation in a deferred function, and the order of these functions.

use ecs_core::{Data, Entity, System, World, world};

use crate::support::{every_kind, three};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value(u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Other(u32);

world! {
    world Deferring { entity_limit: dynamic(16) }
    component Value: contiguous_buffer;
    component Other: contiguous_buffer;
    resource Log;

    system Late { parallelism: split_every(64), dependencies: [Early], write: [Value], defer, despawn, insert: [Other] }
    system Early { parallelism: split_every(64), read: [Value], defer, output: Vec<u32> }
    system Once { dependencies: [Late], defer }
}

#[derive(Default)]
struct Log(Vec<(&'static str, u32)>);

/// Logs the value of each entity.
#[derive(Default)]
struct Late {
    notes: u32,
}

impl System<Deferring> for Late {
    fn process(&self, data: &mut Data<'_, Deferring, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            let value = e.value.0;
            effects.defer(move |defer| {
                defer.resource_mut::<Log>().0.push(("late", value));
                defer.system_mut::<Self>().notes += 1;
            });
        });
    }
}

/// Logs the value of each entity twice.
#[derive(Default)]
struct Early;

impl System<Deferring> for Early {
    fn process(&self, data: &mut Data<'_, Deferring, Self>) {
        let (own, effects) = (&mut data.own, &mut data.effects);
        own.for_entities(|e| {
            let value = e.value.0;
            effects.output().push(value);
            effects.defer(move |defer| defer.resource_mut::<Log>().0.push(("early", value)));
            let wide = [value; 100];
            effects.defer(move |defer| defer.resource_mut::<Log>().0.push(("again", wide[99])));
        });
    }
}

/// Does nothing unless its body is overridden.
#[derive(Default)]
struct Once;

impl System<Deferring> for Once {
    fn process(&self, _: &mut Data<'_, Deferring, Self>) {}
}

/// The values 0, 1, 2, … in the order of rows.
fn deferring(threads: ecs_core::Threads, count: u32) -> (World<Deferring>, Vec<Entity>) {
    let mut world = World::on(threads);
    let entities =
        world.step(|step| (0..count).map(|i| step.spawn((Value(i),))).collect()).unwrap();
    (world, entities)
}

#[test]
fn functions_run_in_the_order_of_systems_subtasks_and_calls() {
    for threads in every_kind() {
        let (mut world, _) = deferring(threads, 300);
        world
            .step(|step| {
                step.execute_systems();
                assert!(step.resource::<Log>().0.is_empty());
                step.execute_systems_from::<(Late,)>();
            })
            .unwrap();
        // `Late` is declared first, and depends on `Early`.
        let late = (0..300).map(|i| ("late", i));
        let early = (0..300).flat_map(|i| [("early", i), ("again", i)]);
        let expected: Vec<_> = early.chain(late.clone()).chain(late).collect();
        assert_eq!(world.resource::<Log>().0, expected);
        assert_eq!(world.system::<Late>().notes, 600);
    }
}

#[test]
fn every_operation_of_the_proxy() {
    for threads in every_kind() {
        let (mut world, entities) = deferring(threads, 5);
        let [a, b, c, despawned, _] = entities[..] else { unreachable!() };
        world.step(|step| step.despawn(despawned)).unwrap();
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Late>(|_, _| {}).for_subtasks::<Once>(move |_, data| {
                        data.effects.defer(move |defer| {
                            assert_eq!(defer.entity_count(), 4);
                            assert!(defer.is_alive(a) && !defer.is_alive(despawned));
                            assert_eq!(defer.insert(a, Other(1)), Ok(None));
                            assert_eq!(defer.insert(a, Other(2)), Ok(Some(Other(1))));
                            let error = defer.insert(despawned, Other(3)).unwrap_err();
                            assert_eq!(error.entity, despawned);
                            assert_eq!(
                                error.to_string(),
                                format!(
                                    "`Other` cannot be inserted into the entity {despawned:?}, \
                                     which is not alive; test `is_alive` first"
                                )
                            );
                            assert_eq!(defer.remove::<Value>(b), Some(Value(1)));
                            assert_eq!(defer.remove::<Value>(b), None);
                            assert_eq!(defer.get::<Value>(b), None);
                            assert_eq!(defer.get::<Value>(despawned), None);
                            defer.get_mut::<Value>(a).unwrap().0 = 70;
                            assert_eq!(defer.get::<Value>(a), Some(&Value(70)));
                            let spawned = defer.spawn((Value(80), Other(81)));
                            let bare = defer.spawn(());
                            assert!(
                                spawned.index() > bare.index() || bare.index() > spawned.index()
                            );
                            assert!(defer.is_alive(spawned));
                            assert_eq!(defer.get::<Other>(spawned), Some(&Other(81)));
                            defer.despawn(c);
                            assert!(defer.is_alive(c), "until despawned entities are reclaimed");
                            assert_eq!(defer.system::<Late>().notes, 0);
                            defer.system_mut::<Late>().notes = 9;
                            defer.resource_mut::<Log>().0.push(("proxy", 0));
                            let outputs = defer.outputs_of::<Early>().flatten();
                            assert!(outputs.eq(&[0, 1, 2, 4]));
                        });
                    })
                });
            })
            .unwrap();
        assert_eq!(world.system::<Late>().notes, 9);
        assert_eq!(world.resource::<Log>().0.last(), Some(&("proxy", 0)));
        assert!(!world.is_alive(c));
        let mut values: Vec<u32> = Vec::new();
        world.iter::<&Value>().for_each(|value| values.push(value.0));
        assert_eq!((values, world.entity_count()), (vec![70, 4, 80], 5));
    }
}

#[test]
fn changes_come_in_order_and_before_functions() {
    let (mut world, entities) = deferring(three(), 2);
    let (a, b) = (entities[0], entities[1]);
    let once = world.step(|step| {
        step.execute_with(|systems| {
            systems.for_subtasks::<Early>(|_, _| {}).for_subtasks::<Late>(move |_, data| {
                data.effects.insert(a, Other(1));
                data.effects.insert(a, Other(2));
                data.effects.insert(b, Other(3));
                data.effects.defer(move |defer| {
                    // In the order of staging, and before any function of the system.
                    assert_eq!(defer.get::<Other>(a), Some(&Other(4)));
                    assert_eq!(defer.insert(a, Other(5)), Ok(Some(Other(4))));
                });
                data.effects.insert(a, Other(4));
                // Despawns come after all functions, wherever they were staged.
                data.effects.despawn(b);
                data.effects.defer(move |defer| {
                    assert_eq!(defer.get::<Other>(b), Some(&Other(3)));
                });
            })
        });
    });
    once.unwrap();
    assert_eq!(world.get::<Other>(a), Some(&Other(5)));
    assert!(!world.is_alive(b));
}

#[test]
fn a_deferred_function_may_reach_what_it_was_deferred_from() {
    // The queue that holds the function is in use meanwhile. Outputs and states are accessible.
    let (mut world, _) = deferring(three(), 100);
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Late>(|_, _| {}).for_subtasks::<Early>(|_, data| {
                    data.effects.output().push(5);
                    data.effects.defer(|defer| {
                        let sum = defer.outputs_of::<Early>().flatten().sum();
                        defer.resource_mut::<Log>().0.push(("sum", sum));
                    });
                })
            });
        })
        .unwrap();
    assert_eq!(world.resource::<Log>().0, [("sum", 10), ("sum", 10)]);
}
