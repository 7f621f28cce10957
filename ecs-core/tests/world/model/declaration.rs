//! The world that is compared with the naive model. It has every kind of storage, filter and effect.
//!
//! The effect of a system on an entity depends on [`decide`] only, so that the model can repeat it.

use ecs_core::{Data, Defer, Entity, System, world};

use crate::support::mix;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position(pub(super) i64);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size(pub(super) u64);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tag;

/// A component that owns heap memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name(pub(super) String);

/// The seed of all decisions of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Seed(pub(super) u64);

world! {
    /// A world with every feature.
    pub(super) world Modelled { entity_limit: dynamic(16) }

    component Position: contiguous_buffer;
    component (Color, Size): contiguous_buffer;
    component Tag: empty;
    component Name: sparse_set;

    resource Seed;

    system Drift {
        parallelism: split_every(64),
        write: [Position],
        read_optional: [Color],
        output: Vec<Entity>,
    }
    system Cull {
        parallelism: split_evenly(3),
        dependencies: [Drift],
        read: [Position],
        without: [Tag],
        read_resources: [Seed],
        despawn,
        output: Vec<Entity>,
    }
    system Mark {
        parallelism: split_evenly(cores),
        dependencies: [Drift],
        read: [Position],
        without: [Tag],
        read_resources: [Seed],
        insert: [Tag, Name],
        output: Vec<Entity>,
    }
    system Unmark {
        parallelism: split_every(100),
        dependencies: [Mark],
        with: [Tag],
        without: [Name],
        read_resources: [Seed],
        remove: [Tag, Color, Size],
        output: Vec<Entity>,
    }
    system Paint {
        parallelism: none_below_threshold(70, split_evenly(4)),
        dependencies: [Drift],
        write: [Color],
        output: Vec<Entity>,
    }
    system Grow {
        parallelism: fixed_threshold(100, split_evenly(2), split_evenly(5)),
        dependencies: [Drift],
        write: [Size],
        read_optional: [Position],
        output: Vec<Entity>,
    }
    system Breed {
        parallelism: split_evenly(3),
        inputs: [Grow],
        read: [Size],
        write_optional: [Name],
        read_resources: [Seed],
        spawn: [(Position, Size), (Name, Tag), ()],
        output: Vec<Entity>,
    }
    system Meddle {
        parallelism: split_every(64),
        dependencies: [Breed, Unmark],
        read: [Name],
        read_resources: [Seed],
        defer,
        output: Vec<Entity>,
    }
    system Census {
        parallelism: split_evenly(4),
        dependencies: [Grow],
        read_optional: [Size],
        without: [Tag],
        read_resources: [Seed],
        spawn: [(Position,), (Name,)],
        output: Vec<Entity>,
    }
}

/// The number of systems.
pub(super) const SYSTEMS: usize = 9;

/// The decision of the system with the number `system` about an entity with this value.
pub(super) fn decide(seed: u64, system: usize, entity: Entity, value: u64) -> u64 {
    mix(seed ^ mix(system as u64 ^ mix(u64::from(entity.index()) ^ mix(value))))
}

#[derive(Debug, Default)]
pub(super) struct Drift;

impl System<Modelled> for Drift {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            e.position.0 += 1 + e.color.map_or(0, |color| i64::from(color.0));
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Cull;

impl System<Modelled> for Cull {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            match decide(seed, 1, e.entity, e.position.0 as u64) % 12 {
                0 => effects.despawn(e.entity),
                1 => {
                    effects.despawn(e.entity);
                    effects.despawn(e.entity);
                }
                _ => {}
            }
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Mark;

impl System<Modelled> for Mark {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        for (entity, position) in own.query::<(Entity, &Position)>() {
            effects.output().push(entity);
            let chance = decide(seed, 2, entity, position.0 as u64);
            match chance % 4 {
                0 => effects.insert(entity, Tag),
                1 => effects.insert(entity, Name(chance.to_string())),
                _ => {}
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Unmark;

impl System<Modelled> for Unmark {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            match decide(seed, 3, e.entity, 0) % 4 {
                0 => effects.remove::<Tag>(e.entity),
                1 => effects.remove::<Color>(e.entity),
                2 => effects.remove::<Size>(e.entity),
                _ => {}
            }
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Paint;

impl System<Modelled> for Paint {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(&mut Color, Entity)>().for_each(|(color, entity)| {
            effects.output().push(entity);
            color.0 = color.0.wrapping_mul(31).wrapping_add(1);
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Grow;

impl System<Modelled> for Grow {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            let more = e.position.map_or(1, |position| position.0 as u64);
            e.size.0 = e.size.0.wrapping_add(more);
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Breed;

impl System<Modelled> for Breed {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            let chance = decide(seed, 6, e.entity, e.size.0);
            match chance % 12 {
                0 => effects.spawn((Position(chance.cast_signed() >> 8), Size(chance))),
                1 => effects.spawn((Name(chance.to_string()), Tag)),
                2 => effects.spawn(()),
                _ => {}
            }
            if let Some(name) = e.name {
                name.0.push('b');
            }
        });
    }
}

#[derive(Debug, Default)]
pub(super) struct Meddle;

impl System<Modelled> for Meddle {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            let (entity, length) = (e.entity, e.name.0.len());
            let chance = decide(seed, 7, entity, length as u64);
            effects.defer(move |defer| meddle(defer, entity, chance));
        });
    }
}

/// Calls one operation of the defer proxy, which `chance` selects.
fn meddle(defer: &mut Defer<'_, Modelled>, entity: Entity, chance: u64) {
    match chance % 8 {
        0 => defer.despawn(entity),
        1 => {
            let _ = defer.insert(entity, Position(chance.cast_signed() >> 8)).expect("alive");
        }
        2 => drop(defer.remove::<Name>(entity)),
        3 => {
            // Spawned and despawned in the same refresh.
            let child = defer.spawn((Color(7), Name("short-lived".to_owned())));
            defer.despawn(child);
        }
        4 => {
            if let Some(name) = defer.get_mut::<Name>(entity) {
                name.0.push('m');
            }
        }
        5 => {
            let child = defer.spawn(());
            if defer.is_alive(child) {
                defer.insert(child, Tag).expect("alive");
                defer.insert(child, Size(chance)).expect("alive");
            }
        }
        6 => defer.resource_mut::<Seed>().0 ^= chance,
        _ => {}
    }
}

#[derive(Debug, Default)]
pub(super) struct Census;

impl System<Modelled> for Census {
    fn process(&self, data: &mut Data<'_, Modelled, Self>) {
        let seed = data.resources.get::<Seed>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            effects.output().push(e.entity);
            let chance = decide(seed, 8, e.entity, e.size.map_or(0, |size| size.0));
            match chance % 12 {
                0 => effects.spawn((Position(chance.cast_signed() >> 8),)),
                1 => effects.spawn((Name(chance.to_string()),)),
                _ => {}
            }
        });
    }
}
