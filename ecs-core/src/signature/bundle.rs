//! *Bundles*: the components that an entity is spawned with.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use std::sync::Arc;

use crate::entity::{Entity, LimitReached, RowRanges};
use crate::signature::family::Family;
use crate::signature::{Declaration, HasComponent, Message};
use crate::storage::{AnyChildren, Chunk, NewRow, SpawnWriter, Stages, Storage, Stored};
use crate::types::{Brand, IndexSet};

/// Components to spawn an entity with: a tuple, a bundle that the declaration [names](crate::world!#bundle-name--a-b-), or a
/// type of your own that puts each component.
///
/// ```
/// use ecs_core::{Bundle, BundleSink, world};
/// # struct Position(f32, f32);
/// # struct Velocity(f32, f32);
/// world! {
///     world Space;
///     component Position, Velocity;
/// }
///
/// struct AtRest(f32, f32);
///
/// impl Bundle<Space> for AtRest {
///     fn put(self, sink: &mut BundleSink<'_, Space>) {
///         sink.put(Position(self.0, self.1));
///         sink.put(Velocity(0.0, 0.0));
///     }
/// }
///
/// let mut world = ecs_core::World::<Space>::new();
/// world.spawn(AtRest(1.0, 2.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0066] `{Self}` is not a bundle of components of the world `{D}`",
    label = "not a bundle",
    note = "a bundle is a tuple of components, as in `(Position, Velocity)` or `(Life,)`"
)]
pub trait Bundle<D: Declaration> {
    /// What the library knows of the bundle: that of a tuple, or nothing.
    #[doc(hidden)]
    const FACTS: BundleFacts = BundleFacts::UNKNOWN;

    /// Puts each component.
    fn put(self, sink: &mut BundleSink<'_, D>);

    /// Spawns the children of entities with such bundles: those that follow from the type.
    #[doc(hidden)]
    #[inline(always)]
    fn spawn_children<F: Family<D>>(parents: F::Parents, family: &mut F) {
        let _ = (parents, family);
    }

    /// The number of entities that are spawned with this one: children, their children, and so on.
    #[doc(hidden)]
    #[inline(always)]
    fn descendants(&self) -> usize
    where
        Self: Sized,
    {
        facts_of::<D, Self>().descendants
    }

    /// Writes the bundle to `place`, and returns it. A staged tuple is written component by component: a copy by words has loads that
    /// overlap two components, and for such a load the processor waits until both are in the cache.
    #[doc(hidden)]
    #[inline(always)]
    fn store(self, place: &mut MaybeUninit<Self>) -> &mut Self
    where
        Self: Sized,
    {
        place.write(self)
    }

    /// Puts the components of many bundles, until bundles or rows run out.
    #[doc(hidden)]
    fn write_batch<I: Iterator, F: FnMut(I::Item) -> Self>(writer: SpawnWriter<'_, '_, I, F, D>)
    where
        Self: Sized,
    {
        let _ = writer;
    }

    /// Spawns an entity in the next of the rows that are allocated in advance.
    #[doc(hidden)]
    #[inline]
    fn spawn(self, row: NewRow<'_, D>) -> Result<Entity, LimitReached>
    where
        Self: Sized,
    {
        self.spawn_apart(row.leave())
    }

    /// Spawns an entity that is not gathered with others. None may be gathered.
    #[doc(hidden)]
    #[inline(always)]
    fn spawn_apart(self, storage: &mut Storage) -> Result<Entity, LimitReached>
    where
        Self: Sized,
    {
        spawn_alone::<D, Self>(storage, facts_of::<D, Self>().key, self)
    }
}

/// Creates an entity with a bundle of this [key](key_of) that puts its components one after the other, and the children that this
/// makes due. None may be gathered.
#[inline(never)]
pub(crate) fn spawn_alone<D: Declaration, B: Bundle<D>>(
    storage: &mut Storage,
    key: u64,
    bundle: B,
) -> Result<Entity, LimitReached> {
    let (entity, row) = storage.create(key)?;
    let due = storage.families.parents_due();
    bundle.put(&mut BundleSink::new(storage, row));
    if facts_of::<D, B>().components.is_none() && storage.families.parents_due() > due {
        let lost = storage.spawn_due(due);
        storage.entities.lost = storage.entities.lost.saturating_add(lost);
    }
    Ok(entity)
}

/// What the library knows of a bundle. Only it can make one, from a tuple; the bundle that a declaration names has that
/// of its tuple.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct BundleFacts {
    /// The components, if they are known.
    pub(crate) components: Option<IndexSet>,
    /// The [key](IndexSet::key) of the components; that of the empty set if they are not known.
    pub(crate) key: u64,
    /// A number of their order: tuples of the same components have different ones.
    pub(crate) rank: u32,
    /// Whether [`Bundle::write_batch`] is implemented: true for components in buffers.
    pub(crate) by_blocks: bool,
    /// How many entities are known to be spawned with each one.
    pub(crate) descendants: usize,
}

impl BundleFacts {
    const UNKNOWN: Self = Self {
        components: None,
        key: IndexSet::EMPTY.key(),
        rank: 0,
        by_blocks: false,
        descendants: 0,
    };

