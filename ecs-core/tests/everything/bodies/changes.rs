//! Systems that change entities, in one of the worlds: staged, deferred, and at once.

use ecs_core::{Data, Defer, Entity, System};

use super::*;

unit! { Alter Shift Bind Renew Meddle Roll }

/// Inserts the component in the way that `$by` does.
macro_rules! insert {
    ($by:expr, $entity:expr, $part:expr, $id:expr) => {
        match $part {
            Part::Grade => drop($by.insert($entity, Grade(value_of($id, 2)))),
            Part::Label => drop($by.insert($entity, label_of($id))),
            Part::Tag => drop($by.insert($entity, Tag)),
            other => unreachable!("{other:?}"),
        }
    };
}

macro_rules! remove {
    ($by:expr, $entity:expr, $part:expr) => {
        match $part {
            Part::Grade => drop($by.remove::<Grade>($entity)),
            Part::Label => drop($by.remove::<Label>($entity)),
            Part::Tag => drop($by.remove::<Tag>($entity)),
            other => unreachable!("{other:?}"),
        }
    };
}

impl System<Tested> for Alter {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::ALTER);
        let roster = data.resources.get::<Roster>();
        let stock = &data.resources.get::<Stock>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            for (does, y) in script.fired(at::ALTER, e.id.0, clock) {
                let (entity, id) = (e.entity, born(e.id.0, y));
                match does {
                    Does::Insert(part) => insert!(effects, entity, part, y),
                    Does::InsertOther(part) => {
                        if let Some((_, other)) = roster.pick(y) {
                            insert!(effects, other, part, y);
                        }
                    }
                    Does::Remove(part) => remove!(effects, entity, part),
                    Does::InsertMany => {
                        effects.insert_many(entity, (Grade(value_of(y, 2)), label_of(y)));
                    }
                    Does::RemoveMany => effects.remove_many::<(Tag, Grade)>(entity),
                    Does::Despawn => effects.despawn(entity),
                    Does::DespawnOther => {
                        if let Some((_, other)) = roster.pick(y) {
                            effects.despawn(other);
                        }
                    }
                    Does::Accumulate(_) => {
                        if let Some((_, other)) = roster.pick(y) {
                            effects.accumulate(other, load_of(y));
                        }
                    }
                    Does::Spawn(0) => effects.spawn((Id(id), Heat(value_of(id, 1)))),
                    Does::Spawn(1) => {
                        let heat = Heat(value_of(id, 1));
                        effects.spawn((heat, Id(id), Grade(value_of(id, 2))));
                    }
                    Does::Spawn(2) => {
                        let grade = Grade(value_of(id, 2));
                        effects.spawn_batch([(grade, Id(id), label_of(id), Tag)]);
                    }
                    Does::Spawn(3) => effects.spawn(full(id)),
                    Does::Spawn(_) => effects.spawn(stock.with((Id(id),))),
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

pub(crate) fn full(id: u64) -> Full {
    Full {
        id: Id(id),
        heat: Heat(value_of(id, 1)),
        grade: Grade(value_of(id, 2)),
        team: Team(value_of(id, 3)),
        luck: Luck(0),
        extra: Extra(lasting(id)),
    }
}

impl System<Tested> for Shift {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::SHIFT);
        let roster = data.resources.get::<Roster>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            for (does, y) in script.fired(at::SHIFT, e.id.0, clock) {
                match does {
                    Does::Insert(Part::Team) => {
                        effects.insert(e.entity, Team(value_of(y, 3)));
                    }
                    Does::Insert(_) => effects.insert(e.entity, Extra(lasting(y))),
                    Does::Remove(Part::Team) => effects.remove::<Team>(e.entity),
                    Does::Remove(_) => effects.remove::<Extra>(e.entity),
                    Does::InsertOther(_) => {
                        if let Some((_, other)) = roster.pick(y) {
                            effects.insert(other, Extra(lasting(y)));
                        }
                    }
                    Does::Accumulate(sum) => {
                        if let Some((_, other)) = roster.pick(y) {
                            match sum {
                                Sum::Heat => effects.accumulate(other, Heat(value_of(y, 1))),
                                _ => effects.accumulate(other, load_of(y)),
                            }
                        }
                    }
                    Does::SpawnLoaded => {
                        let id = born(e.id.0, y);
                        let it = effects.spawn_pending((Id(id), Team(value_of(id, 3))));
                        effects.accumulate(it, load_of(y));
                        effects.accumulate(it, load_of(id));
                    }
                    Does::Spawn(_) => {
                        let id = born(e.id.0, y);
                        effects.spawn((Id(id), Team(value_of(id, 3))));
                    }
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Bind {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::BIND);
        let roster = data.resources.get::<Roster>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            for (does, y) in script.fired(at::BIND, e.id.0, clock) {
                let both = roster.pick(y).zip(roster.pick(mix(y)));
                let Some((one @ (_, entity), other)) = both else { continue };
                match does {
                    Does::Output => {
                        let mut seen = u64::from(effects.parent::<ChildOf>(entity).is_some());
                        fold(&mut seen, effects.children::<ChildOf>(entity).len() as u64);
                        for (_, likes) in effects.targets::<Likes>(entity) {
                            fold(&mut seen, likes.0);
                        }
                        for (_, likes) in effects.sources::<Likes>(entity) {
                            fold(&mut seen, likes.0);
                        }
                        effects.output().push(seen);
                    }
                    Does::Bond(Bond::Insert) => effects.insert_link(entity, other.1, Likes(y)),
                    Does::Bond(Bond::Remove) => effects.remove_link::<Likes>(entity, other.1),
                    Does::Bond(bond) => {
                        let [(older, parent), (younger, child)] = by_age(one, other);
                        match bond {
                            Bond::Unlink => effects.unlink::<ChildOf>(child),
                            _ if older == younger => {}
                            Bond::Link => effects.link::<ChildOf>(child, parent),
                            _ => effects.relink::<ChildOf>(child, parent),
                        }
                    }
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Renew {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::RENEW);
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            for (does, y) in script.fired(at::RENEW, e.id.0, clock) {
                match does {
                    Does::UpdateHeat => effects.update(e.entity, Heat(mix(e.heat.0 ^ y))),
                    _ => effects.update(e.entity, Grade(mix(e.grade.0 ^ y))),
                }
            }
        });
    }
}

impl System<Tested> for Meddle {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        let Data { own, effects, .. } = data;
        let fuse = script.panics == Some(at::MEDDLE);
        own.for_entities(|e| {
            for (does, y) in script.fired(at::MEDDLE, e.id.0, clock) {
                let Does::Defer(what) = does else { unreachable!("{does:?}") };
                let (entity, id) = (e.entity, e.id.0);
                effects.defer(move |defer| {
                    if fuse {
                        fail("as the program says");
                    }
                    meddle(defer, entity, what, id, y);
                });
            }
        });
    }
}

fn meddle(defer: &mut Defer<'_, Tested>, entity: Entity, what: Deferred, id: u64, y: u64) {
    match what {
        Deferred::Despawn => defer.despawn(entity),
        Deferred::Insert => {
            let _ = defer.insert_many(entity, (Tag, label_of(y)));
        }
        Deferred::Remove => defer.remove_many::<(Grade, Extra, Load)>(entity),
        Deferred::Spawn => {
            let id = born(id, y);
            defer.spawn((Id(id), Grade(value_of(id, 2))));
        }
        Deferred::SpawnAndDespawn => {
            let id = born(id, y);
            let spawned = defer.spawn((Id(id), Label("gone".to_owned())));
            defer.despawn(spawned);
        }
        Deferred::Grade => {
            if let Some(grade) = defer.get_mut::<Grade>(entity) {
                fold(&mut grade.0, y);
            }
        }
        Deferred::Accumulate => {
            let _ = defer.accumulate(entity, Grade(value_of(y, 2)));
        }
        Deferred::Emit => {
            defer.emit(Ping(y));
            defer.send(entity, Hit(y));
        }
        Deferred::Subscribe => {
            let _ = if y.is_multiple_of(4) {
                defer.unsubscribe::<Chosen>(entity)
            } else {
                defer.subscribe::<Chosen>(entity)
            };
        }
        Deferred::Mode => defer.resource_mut::<Mode>().0 ^= y % 64,
    }
}

impl System<Tested> for Roll {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::ROLL);
        let roster = data.resources.get::<Roster>();
        data.roll(|mut found| {
            let (entity, own) = (found.entity(), found.entry().id.0);
            let mut now = found.now();
            for (does, y) in script.fired(at::ROLL, own, clock) {
                let id = born(own, y);
                match does {
                    Does::Heat => {
                        if let Some(heat) = now.get_mut::<&mut Heat>(entity) {
                            fold(&mut heat.0, y);
                        }
                    }
                    Does::Insert(part) => insert!(now, entity, part, y),
                    Does::InsertOther(part) => {
                        if let Some((_, other)) = roster.pick(y) {
                            insert!(now, other, part, y);
                        }
                    }
                    Does::Remove(Part::Grade) => drop(now.remove_batch::<Grade>([entity])),
                    Does::Remove(Part::Label) => drop(now.remove_batch::<Label>([entity])),
                    Does::Remove(_) => drop(now.remove_batch::<Tag>([entity])),
                    Does::Despawn => now.despawn(entity),
                    Does::DespawnOther => {
                        if let Some((_, other)) = roster.pick(y) {
                            now.despawn(other);
                        }
                    }
                    Does::Spawn(1) => {
                        let heat = Heat(value_of(id, 1));
                        now.spawn((heat, Id(id), Grade(value_of(id, 2))));
                    }
                    Does::Spawn(_) => {
                        let grade = Grade(value_of(id, 2));
                        now.spawn((grade, Id(id), label_of(id), Tag));
                    }
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}
