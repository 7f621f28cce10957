//! Editing access to a world, which gathers spawns.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, PoisonError};

use crate::signature::Declaration;
use crate::state::Core;
use crate::storage::Storage;

/// Editing access to a [`Core`].
///
/// Entities that are spawned one by one are gathered: their values are written at once, and all else for many of them
/// together ([`Storage::spawn`]). A dereference of the access completes them first, so that no reader finds a part of them.
pub(crate) struct Editing<'w, D: Declaration> {
    core: NonNull<Core<D>>,
    /// Whether spawns may be gathered. It becomes true only through `&mut self`.
    gathers: AtomicBool,
    /// Held by the thread that completes the spawns through `&self`.
    completing: Mutex<()>,
    world: PhantomData<&'w mut Core<D>>,
}

// SAFETY: it is a `&mut Core`, which is `Send` if the core is.
unsafe impl<D: Declaration> Send for Editing<'_, D> where Core<D>: Send {}
// SAFETY: through `&self`, several threads get `&Core`. Before that, one of them may change the core, and the others wait.
unsafe impl<D: Declaration> Sync for Editing<'_, D> where Core<D>: Send + Sync {}

impl<'w, D: Declaration> Editing<'w, D> {
    pub(crate) fn new(core: &'w mut Core<D>) -> Self {
        let (gathers, completing) = (AtomicBool::new(false), Mutex::new(()));
        Self { core: NonNull::from(core), gathers, completing, world: PhantomData }
    }

    /// The storage, to spawn an entity, for which the others need not be completed.
    #[inline(always)]
    pub(crate) fn storage_for_spawns(&mut self) -> &mut Storage {
        *self.gathers.get_mut() = true;
        // SAFETY: `self` has exclusive access to the core, and is borrowed exclusively.
        &mut unsafe { self.core.as_mut() }.storage
    }

    /// The world, with all spawns completed.
    #[inline(always)]
    fn complete(&mut self) -> &mut Core<D> {
        // SAFETY: `self` has exclusive access to the core, and is borrowed exclusively.
        let core = unsafe { self.core.as_mut() };
        if core::mem::take(self.gathers.get_mut()) {
            core.storage.complete_spawns();
        }
        core
    }

    /// Completes the spawns. Other threads that dereference the access meanwhile wait.
    #[cold]
    #[inline(never)]
    fn complete_shared(&self) {
        let _alone = self.completing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.gathers.load(Acquire) {
            // SAFETY: no reference to the core exists. `gathers` has become true through `&mut self`, when none did; since then
            // `deref` has given none away, as it does so only where `gathers` is false. It becomes false here, under
            // the lock, which this thread holds.
            unsafe { &mut *self.core.as_ptr() }.storage.complete_spawns();
            self.gathers.store(false, Release);
        }
    }
}

impl<D: Declaration> Deref for Editing<'_, D> {
    type Target = Core<D>;

    #[inline(always)]
    fn deref(&self) -> &Core<D> {
        // Acquire: what another thread has completed is there.
        if self.gathers.load(Acquire) {
            self.complete_shared();
        }
        // SAFETY: `self` has exclusive access to the core, and is borrowed. It changes through `&self` only while
        // `gathers` is true, which it is not any more, and becomes true again only through `&mut self`.
        unsafe { self.core.as_ref() }
    }
}

impl<D: Declaration> DerefMut for Editing<'_, D> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Core<D> {
        self.complete()
    }
}

impl<D: Declaration> Drop for Editing<'_, D> {
    fn drop(&mut self) {
        self.complete();
    }
}

impl<D: Declaration> fmt::Debug for Editing<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
