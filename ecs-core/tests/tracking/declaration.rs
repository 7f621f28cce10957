//! A world whose components are tracked in each storage, and written in each way.

use ecs_core::{Data, Entity, Mut, Run, StateHash, System, world};

use super::support::mix;

/// Identifies an entity across worlds.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Id(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Plain(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Beside(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Rare(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Packed(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Tag;

#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash)]
pub(crate) struct Clock(pub(crate) u64);

/// What a reader has seen: 0 for a change and 1 for an addition, with the component and the entity.
pub(crate) type Seen = Vec<(u8, usize, u64)>;

world! {
    pub(crate) world Zoo { entity_limit: dynamic(16) }
    component Id: contiguous_buffer;
    component Plain: contiguous_buffer;
    component (Beside, Spare): contiguous_buffer;
    component Rare: hash_map;
    component Packed: sparse_set;
    component Tag: empty;
    resource Clock;

    system Write {
        parallelism: split_evenly(3),
        read: [Id],
        write_optional: [Plain, Beside, Rare, Packed],
        read_resources: [Clock],
    }
    system Kernel {
        parallelism: split_every(128),
        write: [Plain],
        without: [Tag],
        read_resources: [Clock],
        dependencies: [Write],
    }
    system Reach {
        exclusive,
        read: [Id],
        write: [Rare],
        read_resources: [Clock],
        dependencies: [Kernel],
    }
    system Both {
        parallelism: split_evenly(2),
        read: [Id],
        write: [Beside],
        changed: [Beside],
        read_resources: [Clock],
        output: Seen,
        dependencies: [Reach],
    }
    system Untagged {
        parallelism: split_every(64),
        read: [Id, Plain],
        changed: [Plain],
        without: [Tag],
        output: Seen,
        dependencies: [Both],
    }
    system Each {
        parallelism: split_evenly(4),
        read: [Id, Plain],
        changed: [Plain],
        added: [Plain],
        output: Seen,
        dependencies: [Untagged],
    }
    system Groups {
        parallelism: split_evenly(3),
        read: [Id, Beside],
        changed: [Beside],
        added: [Beside],
        output: Seen,
        dependencies: [Each],
    }
    system Maps {
        parallelism: split_evenly(2),
        read: [Id, Rare, Packed],
        changed: [Packed, Rare],
        added: [Rare],
        output: Seen,
        dependencies: [Groups],
    }
    system Stage {
        parallelism: split_evenly(3),
        read: [Id],
        read_resources: [Clock],
        insert: [Plain, Beside, Rare, Packed],
        remove: [Plain, Beside, Rare, Packed],
        despawn,
        spawn: [(Id, Plain), (Id, Beside, Rare), (Id, Tag, Plain, Packed)],
        dependencies: [Maps],
    }
    system Replace {
        parallelism: split_evenly(2),
        read: [Id],
        update: [Plain],
        read_resources: [Clock],
        dependencies: [Stage],
    }
}

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Spare(pub(crate) u64);

macro_rules! names {
    ($($name:ident)+) => {$(
        #[derive(Clone, Default, StateHash)]
        pub(crate) struct $name;
    )+};
}
names! { Write Kernel Reach Both Untagged Each Groups Maps Stage Replace }

/// What `Write` does to the component at this index, of the entity, at this time.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Does {
    Writes,
    SetsTheSame,
    Reads,
    Nothing,
}

pub(crate) fn does(id: u64, component: usize, now: u64) -> Does {
    match mix(id ^ now << 8 ^ component as u64) % 8 {
        0 => Does::Writes,
        1 => Does::SetsTheSame,
        2 => Does::Reads,
        _ => Does::Nothing,
    }
}

fn touch<C: Copy + PartialEq>(it: Option<Mut<'_, C>>, does: Does, make: fn(u64) -> C) {
    let Some(mut it) = it else { return };
    match does {
        Does::Writes => *it = make(7),
        Does::SetsTheSame => {
            let same = *it;
            assert!(!it.set_if_changed(same));
        }
        Does::Reads => {
            let same = *it;
            assert!(*it == same);
        }
        Does::Nothing => {}
    }
}

impl System<Zoo> for Write {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        data.own.for_entities(|e| {
            let id = e.id.0;
            touch(e.plain, does(id, 0, now), Plain);
            touch(e.beside, does(id, 1, now), Beside);
            touch(e.rare, does(id, 2, now), Rare);
            touch(e.packed, does(id, 3, now), Packed);
        });
    }
}

/// Whether `Kernel` writes at this time.
pub(crate) fn by_kernel(now: u64) -> bool {
    now.is_multiple_of(5)
}

impl System<Zoo> for Kernel {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        data.own.for_runs::<(Entity, Mut<'_, Plain>)>(|run| {
            let (entities, mut plain): Run<'_, (Entity, Mut<'_, Plain>), Zoo> = run;
            assert_eq!(entities.len(), plain.len());
            if by_kernel(now) {
                plain.iter_mut().for_each(|plain| plain.0 += 1);
            }
        });
    }
}

