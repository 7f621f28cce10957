//! Systems that read and write in place, in one of the worlds: values, sums, random numbers, outputs, streams, joins.

use std::collections::BTreeSet;

use ecs_core::{Data, Entity, System};

use super::*;

unit! { Beat Write Gauge Probe Source Sink Fresh Stale Meet Chosen Late Report Losses LateLosses }

impl System<Tested> for Beat {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        data.resources.get::<Script>().fuse(at::BEAT);
        let clock = data.resources.get_mut::<Clock>();
        clock.0 = mix(clock.0);
    }
}

impl System<Tested> for Write {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::WRITE);
        let Data { own, effects, .. } = data;
        own.for_entities(|mut e| {
            for (does, y) in script.fired(at::WRITE, e.id.0, clock) {
                match does {
                    Does::Heat => fold(&mut e.heat.0, y),
                    Does::Grade => {
                        if let Some(grade) = &mut e.grade {
                            fold(&mut grade.0, y);
                        }
                    }
                    Does::SameGrade => {
                        if let Some(grade) = &mut e.grade {
                            let same = **grade;
                            assert!(!grade.set_if_changed(same));
                        }
                    }
                    Does::Label => {
                        if let Some(label) = e.label.as_deref_mut() {
                            relabel(label, y);
                        }
                    }
                    Does::Draw => {
                        if let Some(luck) = e.luck.as_deref_mut() {
                            luck.0 = effects.random(e.entity).u64();
                        }
                    }
                    Does::Total => effects.add(Total(y >> 32)),
                    Does::Low => effects.add(Low(y)),
                    Does::Ping => effects.emit(Ping(mix(e.heat.0 ^ y))),
                    Does::Kept => effects.emit(Kept(mix(e.heat.0 ^ y))),
                    Does::Output => effects.output().push(e.heat.0),
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Gauge {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::GAUGE);
        let roster = data.resources.get::<Roster>();
        let Data { own, effects, .. } = data;
        let teams = effects.read_any::<Team>();
        for (id, heat) in own.query::<(&Id, &Heat)>() {
            for (does, y) in script.fired(at::GAUGE, id.0, clock) {
                match does {
                    Does::Ping => effects.emit(Ping(heat.0 ^ y)),
                    Does::Whisper => effects.emit(Whisper(heat.0 ^ y)),
                    Does::Total => {
                        let other = roster.pick(y).and_then(|(_, other)| teams.get(other));
                        effects.add(Total(heat.0 ^ other.map_or(0, |team| team.0)));
                    }
                    Does::Hit => {
                        if let Some((_, to)) = roster.pick(y) {
                            effects.send(to, Hit(heat.0 ^ y));
                        }
                    }
                    Does::Accumulate(sum) => {
                        if let Some((_, to)) = roster.pick(y) {
                            match sum {
                                Sum::Grade => effects.accumulate(to, Grade(value_of(y, 2))),
                                _ => effects.accumulate(to, load_of(y)),
                            }
                        }
                    }
                    other => unreachable!("{other:?}"),
                }
            }
        }
    }
}

impl System<Tested> for Probe {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::PROBE);
        let roster = data.resources.get::<Roster>();
        let Data { own, effects, .. } = data;
        own.query::<(&Id, &Heat)>().for_each(|(id, heat)| {
            for (does, y) in script.fired(at::PROBE, id.0, clock) {
                match does {
                    Does::Ping => effects.emit(Ping(heat.0 ^ y)),
                    Does::Kept => effects.emit(Kept(heat.0 ^ y)),
                    Does::Total => effects.add(Total(heat.0 ^ y)),
                    Does::Low => effects.add(Low(heat.0 ^ y)),
                    Does::Hit => {
                        if let Some((_, to)) = roster.pick(y) {
                            effects.send(to, Hit(y));
                        }
                    }
                    Does::Accumulate(sum) => {
                        if let Some((_, to)) = roster.pick(y) {
                            match sum {
                                Sum::Extra => effects.accumulate(to, Extra(lasting(y))),
                                _ => effects.accumulate(to, load_of(y)),
                            }
                        }
                    }
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Source {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::SOURCE);
        let Data { own, effects, .. } = data;
        let mut stream = effects.stream();
        own.for_entities(|e| {
            for (_, y) in script.fired(at::SOURCE, e.id.0, clock) {
                stream.send(e.grade.0 ^ y);
            }
        });
    }
}

impl System<Tested> for Sink {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let items = data.effects.received::<Source>();
        let sunk = data.resources.get_mut::<Sunk>();
        items.for_each(|item| fold(&mut sunk.0, item));
    }
}

impl System<Tested> for Fresh {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let added: BTreeSet<Entity> = data.own.added::<Grade, Entity>().collect();
        for (entity, id, grade) in data.own.changed::<Grade, (Entity, &Id, &Grade)>() {
            let added = u64::from(added.contains(&entity));
            data.effects.output().push(id.0 ^ grade.0 ^ added);
        }
    }
}

impl System<Tested> for Stale {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        for id in data.own.changed::<Grade, &Id>() {
            data.effects.output().push(id.0);
        }
    }
}

impl System<Tested> for Losses {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (own, output) = (&data.own, data.effects.output());
        output.extend(own.removed::<Grade>().map(|(_, grade)| grade.0));
        output.extend(own.removed::<Label>().map(|(_, label)| text(&label.0)));
        output.extend(own.removed::<Tag>().map(|_| 5));
    }
}

