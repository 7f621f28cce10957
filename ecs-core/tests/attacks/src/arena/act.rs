//! Operations in a step of a world, and their results.

use ecs_core::Component;
use ecs_core::HasComponent;
use ecs_core::settings::Settings;
use ecs_core::{Bundle, Defer, Entity, LimitReached, Step, World};

use super::number::{COLUMN, LEFT, MAPPED, NAME, RIGHT, SPARSE, TAG};
use super::{
    Act, Arena, COUNTS, Chronicle, Column, Given, Left, Mapped, Name, Op, Order, Orders, Parts,
    Right, Sparse, Tag,
};
use crate::faults::Fault;
use crate::random::mix;

/// The result of an operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The spawned entities; `None` if there was no room.
    Spawned(Option<Vec<Entity>>),
    /// Whether the entity existed, and the value that it had.
    Had(bool, Option<u64>),
    /// The number of affected entities.
    Count(usize),
    /// The systems ran, and wrote this chronicle.
    Ran(Vec<u64>),
}

/// The state of a running program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Playing {
    /// Every handle that was ever seen.
    pub(crate) handles: Vec<Entity>,
    /// The number of the latest execution, or of the latest entity.
    pub(crate) serial: u64,
    /// Whether the world has a limit that the program may reach. Systems then spawn nothing.
    pub(crate) tight: bool,
    /// Whether an execution of this step may spawn.
    pub(crate) breeds: bool,
}

/// The maximum number of entities at which an execution may spawn. Each entity spawns at most three.
const FEW: usize = 40;
/// The maximum number of entities at which a step may spawn a batch.
pub(crate) const MANY: usize = 120;
/// The maximum number of entities that a program can have at once.
pub(crate) const ROOM: usize = 320;

impl Playing {
    /// The handle with a number of a program.
    pub(crate) fn handle(&self, at: usize) -> Option<Entity> {
        self.handles.get(at.checked_rem(self.handles.len())?).copied()
    }

    /// The orders of an execution, with at most one of each kind that defers a spawn.
    fn give(&mut self, orders: &[Order], living: usize) -> Vec<Given> {
        self.serial += 1;
        let breeds = std::mem::take(&mut self.breeds) && living <= FEW && !self.tight;
        let mut deferred = Vec::new();
        let allowed = |order: &&Order| match order.act {
            Act::SpawnColumn | Act::SpawnPair | Act::SpawnTagged => breeds,
            Act::DeferSpawn | Act::DeferSpawnDespawned => {
                let first = !deferred.contains(&order.act);
                deferred.push(order.act);
                breeds && first
            }
            _ => true,
        };
        let numbered = orders.iter().filter(allowed).zip(0..);
        let given = |(&order, index)| Given { order, target: self.handle(order.target), index };
        numbered.map(given).collect()
    }

    /// `count` handles, from the number `at` on.
    pub(crate) fn range(&self, at: usize, count: usize) -> Vec<Entity> {
        let len = self.handles.len();
        let first = at.checked_rem(len).unwrap_or(0);
        self.handles[first..len.min(first + count)].to_vec()
    }
}

/// An expression for the component with a number.
macro_rules! of_component {
    ($which:expr, $C:ident => $body:expr) => {
        match $which {
            COLUMN => {
                type $C = Column;
                $body
            }
            LEFT => {
                type $C = Left;
                $body
            }
            RIGHT => {
                type $C = Right;
                $body
            }
            MAPPED => {
                type $C = Mapped;
                $body
            }
            SPARSE => {
                type $C = Sparse;
                $body
            }
            _ => {
                type $C = Tag;
                $body
            }
        }
    };
}

/// A component that is constructed from a number.
pub(crate) trait Part: Component {
    fn part(fault: &Fault, value: u64) -> Self;
    fn number(&self) -> u64;
    fn write(&mut self, value: u64);
}

macro_rules! parts {
    ($($name:ident)*) => {$(
        impl Part for $name {
            fn part(fault: &Fault, value: u64) -> Self {
                Self::new(fault, value)
            }

            fn number(&self) -> u64 {
                self.get()
            }

            fn write(&mut self, value: u64) {
                self.set(value);
            }
        }
    )*};
}

parts! { Column Left Right Mapped Sparse }

impl Part for Tag {
    fn part(_: &Fault, _: u64) -> Self {
        Self
    }

    fn number(&self) -> u64 {
        1
    }

    fn write(&mut self, _: u64) {}
}