    /// The same, with `count` children of the template `B`.
    #[must_use]
    pub const fn with_children<D: Declaration, B: Bundle<D>>(mut self, count: usize) -> Self {
        self.descendants += count * (1 + B::FACTS.descendants);
        self
    }

    /// How many entities are known to be spawned with each one.
    #[must_use]
    pub const fn descendants(&self) -> usize {
        self.descendants
    }

    /// It does not compile if a component is there twice.
    const fn of_tuple<D: Declaration>(indices: &[usize], by_blocks: bool) -> Self {
        let components = different::<D>(indices);
        let (key, rank) = (components.key(), rank(indices));
        Self { components: Some(components), key, rank, by_blocks, descendants: 0 }
    }
}

/// What is known of a bundle. If a component is there twice, this is the one place that says so.
#[inline(always)]
pub(crate) fn facts_of<D: Declaration, B: Bundle<D>>() -> &'static BundleFacts {
    const { &B::FACTS }
}

/// The [key](IndexSet::key) of the components of a bundle; the key of the empty set if they are not
/// known.
pub(crate) const fn key_of<D: Declaration, B: Bundle<D>>() -> u64 {
    B::FACTS.key
}

/// Takes the components of a new entity.
///
/// ```
/// use ecs_core::{Bundle, BundleSink, World, world};
/// struct Position(f32);
/// struct Frozen;
///
/// world! {
///     world Lake;
///     component Position;
///     component Frozen: empty;
/// }
///
/// /// A bundle whose components follow from its value.
/// struct At(f32);
///
/// impl Bundle<Lake> for At {
///     fn put(self, sink: &mut BundleSink<'_, Lake>) {
///         sink.put(Position(self.0));
///         if self.0 < 0.0 {
///             sink.put(Frozen);
///         }
///     }
/// }
///
/// let mut world = World::<Lake>::new();
/// let [cold, warm] = [-1.0, 1.0].map(|at| world.spawn(At(at)));
/// assert!(world.contains::<Frozen>(cold) && !world.contains::<Frozen>(warm));
/// ```
#[derive(Debug)]
pub struct BundleSink<'a, D> {
    storage: &'a mut Storage,
    row: usize,
    declaration: Brand<D>,
}

impl<'a, D: Declaration> BundleSink<'a, D> {
    pub(crate) fn new(storage: &'a mut Storage, row: usize) -> Self {
        Self { storage, row, declaration: PhantomData }
    }

    /// Inserts a `C` into the new entity. A second one replaces the first.
    #[inline]
    pub fn put<C: 'static>(&mut self, component: C)
    where
        D: HasComponent<C>,
    {
        self.storage.insert::<D, C>(self.row, component);
    }

    /// The new entity is to have these children.
    pub(crate) fn put_children(&mut self, children: Arc<dyn AnyChildren>) {
        self.storage.put_children(self.row, children);
    }
}

/// An index that is there twice, if there is one.
pub(crate) const fn repeated(indices: &[usize]) -> Option<usize> {
    let mut set = IndexSet::EMPTY;
    for_each!(i < indices.len(), {
        if set.contains(indices[i]) {
            return Some(indices[i]);
        }
        set.add(indices[i]);
    });
    None
}

