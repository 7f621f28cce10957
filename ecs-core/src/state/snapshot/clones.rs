//! How the parts of a world are cloned. These functions are bound to their types here, and a declaration
//! lists them in tables.

use core::marker::PhantomData;

use super::bounds::{CloneOutput, CloneSystem};
use crate::parallel::PanicSlot;
use crate::signature::{Declaration, HasComponent, HasResource, SystemName};
use crate::state::{Core, Instance, Resources, assert_is, opaque_debug};
use crate::storage::Storage;
use crate::types::{Brand, Erased, ThreadSafe};

/// How a component of the declaration `D` is cloned.
pub struct ComponentClone<D> {
    pub(super) index: usize,
    /// Copies the values in the given number of pages; see [`Storage::copy_component`].
    pub(super) copy: fn(&Storage, &mut Storage, usize, &PanicSlot),
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
    make: fn(&Core<D>) -> Erased,
    save: fn(&Core<D>, &mut Erased),
    /// Copies an instance into the world.
    pub(super) load: fn(&Erased, &mut Core<D>),
}

impl<D: Declaration> SystemClone<D> {
    /// For the system `N`; `M` clones its state.
    #[must_use]
    pub const fn of<'a, N: SystemName<D>, M: CloneSystem<'a, N::System, N>>() -> Self
    where
        N::Output: CloneOutput<'a, N>,
    {
        Self {
            index: N::INDEX,
            make: |core| {
                let from = core.instance::<N>();
                let mut made = Instance::with(M::make(&from.system).unwrap_or_else(N::initial));
                copy_outputs::<D, N>(from, &mut made);
                Erased::new(made)
            },
            save: |core, to| copy::<D, N, M>(core.instance(), to.get_mut()),
            load: |from, core| {
                // SAFETY: a saved instance is written through `&mut` only. An instance of a world is written by its
                // systems only, which do not run now.
                let from = unsafe { from.get() };
                copy::<D, N, M>(from, core.instance_mut());
            },
        }
    }

    /// Copies the instance of the world to `to`, which may be empty.
    pub(crate) fn save(&self, from: &Core<D>, to: &mut Option<Erased>) {
        match to {
            Some(to) => (self.save)(from, to),
            None => *to = Some((self.make)(from)),
        }
    }
}

fn copy<'a, D: Declaration, N: SystemName<D>, M: CloneSystem<'a, N::System, N>>(
    from: &Instance<D, N>,
    to: &mut Instance<D, N>,
) where
    N::Output: CloneOutput<'a, N>,
{
    // If the clone of the state panics, there are no outputs.
    to.states.forget_outputs();
    M::copy(&from.system, &mut to.system);
    copy_outputs(from, to);
}

fn copy_outputs<'a, D: Declaration, N: SystemName<D>>(
    from: &Instance<D, N>,
    to: &mut Instance<D, N>,
) where
    N::Output: CloneOutput<'a, N>,
{
    assert_is::<D, N>(N::INDEX);
    to.states.copy_outputs(&from.states, CloneOutput::copy);
}

opaque_debug! { [D] ComponentClone<D>: |this| index = this.index }
opaque_debug! { [D] ResourceClone<D>: |this| index = this.index }
opaque_debug! { [D: Declaration] SystemClone<D>: |this| index = this.index }
