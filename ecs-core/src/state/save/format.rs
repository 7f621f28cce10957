//! What becomes of parts that have changed.

use bytemuck::CheckedBitPattern;
use core::fmt;
use core::marker::PhantomData;
use serde::de::DeserializeOwned;

use super::parts::{SaveContext, Shape};
use super::{COMPONENT, RESOURCE, SYSTEM};
use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::Resources;
use crate::storage::{Storage, Unfilled};
use crate::types::bytes::{Decoder, EMPTY, Fault, Frames, PLAIN, ReadValues, SERDE, checked};
use crate::types::{Brand, Erased, ThreadSafe};

/// How the parts of a world are saved, and how those of older saves are loaded.
///
/// The default says that nothing has changed: each part has the version 1.
///
/// ```
/// use ecs_core::{SaveFormat, World, world};
/// use serde::{Deserialize, Serialize};
///
/// mod old {
///     use serde::{Deserialize, Serialize};
///
///     #[derive(Serialize, Deserialize)]
///     pub struct Pos(pub f32);
///
///     ecs_core::world! { pub world Game; component Pos; }
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Position {
///     x: f32,
///     y: f32,
/// }
///
/// world! { world Game; component Position; }
///
/// fn format() -> SaveFormat<Game> {
///     SaveFormat::new().component::<Position>(|position| {
///         let from_1 = |old::Pos(x)| Position { x, y: 0.0 };
///         position.renamed_from("Pos").version(2).migrate(1, from_1)
///     })
/// }
///
/// let mut before = World::<old::Game>::new();
/// let entity = before.spawn((old::Pos(3.0),));
/// let mut save = Vec::new();
/// before.save(&mut save)?;
///
/// let mut now = World::<Game>::new();
/// format().load(&mut now, &save)?;
/// assert_eq!(now.get::<Position>(entity).unwrap().x, 3.0);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct SaveFormat<D> {
    parts: Vec<Part<D>>,
    without: Vec<String>,
    keep: Vec<String>,
    keep_unknown: bool,
    lengths: bool,
}

/// What is said of one part.
pub(super) struct Part<D> {
    /// The kind of the part, and its index among these.
    pub(super) of: (u8, usize),
    pub(super) version: u32,
    pub(super) names: Vec<String>,
    pub(super) migrations: Vec<Migration<D>>,
}

/// How a part is loaded that was saved in another version.
pub(super) struct Migration<D> {
    pub(super) version: u32,
    pub(super) shape: Shape,
    pub(super) load: Load<D>,
}

type LoadComponent = dyn for<'b> Fn(&mut Storage, u64, &mut Frames<'b>) -> Result<Option<Unfilled<'b>>, Fault>
    + Send
    + Sync;
type LoadResource =
    dyn Fn(&mut Resources, &SaveContext<'_>, &mut Decoder<'_>) -> Result<(), Fault> + Send + Sync;
type LoadSystem =
    dyn Fn(&mut Erased, &SaveContext<'_>, &mut Decoder<'_>) -> Result<(), Fault> + Send + Sync;

pub(super) enum Load<D> {
    Component(Box<LoadComponent>, Brand<D>),
    Resource(Box<LoadResource>),
    System(Box<LoadSystem>),
}

impl<D: Declaration> SaveFormat<D> {
    /// Nothing has changed.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            parts: Vec::new(),
            without: Vec::new(),
            keep: Vec::new(),
            keep_unknown: false,
            lengths: false,
        }
    }

    /// Says what has changed about the component `C`.
    #[must_use]
    pub fn component<C: 'static>(self, format: impl FnOnce(PartFormat<C>) -> PartFormat<C>) -> Self
    where
        D: HasComponent<C>,
    {
        let of = (COMPONENT, <D as HasComponent<C>>::INDEX);
        self.part(of, format(PartFormat::new()), |read| {
            let load: Box<LoadComponent> = Box::new(move |storage, readers, frames| {
                storage.load_component::<D, C>(readers, frames, &By(&*read))
            });
            Load::Component(load, PhantomData)
        })
    }

    /// Says what has changed about the resource `R`.
    #[must_use]
    pub fn resource<R: ThreadSafe>(
        self,
        format: impl FnOnce(PartFormat<R>) -> PartFormat<R>,
    ) -> Self
    where
        D: HasResource<R>,
    {
        let of = (RESOURCE, <D as HasResource<R>>::INDEX);
        self.part(of, format(PartFormat::new()), |read| {
            Load::Resource(Box::new(move |resources, _, from| {
                let place = resources.get_mut::<D, R>();
                *place = read(from)?;
                Ok(())
            }))
        })
    }

    /// Says what has changed about the state of the system `N`.
    #[must_use]
    pub fn system<N: SystemName<D>>(
        self,
        format: impl FnOnce(PartFormat<N::System>) -> PartFormat<N::System>,
    ) -> Self {
        self.part((SYSTEM, N::INDEX), format(PartFormat::new()), |read| {
            Load::System(Box::new(move |system, _, from| {
                let place = system.get_mut::<N::System>();
                *place = read(from)?;
                Ok(())
            }))
        })
    }

    /// Leaves out the parts of this name that are in a save and not in the declaration.
    #[must_use]
    pub fn without(mut self, name: impl Into<String>) -> Self {
        self.without.push(name.into());
        self
    }

    /// Keeps the parts of this name that are in a save and not in the declaration: [`load_keeping`](Self::load_keeping) returns
    /// them.
    #[must_use]
    pub fn keep(mut self, name: impl Into<String>) -> Self {
        self.keep.push(name.into());
        self
    }

    /// [Keeps](Self::keep) all parts that are in a save and not in the declaration, except for those that are [left
    /// out](Self::without).
    #[must_use]
    pub fn keep_unknown(mut self) -> Self {
        self.keep_unknown = true;
        self
    }

    /// Writes the lengths of the values that are written by `serde`, so that programs that do not know these components can
    /// [keep](Self::keep) them. (Values of plain old data have one size.) A length takes a byte if it is less than 128, and nothing
    /// if all values of a page have one length. A component with lengths takes a sixth to a fifth more time to save.
    #[must_use]
    pub fn with_lengths(mut self) -> Self {
        self.lengths = true;
        self
    }

    fn part<T>(
        mut self,
        of: (u8, usize),
        format: PartFormat<T>,
        load: impl Fn(Box<Read<T>>) -> Load<D>,
    ) -> Self {
        let PartFormat { version, names, migrations } = format;
        let migration = |(version, shape, read)| Migration { version, shape, load: load(read) };
        let migrations = migrations.into_iter().map(migration).collect();
        self.parts.push(Part { of, version, names, migrations });
        self
    }

    /// What is said of a part; of several sayings the last one.
    pub(super) fn of(&self, kind: u8, index: usize) -> Option<&Part<D>> {
        self.parts.iter().rev().find(|part| part.of == (kind, index))
    }

    /// The version of a part.
    pub(super) fn version(&self, kind: u8, index: usize) -> u32 {
        self.of(kind, index).map_or(FIRST, |part| part.version)
    }

    /// Whether a part has had this name.
    pub(super) fn was(&self, kind: u8, index: usize, name: &str) -> bool {
        self.of(kind, index).is_some_and(|part| part.names.iter().any(|old| old == name))
    }

    pub(super) fn has_lengths(&self) -> bool {
        self.lengths
    }

    pub(super) fn keeps(&self, name: &str) -> bool {
        self.keep_unknown || self.keep.iter().any(|kept| kept == name)
    }

    pub(super) fn leaves_out(&self, name: &str) -> bool {
        self.without.iter().any(|out| out == name)
    }
}

