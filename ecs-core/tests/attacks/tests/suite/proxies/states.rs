//! States of systems and resources that are swapped between worlds, with the library's data in them.

use std::mem::swap;

use super::nest::{ByKeys, COUNT, Look, Slot, Tag, assert_tags, filled, on_all_threads};

#[test]
fn indices_change_places_before_each_execution() {
    on_all_threads(|mut outer, mut inner| {
        for round in 0..3 {
            swap(outer.system_mut::<ByKeys>(), inner.system_mut::<ByKeys>());
            for (world, stamp) in [(&mut outer, "outer"), (&mut inner, "inner")] {
                world
                    .step(|step| {
                        step.execute_with(|systems| {
                            systems.for_subtasks::<Look>(|_, data| {
                                let tags = data.effects.lookup::<ByKeys, &Tag>();
                                let found = (0..7).flat_map(|key| tags.at(key));
                                assert_eq!(
                                    found.filter(|tag| tag.0.starts_with(stamp)).count(),
                                    COUNT
                                );
                            })
                        });
                    })
                    .unwrap_or_else(|error| panic!("{round}: {error}"));
            }
        }
    });
}

#[test]
fn an_index_is_replaced_by_that_of_a_world_in_execution() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems
                        .detailed::<ByKeys>(|yours, executor| {
                            let mut world = inner.take().unwrap();
                            // It has fewer entities than the other world, so some rows of that do not exist in this one.
                            let mut small = filled(ecs_core::Threads::Inline, "small");
                            small.tick().unwrap();
                            swap(yours, small.system_mut::<ByKeys>());
                            let slot = Slot::new((yours, executor));
                            world
                                .step(|step| {
                                    step.execute_with(|systems| {
                                        systems
                                            .detailed::<ByKeys>(|mine, own| {
                                                let (yours, executor) = slot.take().unwrap();
                                                ecs_core::System::execute(mine, own);
                                                ecs_core::System::execute(yours, executor);
                                                swap(mine, yours);
                                            })
                                            .for_subtasks::<Look>(|_, data| {
                                                let tags = data.effects.lookup::<ByKeys, &Tag>();
                                                let found = (0..7).flat_map(|key| tags.at(key));
                                                assert!(
                                                    found
                                                        .map(|tag| &tag.0)
                                                        .all(|tag| tag.starts_with("inner"))
                                                );
                                            })
                                    });
                                })
                                .unwrap();
                            inner.put(world);
                        })
                        .for_subtasks::<Look>(|_, data| {
                            let tags = data.effects.lookup::<ByKeys, &Tag>();
                            let found = (0..7).flat_map(|key| tags.at(key));
                            assert!(found.map(|tag| &tag.0).all(|tag| tag.starts_with("outer")));
                        })
                });
            })
            .unwrap();
        assert_tags(&outer, "outer");
    });
}
