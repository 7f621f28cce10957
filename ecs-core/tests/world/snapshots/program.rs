//! One program, in worlds that differ in how they store its components.

use ecs_core::{Cloneable, Entity, Hashable, StateHash, Step, settings::Settings};
use ecs_core::{HasComponent, HasResource};

/// `Copy`, so that it is cloned bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Body(pub(crate) u64);

/// Owns memory.
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(crate) struct Name(pub(crate) String);

/// Smaller than its alignment, so that it can share a buffer with other components.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Mark(pub(crate) u8);

#[derive(Clone)]
pub(crate) struct Calm;

#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Seed(pub(crate) u64);

/// Neither `Clone` nor `StateHash`.
#[derive(Debug, Default)]
pub(crate) struct Gathered(Vec<Entity>);

/// The interface of a world that the driver uses.
pub(crate) trait Program:
    Cloneable
    + Hashable
    + HasComponent<Body>
    + HasComponent<Name>
    + HasComponent<Mark>
    + HasComponent<Calm>
    + HasResource<Seed>
    + HasResource<Gathered>
{
    const STORED: &'static str;

    fn subscribe<S: Settings>(step: &mut Step<'_, Self, S>, entity: Entity);

    /// Executes some of the systems, which read outputs of an earlier execution.
    fn look<S: Settings>(step: &mut Step<'_, Self, S>);
}

/// Declares the program's world, with the given storage of its components.
macro_rules! program {
    ($module:ident, $stored:literal, { $($components:tt)* }) => {
        pub(crate) mod $module {
            //! The program on one world.

            use ecs_core::settings::Settings;
            use ecs_core::{Data, Entity, StateHash, Step, System, world};

            #[allow(unused_imports, reason = "not all worlds have storages of their own")]
            use super::super::keep::List;
            use super::{Body, Calm, Gathered, Mark, Name, Program, Seed};
            use crate::support::mix;

            world! {
                pub(crate) world Tested { entity_limit: dynamic(16) }

                $($components)*

                resource Seed;
                // Transient: the next step does not read what this one leaves here.
                resource Gathered: transient;

                system Tick { write_resources: [Seed] }
                system Live {
                    dependencies: [Tick],
                    parallelism: split_every(64),
                    write: [Body],
                    read_optional: [Name],
                    read_resources: [Seed],
                    output: Vec<Entity>,
                    despawn,
                    spawn: [(Body, Name), (Mark, Body)],
                    insert: [Calm],
                    remove: [Calm],
                }
                system Rename {
                    dependencies: [Live],
                    parallelism: split_every(64),
                    write: [Name],
                    write_optional: [Mark],
                    without: [Calm],
                    insert: [Mark],
                    remove: [Name],
                }
                // Reads outputs, possibly those of an earlier step.
                system Look { inputs: [Live], state: Look { seen: 7, last: None } }
                system Chosen { opt_in, dependencies: [Live], write: [Body] }
                system Gather { transient, inputs: [Live], write_resources: [Gathered] }
            }

            #[derive(Default)]
            pub(crate) struct Tick;

            impl System<Tested> for Tick {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let seed = data.resource_mut::<Seed>();
                    seed.0 = mix(seed.0);
                }
            }

            #[derive(Default)]
            pub(crate) struct Live;

            impl System<Tested> for Live {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let seed = data.resource::<Seed>().0;
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        let key = mix(seed ^ e.body.0 ^ u64::from(e.entity.index()) << 32);
                        e.body.0 = key ^ e.name.map_or(0, |name| name.0.len() as u64);
                        match key % 23 {
                            0..=2 => effects.despawn(e.entity),
                            3 | 4 => effects.spawn((Body(key), Name(key.to_string()))),
                            5 => effects.spawn((Mark(key as u8), Body(!key))),
                            6 => effects.insert(e.entity, Calm),
                            7 => effects.remove::<Calm>(e.entity),
                            8 => effects.output().push(e.entity),
                            _ => {}
                        }
                    });
                }
            }

            #[derive(Default)]
            pub(crate) struct Rename;

            impl System<Tested> for Rename {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        if e.name.0.len() > 30 {
                            e.name.0.truncate(3);
                        }
                        e.name.0.push('x');
                        match e.mark {
                            Some(mark) => mark.0 = mark.0.wrapping_mul(5),
                            None => effects.insert(e.entity, Mark(1)),
                        }
                        if e.name.0.ends_with("3xxx") {
                            effects.remove::<Name>(e.entity);
                        }
                    });
                }
            }

            /// A state that grows.
            #[derive(Clone, Default, StateHash)]
            pub(crate) struct Look {
                seen: u64,
                last: Option<Entity>,
            }

            impl System<Tested> for Look {
                fn process(&self, _: &mut Data<'_, Tested, Self>) {}

                fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Tested, Self>) {
                    executor.for_subtasks(|_| ());
                    for &entity in executor.outputs_of::<Live>().flatten() {
                        self.seen = mix(self.seen ^ u64::from(entity.index()));
                        self.last = Some(entity);
                    }
                }
            }

            #[derive(Default)]
            pub(crate) struct Chosen;

            impl System<Tested> for Chosen {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    data.for_entities(|e| e.body.0 = e.body.0.rotate_left(1));
                }
            }

            #[derive(Default)]
            pub(crate) struct Gather {
                /// Neither `Clone` nor `StateHash`.
                _scratch: std::sync::Mutex<u8>,
            }

            impl System<Tested> for Gather {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let found = data.outputs_of::<Live>();
                    let gathered = data.resource_mut::<Gathered>();
                    gathered.0.clear();
                    gathered.0.extend(found.flatten());
                }
            }

            impl Program for Tested {
                const STORED: &'static str = $stored;

                fn subscribe<S: Settings>(step: &mut Step<'_, Self, S>, entity: Entity) {
                    let _ = step.subscribe::<Chosen>(entity);
                }

                fn look<S: Settings>(step: &mut Step<'_, Self, S>) {
                    step.execute_systems_from::<(Look,)>().run();
                }
            }
        }
    };
}

program!(contiguous, "contiguous buffers", {
    component Body: contiguous_buffer;
    component Name: contiguous_buffer;
    component Mark: contiguous_buffer;
    component Calm: empty;
});

program!(interleaved, "one interleaved buffer", {
    component (Body, Name, Mark): contiguous_buffer;
    component Calm: contiguous_buffer;
});

program!(hashed, "hash maps", {
    component Body: hash_map;
    component Name: hash_map;
    component Mark: hash_map;
    component Calm: hash_map;
});

program!(sparse, "sparse sets", {
    component Body: sparse_set;
    component Name: sparse_set;
    component Mark: sparse_set;
    component Calm: sparse_set;
});

program!(listed, "a strategy of the user's, and some of everything", {
    component Body: storage(List<Body>);
    component Name: storage(List<Name>);
    component Mark: sparse_set;
    component Calm: empty;
});
