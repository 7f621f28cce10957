//! A world with everything that is saved.

use bytemuck::{CheckedBitPattern, NoUninit};
use ecs_core::{Data, Entity, Mut, StateHash, System, world};
use serde::{Deserialize, Serialize};

/// Plain old data.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, StateHash)]
#[repr(C)]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// Plain old data with bytes that are no value.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, StateHash)]
#[repr(C)]
pub(crate) struct Target {
    pub(crate) of: Entity,
    pub(crate) is_hot: bool,
    pub(crate) pad: [u8; 3],
}

/// With memory of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Name(pub(crate) String);

/// Two that share a buffer, by different forms.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, StateHash)]
#[repr(transparent)]
pub(crate) struct Health(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Speed(pub(crate) f32);

/// In a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Note(pub(crate) Vec<u16>);

/// Packed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Poison(pub(crate) u8);

/// Without size.
#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash)]
pub(crate) struct Frozen;

/// A resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Score {
    pub(crate) points: u64,
    pub(crate) best: Option<Entity>,
}

/// A resource that is not saved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch(pub(crate) Vec<u32>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Died(pub(crate) Entity);

#[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, StateHash)]
#[repr(transparent)]
pub(crate) struct Rang(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Hit(pub(crate) u32);

pub(crate) struct ChildOf;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Likes(pub(crate) String);

/// A system with a state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Count {
    pub(crate) runs: u32,
}

world! {
    pub(crate) world Zoo { seed: 5 }

    component Position, Target, Name;
    component (Health, Speed): contiguous_buffer;
    component Note: hash_map;
    component Poison: sparse_set;
    component Frozen: empty;

    resource Score;
    resource Scratch: transient;
    event Died: keep(2);
    event Rang: delayed;
    event Hit: addressed;
    relation ChildOf: one_to_many, on_despawn: despawn;
    relation Likes: many_to_many, on_despawn: detach;
    state Mode { Calm, Wild, Over }

    system Walk {
        random,
        without: [Frozen],
        each: |entity: Entity, position: &mut Position, speed: &Speed, effects| {
            position.x += speed.0 * effects.random(entity).f32();
            position.y -= 0.5;
        },
    }
    system Bell {
        emit: [Rang],
        every: 3,
        run: |data| data.effects.emit(Rang(7)),
    }
    system Wither {
        in: Wild,
        despawn,
        emit: [Died],
        insert: [Frozen],
        remove: [Poison],
        each: |entity: Entity, health: &mut Health, effects| {
            health.0 = health.0.wrapping_mul(5) % 97;
            match health.0 % 11 {
                0 => {
                    effects.emit(Died(entity));
                    effects.despawn(entity);
                }
                1 => effects.insert(entity, Frozen),
                2 => effects.remove::<Poison>(entity),
                _ => {}
            }
        },
    }
    system Spawn {
        spawn: [(Position, Speed, Health, Poison)],
        read_resources: [Score],
        run: |data| {
            let points = data.resources.get::<Score>().points;
            let health = Health(points as u32 % 89 + 1);
            data.effects.spawn((Position { x: 0.0, y: 1.0 }, Speed(2.0), health, Poison(3)));
        },
    }
    system Chosen {
        opt_in,
        without: [Frozen],
        each: |mut name: Mut<Name>| name.0.push('!'),
    }
    system Count {
        on: [Rang, Died, Hit],
        read: [Name],
        changed: [Name],
        removed: [Poison],
        write_resources: [Score],
        dependencies: [Chosen, Spawn],
    }
}

impl System<Zoo> for Count {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let mut points = u64::from(self.runs);
        points += data.effects.events::<Rang>().map(|rang| u64::from(rang.0)).sum::<u64>();
        points += data.effects.events::<Died>().map(|died| u64::from(died.0.index())).sum::<u64>();
        points += data.own.removed::<Poison>().map(|(_, poison)| u64::from(poison.0)).sum::<u64>();
        points += data.own.changed::<Name, &Name>().map(|name| name.0.len() as u64).sum::<u64>();
        let score = data.resources.get_mut::<Score>();
        score.points = score.points.wrapping_mul(3).wrapping_add(points);
    }
}