impl System<Tested> for LateLosses {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (own, output) = (&data.own, data.effects.output());
        output.extend(own.removed::<Grade>().map(|(_, grade)| grade.0));
        output.extend(own.removed::<Extra>().map(|(_, extra)| extra.0));
    }
}

impl System<Tested> for Meet {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::MEET);
        let Data { own, effects, .. } = data;
        let members = effects.lookup::<Same, (&Id, &Team)>();
        own.query::<(&Id, &mut Heat)>().join(
            members,
            |(id, heat)| script.fired(at::MEET, id.0, clock).next().map(|_| heat.0 % TEAMS),
            |(_, heat), (id, team)| fold(&mut heat.0, id.0 ^ team.0),
        );
    }
}

impl System<Tested> for Chosen {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::CHOSEN);
        data.own.for_entities(|e| {
            for (_, y) in script.fired(at::CHOSEN, e.id.0, clock) {
                fold(&mut e.heat.0, y);
            }
        });
    }
}

impl System<Tested> for Late {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let (script, clock) = now(&data.resources);
        script.fuse(at::LATE);
        let Data { own, effects, .. } = data;
        let changed: BTreeSet<Entity> = own.changed::<Grade, Entity>().collect();
        own.for_entities(|e| {
            if changed.contains(&e.entity) {
                effects.output().push(e.id.0 ^ e.grade.0);
            }
            for (does, y) in script.fired(at::LATE, e.id.0, clock) {
                match does {
                    Does::Echo => effects.emit(Echo(e.grade.0 ^ y)),
                    Does::Despawn => effects.despawn(e.entity),
                    Does::Spawn(_) => {
                        let id = born(e.id.0, y);
                        effects.spawn((Id(id), Team(value_of(id, 3))));
                    }
                    Does::Output => effects.output().push(e.id.0),
                    Does::Accumulate(_) => effects.accumulate(e.entity, load_of(y)),
                    other => unreachable!("{other:?}"),
                }
            }
        });
    }
}

impl System<Tested> for Report {
    fn process(&self, data: &mut Data<'_, Tested, Self>) {
        let effects = &data.effects;
        let outputs = [
            effects.outputs_of::<Write>().flatten().copied().collect::<Vec<u64>>(),
            effects.outputs_of::<Hear>().flatten().copied().collect(),
            effects.outputs_of::<Watch>().flatten().copied().collect(),
            effects.outputs_of::<Receive>().flatten().copied().collect(),
            effects.outputs_of::<Fresh>().flatten().copied().collect(),
            effects.outputs_of::<Stale>().flatten().copied().collect(),
            effects.outputs_of::<Late>().flatten().copied().collect(),
            effects.outputs_of::<Losses>().flatten().copied().collect(),
            effects.outputs_of::<LateLosses>().flatten().copied().collect(),
        ];
        let log = data.resources.get_mut::<Log>();
        for output in outputs {
            fold(&mut log.0, output.len() as u64);
            for value in output { fold(&mut log.0, value); }
        }
    }
}
