//! How the parts of a world are cloned. These functions are bound to their types here, and a declaration
//! lists them in tables.

use core::marker::PhantomData;

use super::bounds::{CloneOutput, CloneSystem};
use crate::output::AnyOutput;
use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::{Core, Instance, Resources, assert_is, opaque_debug};
use crate::storage::{CopyComponent, CopyPage, Storage};
use crate::types::{Brand, Erased, ThreadSafe};

/// How a component of the declaration `D` is cloned.
pub struct ComponentClone<D> {
    pub(super) index: usize,
    /// Copies the values in the given number of pages; see [`Storage::copy_component`].
    pub(super) copy: CopyComponent,
    /// Copies a page of values that are plain memory.
    pub(super) copy_page: Option<CopyPage>,
    declaration: Brand<D>,
}

impl<D: Declaration> ComponentClone<D> {
    /// By the `Clone` of `C`.
    #[must_use]
    pub const fn of<C: 'static + Clone>() -> Self
    where
        D: HasComponent<C>,
    {
        Self {
            index: <D as HasComponent<C>>::INDEX,
            copy: |from, to, pages, panics| to.copy_component::<D, C>(from, pages, panics),
            copy_page: Storage::page_copy::<D, C>(),
            declaration: PhantomData,
        }
    }
}

/// How a resource of the declaration `D` is cloned.
pub struct ResourceClone<D> {
    pub(super) index: usize,
    pub(super) copy: fn(&Resources, &mut Resources),
    declaration: Brand<D>,
}

impl<D: Declaration> ResourceClone<D> {
    /// By the `Clone` of `R`.
    #[must_use]
    pub const fn of<R: ThreadSafe + Clone>() -> Self
    where
        D: HasResource<R>,
    {
        Self {
            index: <D as HasResource<R>>::INDEX,
            copy: |from, to| {
                let value = from.get::<D, R>();
                if to.has(<D as HasResource<R>>::INDEX) {
                    to.get_mut::<D, R>().clone_from(value);
                } else {
                    to.put(<D as HasResource<R>>::INDEX, value.clone());
                }
            },
            declaration: PhantomData,
        }
    }
}

/// How the state and the outputs of a system of the declaration `D` are cloned.
pub struct SystemClone<D: Declaration> {
    pub(in crate::state) index: usize,
    /// Clones the state. Asserts the system.
    make: fn(&Erased) -> Erased,
    /// Copies the state. Asserts the system.
    copy: fn(&Erased, &mut Erased),
    copy_output: CopyOutput,
    declaration: Brand<D>,
}

/// Copies an output of a system. Both must be of the type of its outputs.
pub(in crate::state) type CopyOutput = unsafe fn(&dyn AnyOutput, &mut dyn AnyOutput);

impl<D: Declaration> SystemClone<D> {
    /// For the system `N`; `M` clones its state.
    #[must_use]
    pub const fn of<'a, N: SystemName<D>, M: CloneSystem<'a, N::System, N>>() -> Self
    where
        N::Output: CloneOutput<'a, N>,
    {
        Self {
            index: N::INDEX,
            make: |from| {
                assert_is::<D, N>(N::INDEX);
                // SAFETY: a state that is not in a world is written through `&mut` only, and that of a world by its
                // systems only, which do not run now.
                Erased::new(M::make(unsafe { from.get() }).unwrap_or_else(N::initial))
            },
            copy: |from, to| {
                assert_is::<D, N>(N::INDEX);
                // SAFETY: as above.
                M::copy(unsafe { from.get() }, to.get_mut());
            },
            copy_output: |from, to| {
                // SAFETY: both are of this type, by the contract.
                let from = unsafe { from.as_output::<N::Output>() };
                // SAFETY: as above.
                CloneOutput::copy(from, unsafe { to.as_output_mut() });
            },
            declaration: PhantomData,
        }
    }

    /// Copies the instance of the world to `to`, which may be empty.
    pub(in crate::state) fn save(&self, from: &Core<D>, to: &mut Option<Instance<D>>) {
        let from = from.instance(self.index);
        if let Some(to) = to {
            self.copy(from, to);
        } else {
            let mut made = from.like((self.make)(from.system()));
            self.copy_outputs(from, &mut made);
            *to = Some(made);
        }
    }

    /// Copies an instance of the system to another one.
    pub(super) fn copy(&self, from: &Instance<D>, to: &mut Instance<D>) {
        // If the clone of the state panics, there are no outputs.
        to.states.forget_outputs();
        (self.copy)(from.system(), to.parts().0);
        self.copy_outputs(from, to);
    }

    /// Copies the outputs of an instance to another one, after `make` or `copy`.
    fn copy_outputs(&self, from: &Instance<D>, to: &mut Instance<D>) {
        // SAFETY: both are instances of the system at this index, and `make` and `copy` have asserted that this is the
        // system whose outputs `copy_output` copies.
        unsafe { to.states.copy_outputs(&from.states, self.copy_output) };
    }
}

opaque_debug! { [D] ComponentClone<D>: |this| index = this.index }
opaque_debug! { [D] ResourceClone<D>: |this| index = this.index }
opaque_debug! { [D: Declaration] SystemClone<D>: |this| index = this.index }
