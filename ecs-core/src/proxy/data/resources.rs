//! The resources in a subtask.

use core::marker::PhantomData;

use crate::proxy::for_tuples;
use crate::signature::access::{ReadsResource, WritesResource};
use crate::signature::{
    Declaration, HasResource, Message, Resources, SystemName, repeated, undeclared,
};
use crate::state::Core;
use crate::types::IndexSet;

/// A tuple of up to twelve different resources that the system `N` writes, for [`Resources::get_many_mut`].
///
/// # Safety
/// `get` must return references to the resources in `INDICES`, and to nothing else.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Default)]
/// # struct Score(u32);
/// # #[derive(Default)]
/// # struct Best(u32);
/// world! {
///     world Arena;
///     resource Score, Best;
///     system Close {
///         write_resources: [Score, Best],
///         run: |data| {
///             let (score, best) = data.resources.get_many_mut::<(Score, Best)>();
///             best.0 = best.0.max(std::mem::take(&mut score.0));
///         },
///     }
/// }
/// # let mut world = World::<Arena>::new();
/// # world.resource_mut::<Score>().0 = 7;
/// # world.tick().unwrap();
/// # assert_eq!((world.resource::<Score>().0, world.resource::<Best>().0), (0, 7));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0057] `{Self}` is not a tuple of resources that the system `{N}` declares to write",
    label = "not a tuple of written resources",
    note = "name resources in `write_resources: [..]` of `system {N}` as a tuple: `get_many_mut::<(A, B)>()`"
)]
pub unsafe trait WrittenResources<N: SystemName<D>, D: Declaration> {
    /// A tuple of references to them.
    type Mut<'a>;

    /// The resources, by index.
    #[doc(hidden)]
    const INDICES: &'static [usize];

    /// The references.
    ///
    /// # Safety
    /// `INDICES` must be different from one another. The resources must be borrowed exclusively for `'a`.
    #[doc(hidden)]
    unsafe fn get<'a>(resources: &'a Resources<'_, D, N>) -> Self::Mut<'a>;
}

impl<'w, D: Declaration, N: SystemName<D>> Resources<'w, D, N> {
    /// The resources of a world.
    ///
    /// # Safety
    /// The value is for one subtask of `N` in this world, or for the executor of `N`. This lasts for `'w` and has no other
    /// one. While subtasks run, that of the executor is not used.
    #[inline(always)]
    pub(crate) unsafe fn new(core: &'w Core<D>) -> Self {
        Self { core, right: PhantomData, name: PhantomData }
    }

    /// The resource `R`, to read.
    #[must_use]
    pub fn get<R: 'static>(&self) -> &'w R
    where
        D: HasResource<R>,
        N: ReadsResource<R, D>,
    {
        const { assert_reads_resource::<D, N, R>() };
        self.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write (and to read). The system has one subtask.
    #[must_use]
    pub fn get_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
        N: WritesResource<R, D>,
    {
        const { assert_writes_resource::<D, N, R>() };
        // SAFETY: `as_ptr` asserts the type. The table says that `N` writes `R`, so it orders every other system that
        // uses `R`, and `N` has one subtask (`signature::check`). `&mut self` is the only `Resources` of that subtask, or
        // of the executor, outside of the subtask; `get` does not return what `N` writes.
        unsafe { &mut *self.core.resources.as_ptr::<D, R>() }
    }

    /// Several resources at once, to write (and to read). The system has one subtask.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// #[derive(Default)]
    /// struct Bank(u32);
    /// #[derive(Default)]
    /// struct Journal(Vec<u32>);
    ///
    /// world! {
    ///     world Town;
    ///     resource Bank;
    ///     resource Journal;
    ///     system Earn {
    ///         write_resources: [Bank, Journal],
    ///         run: |data| {
    ///             let (bank, journal) = data.resources.get_many_mut::<(Bank, Journal)>();
    ///             bank.0 += 5;
    ///             journal.0.push(bank.0);
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Town>::new();
    /// world.tick()?;
    /// world.tick()?;
    /// assert_eq!(world.resource::<Journal>().0, [5, 10]);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// It does not compile if one of them is named twice. O(1).
    #[must_use]
    pub fn get_many_mut<R: WrittenResources<N, D>>(&mut self) -> R::Mut<'_> {
        const { assert_different::<D, N>(R::INDICES) };
        // SAFETY: the constant above shows that they are different, and `&mut self` is borrowed for as long.
        unsafe { R::get(self) }
    }
}

pub(crate) const fn assert_reads_resource<D: HasResource<R>, N: SystemName<D>, R>() {
    let index = <D as HasResource<R>>::INDEX;
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.read_resources).contains(index) {
        undeclared::<D, N>("read the resource", D::RESOURCES[index].name());
    }
}

pub(crate) const fn assert_writes_resource<D: HasResource<R>, N: SystemName<D>, R>() {
    let index = <D as HasResource<R>>::INDEX;
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    if !IndexSet::of(D::SYSTEMS[N::INDEX].declared.write_resources).contains(index) {
        undeclared::<D, N>("write the resource", D::RESOURCES[index].name());
    }
}

/// Fails to compile if a resource is there twice.
const fn assert_different<D: Declaration, N: SystemName<D>>(indices: &[usize]) {
    if let Some(index) = repeated(indices) {
        Message::new()
            .text("[ECS0057] the system `")
            .text(D::SYSTEMS[N::INDEX].name)
            .text("` asks `get_many_mut` for the resource `")
            .text(D::RESOURCES[index].name())
            .text("` twice\nhelp: name it once")
            .raise();
    }
}

macro_rules! tuple_of_resources {
    ($($R:ident),+) => {
        // SAFETY: the pointers are those of the resources of these indices.
        unsafe impl<D, N: SystemName<D>, $($R: 'static),+> WrittenResources<N, D> for ($($R,)+)
        where
            D: Declaration $(+ HasResource<$R>)+,
            $(N: WritesResource<$R, D>),+
        {
            type Mut<'a> = ($(&'a mut $R,)+);
            const INDICES: &'static [usize] = &[$(<D as HasResource<$R>>::INDEX),+];

            unsafe fn get<'a>(resources: &'a Resources<'_, D, N>) -> Self::Mut<'a> {
                $(const { assert_writes_resource::<D, N, $R>() };)+
                let resources = &resources.core.resources;
                // SAFETY: `as_ptr` asserts the types. The table says that `N` writes these resources, so it orders
                // every other system that uses one of them, and `N` has one subtask (`signature::check`), whose
                // resources are borrowed exclusively, by the contract; `get` does not return what `N` writes.
                // By the contract they are different.
                ($(unsafe { &mut *resources.as_ptr::<D, $R>() },)+)
            }
        }
    };
}

for_tuples! { tuple_of_resources: A, B, C, E, F, G, H, I, J, K, L, M }
