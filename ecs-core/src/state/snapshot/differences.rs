//! In what two worlds differ: for each part the first row, the entity, and both values, as a table.

use core::fmt;

use super::Hashable;
use super::hashes::ComponentHash;
use super::parts::{Part, Source};
use super::show::Shown;
use crate::entity::Entity;
use crate::rows::{BLOCK_ROWS, PAGE_ROWS};
use crate::signature::Declaration;
use crate::state::Core;

/// In what two worlds of a declaration differ: [`World::differences`](crate::World::differences). As text, it is a table.
///
/// ```
/// use ecs_core::{StateHash, World, world};
///
/// #[derive(Clone, Debug, StateHash)]
/// struct Position(f32);
/// #[derive(Clone, Debug, Default, StateHash)]
/// struct Score(u32);
///
/// world! {
///     world Game;
///     component Position;
///     resource Score;
/// }
///
/// let mut one = World::<Game>::new();
/// let all = one.spawn_batch([0.5, 1.0, 1.5].map(|x| (Position(x),))).to_vec();
/// let mut other = one.clone();
/// other.get_mut::<Position>(all[1]).unwrap().0 = 2.0;
/// other.resource_mut::<Score>().0 = 7;
///
/// let differences = one.differences(&other);
/// assert_eq!(differences.iter().next().unwrap().entity, Some(all[1]));
/// assert_eq!(differences.to_string(), "\
/// part                  rows  entity  one            other
/// component `Position`  1     1v1     Position(1.0)  Position(2.0)
/// resource `Score`                    Score(0)       Score(7)
/// ");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences {
    all: Vec<Difference>,
}

/// A part of two worlds that differs, with the first of its values that do.
///
/// ```
/// use ecs_core::{Part, StateHash, World, world};
/// # #[derive(Debug, StateHash)]
/// # struct Mass(u32);
/// # world! { world Sky; component Mass; }
/// let [mut one, mut other] = [World::<Sky>::new(), World::<Sky>::new()];
/// one.spawn((Mass(1),));
/// other.spawn((Mass(2),));
/// let differences = one.differences(&other);
/// let difference = differences.iter().next().unwrap();
/// assert_eq!(difference.part, Part::Component("Mass"));
/// assert_eq!([&difference.one, &difference.other], ["Mass(1)", "Mass(2)"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The part.
    pub part: Part,
    /// The first row that differs, if the part has rows.
    pub row: Option<usize>,
    /// The number of rows that differ. 0 if the part has no rows, or only what is not in a row differs.
    pub rows: usize,
    /// The entity in that row, if there is one: in the first world, or else in the other one.
    pub entity: Option<Entity>,
    /// The value in the first world: by its `Debug`, or its hash if the type has none.
    pub one: String,
    /// The value in the other world.
    pub other: String,
}

impl Differences {
    /// None.
    #[cfg(feature = "serde")]
    pub(crate) const fn none() -> Self {
        Self { all: Vec::new() }
    }

    /// Whether there is none: the worlds have the same [state](crate::World::state_hash).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The parts that differ, in the order of the declaration.
    pub fn iter(&self) -> impl Iterator<Item = &Difference> {
        self.all.iter()
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![["part", "rows", "entity", "one", "other"].map(str::to_owned)];
        lines.extend(self.all.iter().map(|difference| {
            let Difference { part, row, rows, entity, one, other } = difference;
            let further = if *rows > 1 { format!(" and {} more", rows - 1) } else { String::new() };
            let row = row.map_or_else(String::new, |row| format!("{row}{further}"));
            let entity = entity.map_or_else(String::new, |entity| format!("{entity:?}"));
            [part.to_string(), row, entity, one.clone(), other.clone()]
        }));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0)).collect();
        lines.iter().filter(|_| !self.is_empty()).try_for_each(|line| {
            let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())
        })
    }
}

/// The first row, and the number of rows, of which a function says that they differ.
type Rows<'a> = dyn Fn(&dyn Fn(usize) -> bool) -> (Option<usize>, usize) + 'a;

impl<D: Hashable> Core<D> {
    /// In what the worlds differ. Values are looked at in pages whose hashes differ only.
    pub(crate) fn differences(&self, other: &Self) -> Differences {
        let (ones, others) = (self.state_hashes(), other.state_hashes());
        let pairs = ones.parts().zip(others.parts()).enumerate();
        let differ = pairs.filter(|(_, ((_, one), (_, other)))| one != other);
        let differ: Vec<(usize, [u64; 2])> =
            differ.map(|(at, ((_, one), (_, other)))| (at, [one, other])).collect();
        let mut differ = differ.into_iter().peekable();
        let mut all = Vec::new();
        for (at, source) in Source::<D>::all().enumerate() {
            if let Some((_, hashes)) = differ.next_if(|&(part, _)| part == at) {
                let pages: Vec<usize> = ones.different_pages(&others, at).collect();
                all.push(self.difference(other, &source, &pages, hashes));
            }
        }
        Differences { all }
    }