/// The version of a part of which nothing is said.
const FIRST: u32 = 1;

impl<D: Declaration> Default for SaveFormat<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> fmt::Debug for SaveFormat<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts.len();
        f.debug_struct("SaveFormat").field("parts", &parts).finish_non_exhaustive()
    }
}

/// Reads a value.
type Read<T> = dyn Fn(&mut Decoder<'_>) -> Result<T, Fault> + Send + Sync;

struct By<'a, T>(&'a Read<T>);

impl<T> ReadValues<T> for By<'_, T> {
    fn read_all(
        &self,
        from: &mut Decoder<'_>,
        count: usize,
        mut f: impl FnMut(T),
    ) -> Result<(), Fault> {
        (0..count).try_for_each(|_| (self.0)(from).map(&mut f))
    }
}

/// What has changed about a part of a world, whose values are of type `T`: an argument of the functions of [`SaveFormat`].
///
/// ```
/// # use ecs_core::{PartFormat, SaveFormat, World, world};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)]
/// # struct Age(u32);
/// # world! { world Village; component Age; }
/// fn age(format: PartFormat<Age>) -> PartFormat<Age> {
///     format.renamed_from("Years").version(2).migrate(1, |years: u8| Age(years.into()))
/// }
/// let format = SaveFormat::<Village>::new().component::<Age>(age);
/// # let _ = format;
/// ```
pub struct PartFormat<T> {
    version: u32,
    names: Vec<String>,
    migrations: Vec<(u32, Shape, Box<Read<T>>)>,
}

impl<T: 'static> PartFormat<T> {
    fn new() -> Self {
        Self { version: FIRST, names: Vec::new(), migrations: Vec::new() }
    }

    /// The present version of the part, which saves note. Change it whenever the type changes in a way that its bytes
    /// show. The default is 1.
    #[must_use]
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// A name that the part had in older saves.
    #[must_use]
    pub fn renamed_from(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// How a value is made of one of the given version, which was of type `O` and saved by `serde`.
    #[must_use]
    pub fn migrate<O: DeserializeOwned + 'static>(
        self,
        version: u32,
        migrate: impl Fn(O) -> T + Send + Sync + 'static,
    ) -> Self {
        self.migration(version, Shape { form: SERDE, size: 0 }, move |from| {
            from.by_serde::<O>().map(&migrate)
        })
    }

    /// The same, if the values were of type `O` and saved as plain old data.
    #[must_use]
    pub fn migrate_plain<O: CheckedBitPattern + 'static>(
        self,
        version: u32,
        migrate: impl Fn(O) -> T + Send + Sync + 'static,
    ) -> Self {
        self.migration(version, Shape::of::<O>(PLAIN), move |from| {
            checked::<O>(from.take(size_of::<O>())?).map(&migrate)
        })
    }

    /// The same, if the values took no bytes: a tag becomes a component with values, or a system without a state gets one. `migrate` is
    /// called once for each value.
    #[must_use]
    pub fn migrate_empty(
        self,
        version: u32,
        migrate: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.migration(version, Shape { form: EMPTY, size: 0 }, move |_| Ok(migrate()))
    }

    fn migration(
        mut self,
        version: u32,
        shape: Shape,
        read: impl Fn(&mut Decoder<'_>) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Self {
        self.migrations.push((version, shape, Box::new(read)));
        self
    }
}

impl<T> fmt::Debug for PartFormat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, names, migrations } = self;
        let migrations: Vec<u32> = migrations.iter().map(|(version, ..)| *version).collect();
        f.debug_struct("PartFormat")
            .field("version", version)
            .field("renamed_from", names)
            .field("migrations", &migrations)
            .finish()
    }
}
