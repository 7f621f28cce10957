//! The state hash of a world, part by part.
//!
//! ```text
//! entities:                 pages of rows │ rest     ─┐
//! component A:              pages of rows │ changes  ─┤
//! …                                                   ├─ one hash for each part ── state hash
//! resources, systems, …                              ─┘
//! ```
//!
//! Each hash is one of the hashes to its left, in their order. So it does not matter which thread makes which of them.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use super::hashes::{ComponentHash, ResourceHash, SystemHash};
use super::{Hashable, lines};
use crate::parallel::{Workers, fork_chunks};
use crate::rows::PAGE_ROWS;
use crate::signature::{Declaration, any_every, any_random, systems_of};
use crate::state::Core;
use crate::storage::Storage;
use crate::types::{Brand, StateHash, StateHasher};

/// The number of pages that are hashed by one thread in a row.
const CHUNK: usize = 4;

/// The fewest pages that are hashed on several threads: some 50 µs of work.
const SHARED: usize = 8 * CHUNK;

/// A part of the state of a world, which has a hash of its own in [`StateHashes`].
///
/// ```
/// use ecs_core::Part;
///
/// assert_eq!(Part::Component("Position").to_string(), "component `Position`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The entities: their handles and rows, and those of the next ones.
    Entities,
    /// The component of this name: which entities have one, the values, marks of changes, and what was removed and not read yet.
    Component(&'static str),
    /// The resource of this name. The links of a relation and the events of a type are resources, too.
    Resource(&'static str),
    /// The state of the system of this name.
    System(&'static str),
    /// The entities that are subscribed by hand to the system of this name.
    Subscriptions(&'static str),
    /// What [random numbers](crate::random) follow from.
    Random,
    /// The states, requests to change them, and the number of executions where systems run in each n-th one.
    CurrentStates,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entities => f.write_str("entities"),
            Self::Component(name) => write!(f, "component `{name}`"),
            Self::Resource(name) => write!(f, "resource `{name}`"),
            Self::System(name) => write!(f, "state of the system `{name}`"),
            Self::Subscriptions(name) => write!(f, "subscriptions to the system `{name}`"),
            Self::Random => f.write_str("random numbers"),
            Self::CurrentStates => f.write_str("states"),
        }
    }
}

/// A part, and how it is hashed.
pub(super) enum Source<D: Declaration> {
    Entities,
    Component(&'static ComponentHash<D>),
    Resource(&'static ResourceHash<D>),
    System(&'static SystemHash<D>),
    Subscriptions(usize),
    Random,
    States,
}

impl<D: Hashable> Source<D> {
    /// All parts, in the order of the declaration.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let systems = systems_of::<D>();
        let opt_in = move |&index: &usize| systems[index].declared.opt_in;
        let has_states = !D::STATES.is_empty() || any_every(systems);
        core::iter::once(Self::Entities)
            .chain(lines(D::COMPONENT_HASHES).map(Self::Component))
            .chain(lines(D::RESOURCE_HASHES).flatten().map(Self::Resource))
            .chain(lines(D::SYSTEM_HASHES).map(Self::System))
            .chain((0..systems.len()).filter(opt_in).map(Self::Subscriptions))
            .chain(any_random(systems).then_some(Self::Random))
            .chain(has_states.then_some(Self::States))
    }

    /// The name of the part.
    pub(super) fn part(&self) -> Part {
        let system = |index: usize| systems_of::<D>()[index].name;
        match *self {
            Self::Entities => Part::Entities,
            Self::Component(hash) => Part::Component(D::COMPONENTS[hash.index].name()),
            Self::Resource(hash) => Part::Resource(D::RESOURCES[hash.index].name()),
            Self::System(hash) => Part::System(system(hash.index)),
            Self::Subscriptions(index) => Part::Subscriptions(system(index)),
            Self::Random => Part::Random,
            Self::States => Part::CurrentStates,
        }
    }
}

impl<D: Hashable> Core<D> {
    /// A hash of everything that later steps depend on.
    pub(crate) fn state_hash(&self) -> u64 {
        total(&self.hash_parts(&self.hash_pages()))
    }

    /// The same, part by part.
    pub(crate) fn state_hashes(&self) -> StateHashes<D> {
        let pages = self.hash_pages();
        StateHashes { parts: self.hash_parts(&pages).into(), pages, declaration: PhantomData }
    }

    /// Hashes the pages of the entities and of each component.
    fn hash_pages(&self) -> Pages {
        let (storage, threads): (&Storage, _) = (&self.storage, self.threads.available());
        let components: Vec<_> = lines(D::COMPONENT_HASHES).collect();
        assert!(
            components.len() == D::COMPONENTS.len(),
            "the declaration `{}` says how to hash other components than it has",
            D::NAME,
        );
        let each = storage.entities.pages();
        let mut hashes = vec![0; (1 + components.len()) * each];
        let hash = |first: usize, hashes: &mut [u64]| {
            for (at, hash) in (first..).zip(hashes) {
                *hash = match (at / each).checked_sub(1) {
                    None => storage.hash_of_entities(at % each),
                    Some(component) => {
                        let ComponentHash { index, page, .. } = *components[component];
                        storage.hash_of_page(index, at % each, page)
                    }
                };
            }
        };
        // Not counting pages of entities, of which there are few.
        let are_many = || {
            let unknown = |component: &&ComponentHash<D>| {
                (0..each).filter(|&page| !storage.knows_hash(component.index, page)).count()
            };
            components.iter().map(unknown).sum::<usize>() >= SHARED
        };
        if threads.count > 1 && (threads.are_eager || are_many()) {
            let run = |workers: &Workers| fork_chunks(workers, &mut hashes, CHUNK, &hash);
            self.threads.run(run);
        } else {
            hash(0, &mut hashes);
        }
        Pages { hashes: hashes.into(), each, is_known: true }
    }

    /// The hash of each part.
    fn hash_parts(&self, pages: &Pages) -> Vec<u64> {
        let hash = |(at, source): (usize, Source<D>)| {
            let mut hasher = StateHasher::new();
            match source {
                Source::Entities => {
                    pages.of(at).state_hash(&mut hasher);
                    self.storage.entities.hash_rest(&mut hasher);
                }
                Source::Component(hash) => {
                    pages.of(at).state_hash(&mut hasher);
                    (hash.changes)(&self.storage).state_hash(&mut hasher);
                }
                Source::Resource(hash) => (hash.put)(&self.resources, &mut hasher),
                Source::System(hash) => (hash.put)(self, &mut hasher),
                Source::Subscriptions(index) => {
                    let blocks =
                        self.storage.entities.rows().len().div_ceil(crate::rows::BLOCK_ROWS);
                    let set = &self.subscriptions[index].set;
                    (0..blocks).for_each(|block| set.block(block).state_hash(&mut hasher));
                }
                Source::Random => {
                    (self.random.seed, self.random.executions).state_hash(&mut hasher);
                }
                Source::States => self.transitions.state_hash(&mut hasher),
            }
            hasher.finish()
        };
        Source::<D>::all().enumerate().map(hash).collect()
    }
}

/// The state hash of a world with these hashes of its parts.
fn total(parts: &[u64]) -> u64 {
    let mut hasher = StateHasher::new();
    parts.state_hash(&mut hasher);
    hasher.finish()
}

/// Hashes by page: those of the entities, and those of each component in order.
#[derive(Clone, Debug, Default)]
struct Pages {
    hashes: Box<[u64]>,
    /// The number of pages of rows.
    each: usize,
    /// Whether the hashes are there.
    is_known: bool,
}

impl Pages {
    /// Those of the entities (0) or of a component (from 1 on). None for other parts, or if they are unknown.
    fn of(&self, part: usize) -> &[u64] {
        self.hashes.get(part * self.each..(part + 1) * self.each).unwrap_or(&[])
    }
}

/// The hashes of the parts of a world's state: [`World::state_hashes`](crate::World::state_hashes).
///
/// Where two worlds that should be the same are not, these say where. A part has 8 bytes, so programs on two machines can
/// send each other the [hashes of all parts](Self::as_slice) where one [state hash](crate::World::state_hash) would only tell
/// that something differs.
///
/// ```
/// use ecs_core::{Part, StateHash, StateHashes, World, world};
///
/// #[derive(Clone, StateHash)]
/// struct Position(f32);
/// #[derive(Clone, Default, StateHash)]
/// struct Score(u32);
///
/// world! {
///     world Game;
///     component Position;
///     resource Score;
/// }
///
/// let mut here = World::<Game>::new();
/// here.spawn((Position(0.0),));
/// let mut there = here.clone();
/// there.resource_mut::<Score>().0 = 7;
///
/// // What the other machine sends.
/// let message: Vec<u64> = there.state_hashes().as_slice().to_vec();
///
/// let theirs = StateHashes::<Game>::from_slice(&message).expect("of the same program");
/// let differences = here.state_hashes().differences(&theirs);
/// assert_eq!(differences[0].part, Part::Resource("Score"));
/// assert_eq!(differences.len(), 1);
/// ```
pub struct StateHashes<D> {
    parts: Box<[u64]>,
    /// None if the hashes are from a slice.
    pages: Pages,
    declaration: Brand<D>,
}

impl<D: Hashable> StateHashes<D> {
    /// The hash of the whole state, as [`World::state_hash`](crate::World::state_hash) gives it.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        total(&self.parts)
    }

    /// The parts, in the order of the declaration, with their hashes.
    pub fn parts(&self) -> impl Iterator<Item = (Part, u64)> {
        Source::<D>::all().map(|source| source.part()).zip(self.parts.iter().copied())
    }

    /// The hashes of the parts, to be sent or stored. The parts are the same for all worlds of the declaration, in the same
    /// order.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.parts
    }

    /// Hashes that [`as_slice`](Self::as_slice) has given. `None` if their number is not that of the parts: another
    /// declaration has given them.
    #[must_use]
    pub fn from_slice(hashes: &[u64]) -> Option<Self> {
        (hashes.len() == Source::<D>::all().count()).then(|| Self {
            parts: hashes.into(),
            pages: Pages::default(),
            declaration: PhantomData,
        })
    }

    /// The parts that differ, in the order of the declaration. There are none if the worlds are the same.
    ///
    /// [`World::differences`](crate::World::differences) compares the worlds themselves, where both are at hand.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<PartDifference> {
        let hashes = self.parts().zip(&other.parts).enumerate();
        let differ = hashes.filter(|(_, ((_, one), other))| one != *other);
        let differ = differ.map(|(at, ((part, _), _))| PartDifference {
            part,
            rows: self
                .different_pages(other, at)
                .next()
                .map(|page| page * PAGE_ROWS..(page + 1) * PAGE_ROWS),
        });
        differ.collect()
    }

    /// The pages of this part that differ, as far as pages are known.
    pub(super) fn different_pages(&self, other: &Self, part: usize) -> impl Iterator<Item = usize> {
        let (ones, others) = (self.pages.of(part), other.pages.of(part));
        let is_known = self.pages.is_known && other.pages.is_known;
        let pages = if is_known { ones.len().max(others.len()) } else { 0 };
        (0..pages).filter(|&page| ones.get(page) != others.get(page))
    }
}

