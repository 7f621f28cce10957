//! What a system reads besides its own entities: components of any entity, members, keys, outputs, resources.

use std::mem::swap;

use ecs_core::Data;

use super::nest::{
    ByKeys, Edit, Key, Log, Look, Nest, Plain, Slot, Stamp, Tag, assert_tags, entities,
    on_all_threads, stamped, texts,
};

/// Collects the stamps of everything that a system reads.
fn read(data: &Data<'_, Nest, Look>, entity: ecs_core::Entity) -> Vec<String> {
    let Data { resources, effects, .. } = data;
    let any = effects.read_any::<Tag>().get(entity).map(|tag| tag.0.clone());
    let by_key = effects.lookup::<ByKeys, &Tag>().at(3).map(|tag| tag.0.clone());
    let output = effects.outputs_of::<Edit>().flatten().cloned();
    let resource = resources.get::<Stamp>().0.clone();
    let state = effects.system::<Edit>().0.clone();
    any.into_iter().chain(by_key).chain(output).chain([resource, state]).collect()
}

#[test]
fn readers_keep_to_their_world() {
    on_all_threads(|mut outer, inner| {
        let first = (entities(&outer)[9], entities(&inner)[9]);
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Edit>(|_, data| {
                            data.effects.output().push("outer output".into());
                        })
                        .for_subtasks::<Look>(|_, data| {
                            let mut world = inner.take().unwrap();
                            let slot = Slot::new(&mut *data);
                            world
                                .step(|step| {
                                    step.execute_with(|systems| {
                                        systems
                                            .for_subtasks::<Edit>(|_, data| {
                                                data.effects.output().push("inner output".into());
                                            })
                                            .for_subtasks::<Look>(|_, mine| {
                                                let yours = slot.take().unwrap();
                                                let mut of_both =
                                                    [read(yours, first.0), read(mine, first.1)];
                                                swap(
                                                    yours.resources.get_mut::<Log>(),
                                                    mine.resources.get_mut::<Log>(),
                                                );
                                                yours
                                                    .resources
                                                    .get_mut::<Log>()
                                                    .0
                                                    .append(&mut of_both[0]);
                                                mine.resources
                                                    .get_mut::<Log>()
                                                    .0
                                                    .append(&mut of_both[1]);
                                            })
                                    });
                                })
                                .unwrap();
                            inner.put(world);
                        })
                });
            })
            .unwrap();
        let inner = inner.take().unwrap();
        for (world, stamp) in [(&outer, "outer"), (&inner, "inner")] {
            let log = &world.resource::<Log>().0;
            // The tag, 28 members with that key, at most 3 outputs, the resource and the state.
            assert!(log.len() > 31, "{log:?}");
            assert!(log.iter().all(|line| line.starts_with(stamp)), "{log:?}");
            assert_tags(world, stamp);
            assert_eq!(texts(world), stamped(stamp, ""));
        }
    });
}

#[test]
fn copies_of_readers_change_places() {
    on_all_threads(|mut outer, inner| {
        let first = (entities(&outer)[9], entities(&inner)[9]);
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .for_subtasks::<Edit>(|_, data| {
                            data.effects.output().push("outer output".into());
                        })
                        .for_subtasks::<Look>(|_, data| {
                            let mut world = inner.take().unwrap();
                            let outputs = Slot::new((
                                data.effects.outputs_of::<Edit>(),
                                data.resources.get::<Stamp>(),
                            ));
                            let any = Slot::new(data.effects.read_any::<Tag>());
                            world
                                .step(|step| {
                                    step.execute_with(|systems| {
                                        systems
                                            .for_subtasks::<Edit>(|_, data| {
                                                data.effects.output().push("inner output".into());
                                            })
                                            .for_subtasks::<Look>(|_, data| {
                                                let mut mine = (
                                                    data.effects.outputs_of::<Edit>(),
                                                    data.resources.get::<Stamp>(),
                                                );
                                                let mut yours = outputs.take().unwrap();
                                                swap(&mut mine, &mut yours);
                                                assert_eq!(
                                                    (mine.1.0.as_str(), yours.1.0.as_str()),
                                                    ("outer", "inner")
                                                );
                                                assert!(
                                                    mine.0
                                                        .flatten()
                                                        .all(|line| line == "outer output")
                                                );
                                                assert!(
                                                    yours
                                                        .0
                                                        .flatten()
                                                        .all(|line| line == "inner output")
                                                );
                                                let (mine, yours) = (
                                                    data.effects.read_any::<Tag>(),
                                                    any.take().unwrap(),
                                                );
                                                assert_eq!(
                                                    mine.get(first.1).unwrap().0,
                                                    "inner tag 9"
                                                );
                                                assert_eq!(
                                                    yours.get(first.0).unwrap().0,
                                                    "outer tag 9"
                                                );
                                                let members = data.effects.members::<Plain, &Key>();
                                                assert_eq!(
                                                    members.into_iter().count(),
                                                    yours_count(&yours, &members)
                                                );
                                            })
                                    });
                                })
                                .unwrap();
                            inner.put(world);
                        })
                });
            })
            .unwrap();
    });
}

/// How many members of one world have a tag in the other one, by the same handles: all, as both are filled alike.
fn yours_count(
    tags: &ecs_core::ReadAny<'_, Nest, Tag>,
    members: &ecs_core::joins::Members<'_, Nest, &'static Key>,
) -> usize {
    members.entities().filter(|&entity| tags.get(entity).is_some()).count()
}