/// Executes an operation. `fault` counts the values of the program.
pub(crate) fn act<D: Arena, S: Settings>(
    step: &mut Step<'_, D, S>,
    op: &Op,
    playing: &mut Playing,
    fault: &Fault,
) -> Answer {
    COUNTS.op(op);
    match *op {
        Op::Spawn { bundle, value } => spawn(step, playing, fault, bundle, value, None),
        Op::Batch { bundle, value, count } => {
            spawn(step, playing, fault, bundle, value, Some(count))
        }
        Op::Despawn(at) => {
            let Some(entity) = playing.handle(at) else { return Answer::Count(0) };
            let alive = step.is_alive(entity);
            step.despawn(entity);
            assert_eq!(step.is_alive(entity), alive, "the despawned live until the refresh");
            Answer::Had(alive, None)
        }
        Op::Add { at, which, value } => {
            let Some(entity) = playing.handle(at) else { return Answer::Count(0) };
            of_component!(which, C => {
                match step.insert(entity, C::part(fault, value)) {
                    Ok(had) => Answer::Had(true, had.map(|had| had.number())),
                    Err(error) => {
                        assert_eq!(error.0, entity);
                        Answer::Had(false, None)
                    }
                }
            })
        }
        Op::Remove { at, which } => {
            let Some(entity) = playing.handle(at) else { return Answer::Count(0) };
            let alive = step.is_alive(entity);
            of_component!(which, C => {
                let had = step.remove::<C>(entity);
                Answer::Had(alive, had.map(|had| had.number()))
            })
        }
        Op::AddBatch { at, count, which, value } => {
            let entities = playing.range(at, count).into_iter();
            of_component!(which, C => {
                let parts = entities.map(|entity| (entity, C::part(fault, value)));
                Answer::Count(step.insert_batch(parts))
            })
        }
        Op::RemoveBatch { at, count, which } => {
            let entities = playing.range(at, count).into_iter();
            of_component!(which, C => Answer::Count(step.remove_batch::<C>(entities)))
        }
        Op::Write { at, which, value } => {
            let Some(entity) = playing.handle(at) else { return Answer::Count(0) };
            let alive = step.is_alive(entity);
            of_component!(which, C => {
                let had = step.get_mut::<C>(entity).map(|part| {
                    let had = part.number();
                    part.write(value);
                    had
                });
                Answer::Had(alive, had)
            })
        }
        Op::Watch { at, watched } => {
            let Some(entity) = playing.handle(at) else { return Answer::Count(0) };
            Answer::Had(D::watch(step, entity, watched).is_ok(), None)
        }
        Op::Execute { run, ref orders } => {
            let list = playing.give(orders, step.entity_count());
            *step.resource_mut::<Orders>() =
                Orders { fault: fault.clone(), serial: playing.serial, list };
            step.resource_mut::<Chronicle>().0.clear();
            D::execute(step, run);
            Answer::Ran(step.resource::<Chronicle>().0.clone())
        }
    }
}

/// Spawns one entity, or a batch.
fn spawn<D: Arena>(
    defer: &mut Defer<'_, D>,
    playing: &mut Playing,
    fault: &Fault,
    bundle: usize,
    value: u64,
    count: Option<usize>,
) -> Answer {
    let room = playing.tight || defer.entity_count() <= MANY;
    let count = count.map(|count| if room { count } else { 0 });
    let first = playing.serial + 1;
    playing.serial += count.unwrap_or(1) as u64;
    let names = first..=playing.serial;
    let batch = count.is_some();
    let fault = fault.clone();
    let spawned = match bundle {
        0 => put(defer, batch, names.map(|_| ())),
        1 => put(defer, batch, names.map(|n| (Name(mix(n)), Column::new(&fault, value)))),
        2 => put(
            defer,
            batch,
            names.map(|n| {
                let (left, right) = (Left::new(&fault, value), Right::new(&fault, value));
                (Name(mix(n)), left, right, Sparse::new(&fault, value))
            }),
        ),
        3 => put(defer, batch, names.map(|n| (Tag, Mapped::new(&fault, value), Name(mix(n))))),
        _ => put(
            defer,
            batch,
            names.map(|n| {
                let (right, mapped) = (Right::new(&fault, value), Mapped::new(&fault, value));
                let (column, left) = (Column::new(&fault, value), Left::new(&fault, value));
                (right, Name(mix(n)), mapped, column, left)
            }),
        ),
    };
    let spawned = spawned.ok();
    playing.handles.extend(spawned.iter().flatten());
    Answer::Spawned(spawned)
}

fn put<D: Arena, B: Bundle<D>>(
    defer: &mut Defer<'_, D>,
    batch: bool,
    mut bundles: impl Iterator<Item = B>,
) -> Result<Vec<Entity>, LimitReached> {
    if batch {
        Ok(defer.spawn_batch(bundles)?.collect())
    } else {
        bundles.try_fold(Vec::new(), |mut spawned, bundle| {
            spawned.push(defer.spawn(bundle)?);
            Ok(spawned)
        })
    }
}

/// The contents of a world: the entities in their order, with their parts.
pub(crate) fn contents<D: Arena, S: Settings>(world: &World<D, S>) -> Vec<(Entity, Parts)> {
    type Terms<'a> = (
        Entity,
        Option<&'a Name>,
        (Option<&'a Column>, Option<&'a Left>, Option<&'a Right>),
        (Option<&'a Mapped>, Option<&'a Sparse>, Option<&'a Tag>),
    );
    let mut all = Vec::new();
    world.for_each::<Terms<'_>>(|(entity, name, (column, left, right), (mapped, sparse, tag))| {
        let mut parts = Parts::default();
        parts[NAME] = name.map(|name| name.0);
        parts[COLUMN] = column.map(Column::get);
        parts[LEFT] = left.map(Left::get);
        parts[RIGHT] = right.map(Right::get);
        parts[MAPPED] = mapped.map(Mapped::get);
        parts[SPARSE] = sparse.map(Sparse::get);
        parts[TAG] = tag.map(|_| 1);
        all.push((entity, parts));
    });
    all
}

/// The parts of an entity, looked up by its handle one component after the other.
pub(crate) fn looked_up<D: Arena, S: Settings>(world: &World<D, S>, entity: Entity) -> Parts {
    fn get<D: Arena + HasComponent<C>, S: Settings, C: Part>(
        world: &World<D, S>,
        entity: Entity,
    ) -> Option<u64> {
        world.get::<C>(entity).map(Part::number)
    }
    let mut parts = Parts::default();
    parts[NAME] = world.get::<Name>(entity).map(|name| name.0);
    for (which, part) in parts.iter_mut().enumerate().skip(1) {
        *part = of_component!(which, C => get::<D, S, C>(world, entity));
    }
    parts
}
