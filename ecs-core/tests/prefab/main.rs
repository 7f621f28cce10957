//! Prefabs: copied out of worlds, made by code and read from bytes and text, they give the entities that code by hand would give.

#![cfg(test)]

mod failures;
mod files;
mod model;

use ecs_core::{Entity, MapEntities, StateHash, world};
use serde::{Deserialize, Serialize};

/// In a column.
#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Health(u32);

/// Needs to be dropped, in a hash map.
#[derive(Clone, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Name(String);

/// With handles, in a column.
#[derive(Clone, Debug, PartialEq, StateHash, MapEntities, Serialize, Deserialize)]
struct Aim {
    #[entities]
    at: Option<Entity>,
    #[entities]
    others: Vec<Entity>,
    strength: u32,
}

/// With handles, in an external table.
#[derive(Clone, Debug, PartialEq, StateHash, MapEntities, Serialize, Deserialize)]
enum Mind {
    Idle,
    Follows(#[entities] Entity),
}

/// Without a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash, Serialize, Deserialize)]
struct Marked;

/// The relation of one to many.
#[derive(Debug)]
struct PartOf;

/// The relation of many to many.
#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Likes(u8);

/// A resource that is in no prefab.
#[derive(Clone, Debug, Default, PartialEq, StateHash, Serialize, Deserialize)]
struct Day(u32);

world! {
    world Field;
    component Health, Aim;
    component Name, Mind: hash_map;
    component Marked: empty;
    relation PartOf: one_to_many, on_despawn: despawn;
    relation Likes: many_to_many, on_despawn: detach;
    resource Day = Day(7);
    system Heal {
        changed: [Health],
        read: [Health],
        write_resources: [Day],
        run: |data| {
            let changed = data.own.changed::<Health, &Health>().map(|health| health.0);
            let sum = changed.fold(0, u32::wrapping_add);
            let day = data.resources.get_mut::<Day>();
            day.0 = day.0.wrapping_add(sum);
        },
    }
}