impl<D> Clone for StateHashes<D> {
    fn clone(&self) -> Self {
        let Self { parts, pages, .. } = self;
        Self { parts: parts.clone(), pages: pages.clone(), declaration: PhantomData }
    }
}

impl<D> PartialEq for StateHashes<D> {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl<D> Eq for StateHashes<D> {}

impl<D: Hashable> fmt::Debug for StateHashes<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts().map(|(part, hash)| (part, format!("{hash:016x}")));
        f.debug_map().entries(parts).finish()
    }
}

/// A part of the states of two worlds whose hashes differ: [`StateHashes::differences`].
///
/// ```
/// use ecs_core::{StateHash, World, world};
/// # #[derive(StateHash)]
/// # struct Mass(u32);
/// # world! { world Sky; component Mass; }
/// let [mut one, mut other] = [World::<Sky>::new(), World::<Sky>::new()];
/// one.spawn((Mass(1),));
/// other.spawn((Mass(2),));
/// let differences = one.state_hashes().differences(&other.state_hashes());
/// assert_eq!(differences[0].to_string(), "component `Mass`, from row 0 on");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartDifference {
    /// The part.
    pub part: Part,
    /// The first rows that differ, [`PAGE_ROWS`](crate::PAGE_ROWS) of them, if the part has rows and these hashes know of
    /// them: those from a slice do not.
    pub rows: Option<Range<usize>>,
}

impl fmt::Display for PartDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, rows } = self;
        write!(f, "{part}")?;
        rows.as_ref().map_or(Ok(()), |rows| write!(f, ", from row {} on", rows.start))
    }
}