/// Whether `Reach` writes, by its handle, the component of the entity.
pub(crate) fn reaches(id: u64, now: u64) -> bool {
    mix(id ^ now << 17).is_multiple_of(3)
}

impl System<Zoo> for Reach {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let mut all = Vec::new();
        data.own.for_all_entities(|entity| all.push(entity));
        for (n, &entity) in all.iter().enumerate() {
            if n % 2 == 0 {
                let found = data.own.get_mut::<(&Id, Mut<'_, Rare>)>(entity);
                let (id, mut rare) = found.expect("it is subscribed");
                if reaches(id.0, now) {
                    rare.0 += 1;
                }
            }
        }
        let odd = all.into_iter().skip(1).step_by(2);
        data.own.any_mut::<(&Id, Mut<'_, Rare>)>().for_each_of(odd, |_, (id, mut rare)| {
            if reaches(id.0, now) {
                rare.0 += 1;
            }
        });
    }
}

/// Whether `Both` writes what it has seen, or has not seen.
pub(crate) fn writes_itself(id: u64, now: u64) -> bool {
    mix(id ^ now << 21).is_multiple_of(4)
}

impl System<Zoo> for Both {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        let seen = effects.output();
        for (id, mut beside) in own.changed::<Beside, (&Id, Mut<'_, Beside>)>() {
            seen.push((0, 1, id.0));
            if writes_itself(id.0, now) {
                beside.0 += 1;
            }
        }
        own.for_entities(|mut e| {
            if writes_itself(e.id.0, now) {
                e.beside.0 += 1;
            }
        });
    }
}

impl System<Zoo> for Untagged {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let seen = data.own.changed::<Plain, &Id>().map(|id| (0, 0, id.0));
        data.effects.output().extend(seen);
    }
}

impl System<Zoo> for Each {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let seen = data.effects.output();
        seen.extend(data.own.changed::<Plain, &Id>().map(|id| (0, 0, id.0)));
        seen.extend(data.own.added::<Plain, &Id>().map(|id| (1, 0, id.0)));
    }
}

impl System<Zoo> for Groups {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let seen = data.effects.output();
        seen.extend(data.own.changed::<Beside, &Id>().map(|id| (0, 1, id.0)));
        seen.extend(data.own.added::<Beside, &Id>().map(|id| (1, 1, id.0)));
    }
}

impl System<Zoo> for Maps {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let seen = data.effects.output();
        seen.extend(data.own.changed::<Rare, &Id>().map(|id| (0, 2, id.0)));
        seen.extend(data.own.added::<Rare, &Id>().map(|id| (1, 2, id.0)));
        seen.extend(data.own.changed::<Packed, (&Id, &Rare)>().map(|(id, _)| (0, 3, id.0)));
    }
}

/// What `Stage` does with the entity at this time.
pub(crate) enum Stages {
    Insert(usize),
    Remove(usize),
    Despawn,
    /// The new entity, and its components.
    Spawn(u64, u8),
    Nothing,
}

/// A mask of `Plain`, `Beside`, `Rare`, `Packed` and `Tag`.
pub(crate) const BUNDLES: [u8; 3] = [0b00001, 0b00110, 0b11001];

pub(crate) fn stages(id: u64, now: u64) -> Stages {
    let dice = mix(id ^ now << 32);
    let component = (dice >> 8) as usize % 4;
    match dice % 32 {
        0..=3 => Stages::Insert(component),
        4..=6 => Stages::Remove(component),
        7..=8 => Stages::Despawn,
        9..=10 => Stages::Spawn(mix(dice), BUNDLES[(dice >> 8) as usize % 3]),
        _ => Stages::Nothing,
    }
}

impl System<Zoo> for Stage {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| match stages(e.id.0, now) {
            Stages::Insert(0) => effects.insert(e.entity, Plain(now)),
            Stages::Insert(1) => effects.insert(e.entity, Beside(now)),
            Stages::Insert(2) => effects.insert(e.entity, Rare(now)),
            Stages::Insert(_) => effects.insert(e.entity, Packed(now)),
            Stages::Remove(0) => effects.remove::<Plain>(e.entity),
            Stages::Remove(1) => effects.remove::<Beside>(e.entity),
            Stages::Remove(2) => effects.remove::<Rare>(e.entity),
            Stages::Remove(_) => effects.remove::<Packed>(e.entity),
            Stages::Despawn => effects.despawn(e.entity),
            Stages::Spawn(id, 0b00001) => effects.spawn((Id(id), Plain(0))),
            Stages::Spawn(id, 0b00110) => effects.spawn((Id(id), Beside(0), Rare(0))),
            Stages::Spawn(id, _) => effects.spawn((Id(id), Tag, Plain(0), Packed(0))),
            Stages::Nothing => {}
        });
    }
}

/// Whether `Replace` updates the entity at this time.
pub(crate) fn replaces(id: u64, now: u64) -> bool {
    mix(id ^ now << 40).is_multiple_of(6)
}

impl System<Zoo> for Replace {
    fn process(&self, data: &mut Data<'_, Zoo, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if replaces(e.id.0, now) {
                effects.update(e.entity, Plain(e.plain.0 + now));
            }
        });
    }
}
