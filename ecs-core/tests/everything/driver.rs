//! What happens in a step, in a world and in the model.

use ecs_core::settings::Settings;
use ecs_core::signature::Phases;
use ecs_core::{
    Addressed, Cloneable, Defer, Entity, HasComponent, HasEvent, HasManyToMany, HasRelation,
    HasResource, Hashable, Saveable, Step, World,
};

use super::model::{Being, Model};
use super::parts::*;
use super::program::*;
use super::support::mix;

#[cfg(not(feature = "serde"))]
use ecs_core::Hashable as Saved;
/// A world of all features.
pub(crate) trait Everything:
    Cloneable
    + Hashable
    + Saveable
    + HasComponent<Id>
    + HasComponent<Heat>
    + HasComponent<Grade>
    + HasComponent<Team>
    + HasComponent<Luck>
    + HasComponent<Label>
    + HasComponent<Tag>
    + HasComponent<Extra>
    + HasComponent<Load>
    + HasResource<Clock>
    + HasResource<Mode>
    + HasResource<Sunk>
    + HasResource<Log>
    + HasResource<Total>
    + HasResource<Low>
    + HasResource<Script>
    + HasResource<Roster>
    + HasEvent<Ping>
    + HasEvent<Kept>
    + HasEvent<Echo>
    + HasEvent<Whisper>
    + HasEvent<Addressed<Hit>>
    + HasEvent<Addressed<Reply>>
    + HasRelation<ChildOf>
    + HasManyToMany<Likes>
{
    const PHASED: &'static Phases;

    fn run<S: Settings>(step: &mut Step<'_, Self, S>, run: Run);

    fn spawn(defer: &mut Defer<'_, Self>, bundle: usize, id: u64, batch: bool);

    fn subscribe(defer: &mut Defer<'_, Self>, entity: Entity, on: bool);

    /// Of the systems at [`OUTPUTS`].
    fn outputs<S: Settings>(world: &World<Self, S>) -> [Vec<u64>; OUTPUTS.len()];

    /// Of the systems.
    fn names() -> Vec<&'static str>;
}

/// The systems with outputs that can be read after the step.
pub(crate) const OUTPUTS: [usize; 11] = {
    use at::*;
    [WRITE, HEAR, WATCH, RECEIVE, FRESH, STALE, LATE, LOSSES, LATE_LOSSES, ANSWER, BIND]
};

fn id_of(salt: u64, n: u64) -> u64 {
    mix(salt << 20 ^ n)
}

/// Does in a step what the event says.
pub(crate) fn perform<D: Everything, S: Settings>(
    step: &mut Step<'_, D, S>,
    roster: &[(u64, Entity)],
    event: Event,
) {
    let pick = |one: usize| roster.get(one % roster.len().max(1)).map(|(_, entity)| *entity);
    match event {
        Event::Run(run) => D::run(step, run),
        Event::Spawn { bundle, count, salt, batch } => {
            (0..count).for_each(|n| D::spawn(step, bundle, id_of(salt, n), batch));
        }
        Event::Despawn(one) => {
            if let Some(entity) = pick(one) {
                step.despawn(entity);
            }
        }
        Event::Insert(one, part) => {
            let Some(entity) = pick(one) else { return };
            let y = one as u64;
            let _ = match part {
                Part::Grade => step.insert(entity, Grade(value_of(y, 2))).map(|_| ()),
                Part::Team => step.insert(entity, Team(value_of(y, 3))).map(|_| ()),
                Part::Label => step.insert(entity, label_of(y)).map(|_| ()),
                Part::Tag => step.insert(entity, Tag).map(|_| ()),
                Part::Extra => step.insert(entity, Extra(lasting(y))).map(|_| ()),
                Part::Load => step.insert(entity, load_of(y)).map(|_| ()),
            };
        }
        Event::Remove(one, part) => {
            let Some(entity) = pick(one) else { return };
            match part {
                Part::Grade => step.remove_many::<(Grade,)>(entity),
                Part::Team => drop(step.remove::<Team>(entity)),
                Part::Label => drop(step.remove_batch::<Label>([entity])),
                Part::Tag => step.remove_many::<(Tag,)>(entity),
                Part::Extra => drop(step.remove_batch::<Extra>([entity])),
                Part::Load => drop(step.remove::<Load>(entity)),
            }
        }
        Event::Grade(one) => {
            if let Some(grade) = pick(one).and_then(|entity| step.get_mut::<Grade>(entity)) {
                fold(&mut grade.0, one as u64);
            }
        }
        Event::Accumulate(one) => {
            if let Some(entity) = pick(one) {
                let _ = step.accumulate(entity, load_of(one as u64));
            }
        }
        Event::Subscribe(one, on) => {
            if let Some(entity) = pick(one) {
                D::subscribe(step, entity, on);
            }
        }
        Event::Emit(n) => {
            step.emit(Ping(n));
            step.emit(Echo(n));
        }
        Event::Send(one, n) => {
            if let Some(entity) = pick(one) {
                step.send(entity, Hit(n));
            }
        }
        Event::Mode(mode) => step.resource_mut::<Mode>().0 = mode,
        Event::Bond(bond, one, other) => {
            let of = |one: usize| roster.get(one % roster.len().max(1)).copied();
            let Some((one, other)) = of(one).zip(of(other)) else { return };
            let [(older, parent), (younger, child)] = by_age(one, other);
            match bond {
                Bond::Insert => step.insert_link(one.1, other.1, Likes(one.0 ^ other.0)),
                Bond::Remove => step.remove_link::<Likes>(one.1, other.1),
                Bond::Unlink => step.unlink::<ChildOf>(child),
                _ if older == younger => {}
                Bond::Link => step.link::<ChildOf>(child, parent),
                Bond::Relink => step.relink::<ChildOf>(child, parent),
            }
        }
    }
}

/// The same in the model.
pub(crate) fn follow(model: &mut Model, rules: &[Vec<Rule>], roster: &[u64], event: Event) {
    let pick = |one: usize| roster.get(one % roster.len().max(1)).copied();
    match event {
        Event::Run(run) => model.execute(rules, roster, &run.systems()),
        Event::Spawn { bundle, count, salt, .. } => (0..count).for_each(|n| {
            model.create(Being::of(bundle, id_of(salt, n)));
        }),
        Event::Despawn(one) => {
            if let Some(key) = pick(one) {
                model.mark(key);
            }
        }
        Event::Insert(one, part) => {
            if let Some(key) = pick(one) {
                model.insert(key, part, one as u64);
            }
        }
        Event::Remove(one, part) => {
            if let Some(key) = pick(one) {
                model.remove(key, part);
            }
        }
        Event::Grade(one) => {
            if let Some(key) = pick(one) {
                model.write_grade(key, one as u64);
            }
        }
        Event::Accumulate(one) => {
            if let Some(key) = pick(one) {
                model.accumulate(key, Sum::Load, one as u64);
            }
        }
        Event::Subscribe(one, on) => {
            if let Some(key) = pick(one) {
                model.subscribe(key, on);
            }
        }
        Event::Emit(n) => model.emit(n),
        Event::Send(one, n) => {
            if let Some(key) = pick(one) {
                model.send(key, n);
            }
        }
        Event::Mode(mode) => model.mode = mode,
        Event::Bond(bond, one, other) => {
            if let Some((one, other)) = pick(one).zip(pick(other)) {
                model.bond(bond, one, other, one ^ other);
            }
        }
    }
}