    /// The difference of a part with these hashes, in these pages, if it has pages.
    fn difference(
        &self,
        other: &Self,
        source: &Source<D>,
        pages: &[usize],
        hashes: [u64; 2],
    ) -> Difference {
        let cores = [self, other];
        // What differs in which rows.
        let rows = |differs: &dyn Fn(usize) -> bool| {
            let rows = pages.iter().flat_map(|page| page * PAGE_ROWS..(page + 1) * PAGE_ROWS);
            rows.filter(|&row| differs(row))
                .fold((None, 0), |(first, count), row| (Some(first.unwrap_or(row)), count + 1))
        };
        let [one_hash, other_hash] = hashes.map(|hash| format!("{hash:016x}"));
        let part = source.part();
        let of_whole = |values: [String; 2]| {
            let [one, other] = values;
            Difference { part, row: None, rows: 0, entity: None, one, other }
        };
        let by_hash = || of_whole([one_hash.clone(), other_hash.clone()]);
        let shown = |shown| cores.map(|core| core.show(shown, 0));
        match *source {
            Source::Entities => {
                let [ones, others] = cores.map(|core| &core.storage.entities);
                let (row, count) = rows(&|row| ones.state_of(row) != others.state_of(row));
                let Some(row) = row else {
                    return of_whole(["other free indices".into(), "other free indices".into()]);
                };
                let [one, other] = [ones, others].map(|entities| match entities.state_of(row) {
                    None => "no such row".to_owned(),
                    Some((entity, true)) => format!("{entity:?}"),
                    Some((entity, false)) => format!("free for {entity:?}"),
                });
                Difference {
                    part,
                    row: Some(row),
                    rows: count,
                    entity: entity(cores, row),
                    one,
                    other,
                }
            }
            Source::Component(hash) => self.difference_of_component(other, part, hash, &rows),
            Source::Resource(hash) => match shown(Shown::Resource(hash.index)) {
                [Some(one), Some(other)] => of_whole([one, other]),
                _ => by_hash(),
            },
            Source::System(hash) => match shown(Shown::System(hash.index)) {
                [Some(one), Some(other)] => of_whole([one, other]),
                _ => by_hash(),
            },
            Source::Subscriptions(index) => {
                let is_subscribed = |core: &Self, row: usize| {
                    let block = core.subscriptions[index].set.block(row / BLOCK_ROWS);
                    block >> (row % BLOCK_ROWS) & 1 == 1
                };
                let all =
                    self.storage.entities.rows().len().max(other.storage.entities.rows().len());
                let differ = |&row: &usize| is_subscribed(self, row) != is_subscribed(other, row);
                let Some(row) = (0..all).find(differ) else { return by_hash() };
                let count = (0..all).filter(differ).count();
                let [one, other] = cores.map(|core| {
                    if is_subscribed(core, row) {
                        "subscribed".into()
                    } else {
                        "not subscribed".into()
                    }
                });
                Difference {
                    part,
                    row: Some(row),
                    rows: count,
                    entity: entity(cores, row),
                    one,
                    other,
                }
            }
            Source::Random => of_whole(cores.map(|core| {
                let (seed, executions) = (core.random.seed, core.random.executions);
                format!("seed {seed}, execution {executions}")
            })),
            Source::States => of_whole(cores.map(|core| core.transitions.to_string())),
        }
    }

    fn difference_of_component(
        &self,
        other: &Self,
        part: Part,
        hash: &ComponentHash<D>,
        rows: &Rows<'_>,
    ) -> Difference {
        let cores = [self, other];
        let value = |core: &Self, row: usize| (hash.value)(&core.storage, row);
        let (row, count) = rows(&|row| value(self, row) != value(other, row));
        let Some(row) = row else {
            let [one, other] = cores.map(|core| {
                format!("{:016x} (marks of changes, removed values)", (hash.changes)(&core.storage))
            });
            return Difference { part, row: None, rows: 0, entity: None, one, other };
        };
        let [one, other] = cores.map(|core| match value(core, row) {
            None => "none".to_owned(),
            Some(hash_of_value) => {
                let text = core.show(Shown::Component(hash.index), row);
                text.unwrap_or_else(|| format!("{hash_of_value:016x}"))
            }
        });
        Difference { part, row: Some(row), rows: count, entity: entity(cores, row), one, other }
    }

    /// The value as text, if its type has a text.
    fn show(&self, shown: Shown, row: usize) -> Option<String> {
        let show = D::SHOWN.iter().flatten().find(|show| show.shown == shown)?;
        (show.text)(self, row)
    }
}

/// The entity in this row of the first world, or else of the other one.
fn entity<D: Declaration>(cores: [&Core<D>; 2], row: usize) -> Option<Entity> {
    let [one, other] = cores.map(|core| core.storage.entities.state_of(row));
    let living = [one, other].into_iter().flatten().find(|(_, is_alive)| *is_alive);
    living.map(|(entity, _)| entity)
}
