//! Several resources at once, to write.

use super::assert_writes_resource;
use crate::proxy::for_tuples;
use crate::signature::access::WritesResource;
use crate::signature::{Declaration, Effects, HasResource, Message, SystemName, repeated};

/// A tuple of up to twelve different resources that the system `N` writes, for [`Effects::resources_mut`].
///
/// # Safety
/// `get` must return references to the resources in `INDICES`, and to nothing else.
#[diagnostic::on_unimplemented(
    message = "[ECS0057] `{Self}` is not a tuple of resources that the system `{N}` declares to write",
    label = "not a tuple of written resources",
    note = "name resources in `write_resources: [..]` of `system {N}` as a tuple: `resources_mut::<(A, B)>()`"
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
    /// `INDICES` must be different from one another. The effects must be borrowed exclusively for `'a`.
    #[doc(hidden)]
    unsafe fn get<'a>(effects: &'a Effects<'_, D, N>) -> Self::Mut<'a>;
}

impl<D: Declaration, N: SystemName<D>> Effects<'_, D, N> {
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
    ///             let (bank, journal) = data.resources_mut::<(Bank, Journal)>();
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
    pub fn resources_mut<R: WrittenResources<N, D>>(&mut self) -> R::Mut<'_> {
        const { assert_different::<D, N>(R::INDICES) };
        // SAFETY: the constant above shows that they are different, and `&mut self` is borrowed for as long.
        unsafe { R::get(self) }
    }
}

/// Fails to compile if a resource is there twice.
const fn assert_different<D: Declaration, N: SystemName<D>>(indices: &[usize]) {
    if let Some(index) = repeated(indices) {
        Message::new()
            .text("[ECS0057] the system `")
            .text(D::SYSTEMS[N::INDEX].name)
            .text("` asks `resources_mut` for the resource `")
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

            unsafe fn get<'a>(effects: &'a Effects<'_, D, N>) -> Self::Mut<'a> {
                $(const { assert_writes_resource::<D, N, $R>() };)+
                let resources = &effects.core.resources;
                // SAFETY: `as_ptr` asserts the types. The table says that `N` writes these resources, so it orders
                // every other system that uses one of them, and `N` has one subtask (`signature::check`), whose
                // effects are borrowed exclusively, by the contract; `resource` does not return what `N` writes.
                // By the contract they are different.
                ($(unsafe { &mut *resources.as_ptr::<D, $R>() },)+)
            }
        }
    };
}

for_tuples! { tuple_of_resources: A, B, C, E, F, G, H, I, J, K, L, M }