/// The set of these components. It does not compile if one of them is there twice.
const fn different<D: Declaration>(indices: &[usize]) -> IndexSet {
    if let Some(index) = repeated(indices) {
        let name = D::COMPONENTS[index].name();
        let message = Message::new()
            .text("[ECS0020] a bundle of the world `")
            .text(D::NAME)
            .text("` has the component `")
            .text(name)
            .text("` twice\nhelp: remove one of the two: an entity has one `")
            .text(name)
            .text("`");
        // One line, as `rustc` shows the whole call.
        message.raise();
    }
    IndexSet::of(indices)
}

/// The number of this order among the orders of these indices: how many come before it. Twelve have 12! orders.
const fn rank(indices: &[usize]) -> u32 {
    let mut rank = 0;
    for_each!(i < indices.len(), {
        let (mut lower, mut j) = (0, i + 1);
        while j < indices.len() {
            lower += (indices[j] < indices[i]) as u32;
            j += 1;
        }
        rank = rank * (indices.len() - i) as u32 + lower;
    });
    rank
}

/// A tuple that threads can hand on, as each of its components can be staged.
#[doc(hidden)]
pub trait Stageable<D: Declaration>: Bundle<D> + Sized + 'static {
    /// The tuple of the staged values.
    type Parts: Send + 'static;

    /// The values, to be staged.
    fn parts(self) -> Self::Parts;

    /// The values, as they were.
    fn whole(parts: Self::Parts) -> Self;

    /// Writes each of the values to its field in `place`.
    fn store_parts(parts: Self::Parts, place: &mut MaybeUninit<Self::Parts>);
}

/// A tuple as it is stored until the refresh.
#[doc(hidden)]
pub struct StagedBundle<D: Declaration, B: Stageable<D>> {
    parts: B::Parts,
    declaration: Brand<D>,
}

impl<D: Declaration, B: Stageable<D>> StagedBundle<D, B> {
    #[inline(always)]
    pub(crate) fn of(bundle: B) -> Self {
        Self { parts: bundle.parts(), declaration: PhantomData }
    }
}

impl<D: Declaration, B: Stageable<D>> fmt::Debug for StagedBundle<D, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StagedBundle").finish_non_exhaustive()
    }
}

impl<D: Declaration, B: Stageable<D>> Bundle<D> for StagedBundle<D, B> {
    const FACTS: BundleFacts = B::FACTS;

    #[inline(always)]
    fn put(self, sink: &mut BundleSink<'_, D>) {
        B::whole(self.parts).put(sink);
    }

    #[inline(always)]
    fn store(self, place: &mut MaybeUninit<Self>) -> &mut Self {
        // SAFETY: the place is that of a bundle, of which this is a field.
        let parts = unsafe { &raw mut (*place.as_mut_ptr()).parts };
        // SAFETY: the field is aligned memory, which `place` borrows exclusively. What it holds need not be a value.
        B::store_parts(self.parts, unsafe { &mut *parts.cast::<MaybeUninit<B::Parts>>() });
        // SAFETY: the parts were just written, and the other field has no size. (Only `of` makes such a bundle, for tuples of this
        // crate: `store_parts` writes all parts.)
        unsafe { place.assume_init_mut() }
    }

    #[inline(always)]
    fn write_batch<I: Iterator, F: FnMut(I::Item) -> Self>(writer: SpawnWriter<'_, '_, I, F, D>) {
        B::write_batch(writer.map(|staged| B::whole(staged.parts)));
    }

    #[inline(always)]
    fn spawn(self, row: NewRow<'_, D>) -> Result<Entity, LimitReached> {
        B::whole(self.parts).spawn(row)
    }
}

