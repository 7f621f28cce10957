//! Executors, instances, outputs and states of systems in execution.

use std::mem::{swap, take};

use super::nest::{
    COUNT, Edit, Log, Look, Slot, Stamp, Text, Whole, on_all_threads, stamped, texts,
};

#[test]
fn outputs_change_places() {
    on_all_threads(|mut outer, inner| {
        let (inner, done) = (Slot::new(inner), Slot::empty());
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.for_subtasks::<Edit>(|_, data| {
                        data.effects.output().push("outer".into());
                        let Some(mut world) = inner.take() else { return };
                        let slot = Slot::new(data.effects.output());
                        world
                            .step(|step| {
                                step.execute_with(|systems| {
                                    systems.for_subtasks::<Edit>(|_, data| {
                                        data.effects.output().push("inner".into());
                                        if let Some(theirs) = slot.take() {
                                            swap(theirs, data.effects.output());
                                            theirs.push("from inner".into());
                                        }
                                    })
                                });
                                let lines: Vec<_> =
                                    step.outputs_of::<Edit>().flatten().cloned().collect();
                                assert_eq!(lines.iter().filter(|line| *line == "outer").count(), 1);
                                step.resource_mut::<Log>().0 = lines;
                            })
                            .unwrap();
                        done.put(world);
                    })
                });
                let lines: Vec<_> = step.outputs_of::<Edit>().flatten().cloned().collect();
                step.resource_mut::<Log>().0 = lines;
            })
            .unwrap();
        let inner = done.take().unwrap();
        let (ours, theirs) = (&outer.resource::<Log>().0, &inner.resource::<Log>().0);
        assert_eq!(ours.iter().filter(|line| line.starts_with("inner")).count(), 1);
        assert_eq!(ours.iter().filter(|line| *line == "from inner").count(), 1);
        assert_eq!(theirs.iter().filter(|line| *line != "inner").collect::<Vec<_>>(), ["outer"]);
    });
}

#[test]
fn executors_run_within_each_other() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed::<Edit>(|system, executor| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new((system, executor));
                        world
                            .step(|step| {
                                step.execute_with(|systems| {
                                    systems.detailed::<Edit>(|mine, executor| {
                                        let (yours, outside) = slot.take().unwrap();
                                        swap(mine, yours);
                                        let fork = |by: &'static str| {
                                            move |text: &mut Text| text.0.push_str(by)
                                        };
                                        outside.for_subtasks(|data| {
                                            data.effects.output().push("outer".into());
                                            data.own.query::<&mut Text>().for_each(fork("+o"));
                                        });
                                        executor.for_subtasks(|data| {
                                            data.effects.output().push("inner".into());
                                            data.own.query::<&mut Text>().for_each(fork("+i"));
                                        });
                                        outside.for_subtasks(|data| {
                                            data.own.query::<&mut Text>().for_each(fork("+o"));
                                        });
                                        let pairs =
                                            outside.outputs_mut().zip(executor.outputs_mut());
                                        pairs.for_each(|(a, b)| swap(a, b));
                                        assert_eq!(outside.entity_count(), COUNT);
                                    })
                                });
                                let lines: Vec<_> =
                                    step.outputs_of::<Edit>().flatten().cloned().collect();
                                assert!(lines.contains(&"outer".into()), "{lines:?}");
                            })
                            .unwrap();
                        inner.put(world);
                    })
                });
            })
            .unwrap();
        let inner = inner.take().unwrap();
        assert_eq!(texts(&outer), stamped("outer", "+o+o"));
        assert_eq!(texts(&inner), stamped("inner", "+i"));
        assert_eq!(outer.system::<Edit>().0, "inner state");
        assert_eq!(inner.system::<Edit>().0, "outer state");
    });
}

#[test]
fn an_executor_is_used_by_a_subtask_of_another_world() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed_instance::<Edit>(|instance| {
                        let mut world = inner.take().unwrap();
                        let slot = Slot::new(instance);
                        world
                            .step(|step| {
                                step.execute_with(|systems| {
                                    systems.for_subtasks::<Edit>(|_, data| {
                                        data.own
                                            .query::<&mut Text>()
                                            .for_each(|text| text.0.push_str("+i"));
                                        let Some(instance) = slot.take() else { return };
                                        instance.system_mut().0.push('!');
                                        instance.for_subtasks(|_, data| {
                                            data.effects.output().push("outer".into());
                                            data.own
                                                .query::<&mut Text>()
                                                .for_each(|text| text.0.push_str("+o"));
                                        });
                                        instance.for_outputs(|_, lines| {
                                            swap(lines, data.effects.output());
                                        });
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
        assert_eq!(texts(&outer), stamped("outer", "+o"));
        assert_eq!(texts(&inner), stamped("inner", "+i"));
        assert_eq!(outer.system::<Edit>().0, "outer state!");
    });
}

#[test]
fn resources_of_executors_change_places() {
    on_all_threads(|mut outer, inner| {
        let inner = Slot::new(inner);
        outer.resource_mut::<Log>().0 = vec!["outer".into()];
        outer
            .step(|step| {
                step.execute_with(|systems| {
                    systems.detailed::<Look>(|_, executor| {
                        let mut world = inner.take().unwrap();
                        world.resource_mut::<Log>().0 = vec!["inner".into()];
                        let slot = Slot::new(executor);
                        world
                            .step(|step| {
                                step.execute_with(|systems| {
                                    systems.detailed::<Look>(|_, mine| {
                                        let yours = slot.take().unwrap();
                                        assert_eq!(mine.resources.get::<Stamp>().0, "inner");
                                        assert_eq!(yours.resources.get::<Stamp>().0, "outer");
                                        swap(
                                            mine.resources.get_mut::<Log>(),
                                            yours.resources.get_mut::<Log>(),
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
        let mut inner = inner.take().unwrap();
        assert_eq!(take(&mut outer.resource_mut::<Log>().0), ["inner"]);
        assert_eq!(take(&mut inner.resource_mut::<Log>().0), ["outer"]);
    });
}

#[test]
fn an_execution_of_one_world_runs_in_a_step_of_another() {
    on_all_threads(|mut outer, mut inner| {
        outer
            .step(|step| {
                step.execute_with(|theirs| {
                    let theirs = theirs.for_subtasks::<Whole>(|_, data| {
                        data.own.for_entities(|e| e.text.0.push_str("+o"));
                    });
                    let mut mine = None;
                    inner
                        .step(|step| {
                            step.execute_with(|systems| {
                                mine = Some(systems.for_subtasks::<Whole>(|_, data| {
                                    data.own.for_entities(|e| e.text.0.push_str("+i"));
                                }));
                                theirs
                            });
                        })
                        .unwrap();
                    mine.unwrap()
                });
            })
            .unwrap();
        assert_eq!(
            (texts(&outer), texts(&inner)),
            (stamped("outer", "+i"), stamped("inner", "+o"))
        );
    });
}