macro_rules! tuple_bundles {
    ($($C:ident $component:ident $number:tt),*) => {
        impl<D: Declaration, $($C: 'static),*> Bundle<D> for ($($C,)*)
        where
            $(D: HasComponent<$C>,)*
        {
            const FACTS: BundleFacts = BundleFacts::of_tuple::<D>(
                &[$(<D as HasComponent<$C>>::INDEX),*],
                true $(&& <<D as HasComponent<$C>>::Strategy as Stored<$C>>::EXTERNAL.is_none())*,
            );

            #[inline]
            fn put(self, sink: &mut BundleSink<'_, D>) {
                let ($($component,)*) = self;
                let _ = &sink;
                $(sink.put($component);)*
            }

            #[inline]
            fn write_batch<Items: Iterator, ToBundle: FnMut(Items::Item) -> Self>(
                writer: SpawnWriter<'_, '_, Items, ToBundle, D>,
            ) {
                let open = |chunk: &mut Chunk<'_>, page: usize| {
                    let places = ($(chunk.column::<D, $C>().places(page),)*);
                    let _ = (&chunk, page);
                    move |offset: usize, ($($component,)*): Self| {
                        let _ = (offset, &places);
                        // SAFETY: `Chunk::occupy` was called with these rows, so they are in use,
                        // and the chunk is still borrowed.
                        $(unsafe { places.$number.write(offset, $component) };)*
                    }
                };
                let publish = |chunk: &mut Chunk<'_>, ranges: RowRanges<'_>| {
                    let _ = (&chunk, ranges);
                    // SAFETY: a value was just written for each row, for each component, as all
                    // components are different.
                    $(unsafe { chunk.column::<D, $C>().publish(ranges) };)*
                };
                writer.write(open, publish);
            }

            #[inline(always)]
            fn spawn(self, row: NewRow<'_, D>) -> Result<Entity, LimitReached> {
                let facts = facts_of::<D, Self>();
                if !facts.components.as_ref().is_some_and(|components| row.is_for(components)) {
                    return Bundle::<D>::spawn_apart(self, row.leave());
                }
                // All addresses come first: after a write, the compiler would look at each table again.
                let (entity, places) = (row.entity(), ($(row.place::<$C>(),)*));
                let ($($component,)*) = self;
                let _ = places;
                // SAFETY: the row is for the components of this tuple, so that each place is aligned memory without a value.
                $(unsafe { places.$number.write($component) };)*
                // SAFETY: each of them was written.
                unsafe { row.take() };
                Ok(entity)
            }

            #[inline(always)]
            fn spawn_apart(self, storage: &mut Storage) -> Result<Entity, LimitReached> {
                // The address of this tuple is given away. So it is another one than that of `spawn`, whose values then stay in registers.
                let ($($component,)*) = self;
                spawn_alone::<D, Self>(storage, facts_of::<D, Self>().key, ($($component,)*))
            }
        }

        impl<D: Declaration, $($C: 'static),*> Stageable<D> for ($($C,)*)
        where
            $(D: HasComponent<$C>,)*
        {
            type Parts = ($(<<D as HasComponent<$C>>::Strategy as Stages<$C>>::Staged,)*);

            #[inline(always)]
            #[allow(clippy::unused_unit, reason = "the tuple of no components has no parts")]
            fn parts(self) -> Self::Parts {
                let ($($component,)*) = self;
                ($(<<D as HasComponent<$C>>::Strategy as Stages<$C>>::stage($component),)*)
            }

            #[inline(always)]
            #[allow(clippy::unused_unit, reason = "as above")]
            fn whole(parts: Self::Parts) -> Self {
                let ($($component,)*) = parts;
                ($(<<D as HasComponent<$C>>::Strategy as Stages<$C>>::staged($component),)*)
            }

            #[inline(always)]
            fn store_parts(parts: Self::Parts, place: &mut MaybeUninit<Self::Parts>) {
                let ($($component,)*) = parts;
                let place = place.as_mut_ptr();
                let _ = place;
                // SAFETY: the place is memory for such a tuple, and these are its fields.
                $(unsafe { (&raw mut (*place).$number).write($component) };)*
            }
        }
    };
}

tuple_bundles!();
tuple_bundles!(A a 0);
tuple_bundles!(A a 0, B b 1);
tuple_bundles!(A a 0, B b 1, C c 2);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6, I i 7);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6, I i 7, J j 8);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6, I i 7, J j 8, K k 9);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6, I i 7, J j 8, K k 9, L l 10);
tuple_bundles!(A a 0, B b 1, C c 2, E e 3, F f 4, G g 5, H h 6, I i 7, J j 8, K k 9, L l 10, M m 11);
