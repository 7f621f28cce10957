//! Counted values, whose destructors, clones and hashes may panic.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ecs_core::{StateHash, StateHasher};

use super::{Fault, places};

/// The role of a value: the kinds of places of its destructor, clones and hash.
#[derive(Debug)]
pub struct Role {
    /// Its drop after it was read.
    pub drop: &'static str,
    /// Its drop before it was read.
    pub fresh: &'static str,
    /// Its `clone`.
    pub clone: &'static str,
    /// Its `clone_from`.
    pub clone_from: &'static str,
    /// Its hash.
    pub hash: &'static str,
}

impl Role {
    /// The role of a component, by its storage.
    const fn component(drop: &'static str) -> Self {
        Self {
            drop,
            fresh: places::DROP_OF_STAGED,
            clone: places::CLONE_OF_COMPONENT,
            clone_from: places::CLONE_FROM_OF_COMPONENT,
            hash: places::HASH_OF_COMPONENT,
        }
    }

    /// The role of a value that is never cloned.
    const fn passing(drop: &'static str) -> Self {
        Self {
            drop,
            fresh: drop,
            clone: "a clone that is never made",
            clone_from: "a clone that is never made",
            hash: "a hash that is never made",
        }
    }

    /// A component in a column of its own.
    pub const BUFFER: Self = Self::component(places::DROP_IN_BUFFER);
    /// A component beside others.
    pub const INTERLEAVED: Self = Self::component(places::DROP_INTERLEAVED);
    /// A component in a sparse set.
    pub const SPARSE_SET: Self = Self::component(places::DROP_IN_SPARSE_SET);
    /// A component in a hash map.
    pub const HASH_MAP: Self = Self::component(places::DROP_IN_HASH_MAP);
    /// A component in a user-defined strategy.
    pub const STRATEGY: Self = Self::component(places::DROP_IN_STRATEGY);
    /// A component of an entity for which there is no room.
    pub const WITHOUT_ROOM: Self =
        Self { fresh: places::DROP_WITHOUT_ROOM, ..Self::component(places::DROP_IN_BUFFER) };
    /// A new value of a component, for an update.
    pub const UPDATE: Self =
        Self { fresh: places::DROP_OF_UPDATE, ..Self::component(places::DROP_IN_BUFFER) };
    /// A resource.
    pub const RESOURCE: Self = Self {
        drop: places::DROP_OF_RESOURCE,
        fresh: places::DROP_OF_RESOURCE,
        clone: places::CLONE_OF_RESOURCE,
        clone_from: places::CLONE_FROM_OF_RESOURCE,
        hash: places::HASH_OF_RESOURCE,
    };
    /// The state of a system.
    pub const STATE: Self = Self {
        drop: places::DROP_OF_STATE,
        fresh: places::DROP_OF_STATE,
        clone: places::CLONE_OF_STATE,
        clone_from: places::CLONE_FROM_OF_STATE,
        hash: places::HASH_OF_STATE,
    };
    /// An item of an output.
    pub const OUTPUT: Self = Self {
        drop: places::DROP_OF_OUTPUT,
        fresh: places::DROP_OF_OUTPUT,
        clone: places::CLONE_OF_OUTPUT,
        clone_from: places::CLONE_FROM_OF_OUTPUT,
        hash: "a hash that is never made",
    };
    /// An item of a stream.
    pub const ITEM: Self = Self::passing(places::DROP_OF_ITEM);
    /// A value that a deferred function has captured.
    pub const CAPTURE: Self = Self::passing(places::DROP_OF_CAPTURE);
    /// A value that the function of an event, an override or an adapter has captured.
    pub const CALLBACK: Self = Self::passing(places::DROP_OF_CALLBACK);
    /// A value in an iterator.
    pub const ITERATOR: Self = Self::passing(places::DROP_OF_ITERATOR);
    /// A value in a storage strategy, in addition to component values.
    pub const KEEPER: Self = Self::passing(places::DROP_OF_STRATEGY);
    /// A value in a scheduler.
    pub const SCHEDULER: Self = Self::passing(places::DROP_OF_SCHEDULER);
}

/// A counted number, which must be dropped exactly once.
#[derive(Debug)]
pub struct Tracked {
    /// Its registered number. It is boxed, so that memory checkers also detect a second drop.
    id: Box<usize>,
    value: u64,
    role: &'static Role,
    /// Whether the number was read.
    was_read: AtomicBool,
    fault: Fault,
}

impl Tracked {
    /// A value with a role.
    #[must_use]
    pub fn new(fault: &Fault, role: &'static Role, value: u64) -> Self {
        let was_read = AtomicBool::new(false);
        Self { id: Box::new(fault.new_value()), value, role, was_read, fault: fault.clone() }
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.was_read.store(true, Relaxed);
        self.value
    }

    /// Changes the number.
    pub fn set(&mut self, value: u64) {
        self.value = value;
    }

    /// The fault that counts it.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl Clone for Tracked {
    fn clone(&self) -> Self {
        self.fault.point(self.role.clone);
        let clone = Self::new(&self.fault, self.role, self.value);
        // The clone is dropped if this panics.
        self.fault.point(self.role.clone);
        clone
    }

    /// May panic before it has copied the other's value, or after.
    fn clone_from(&mut self, source: &Self) {
        self.fault.point(self.role.clone_from);
        self.value = source.value;
        self.fault.point(self.role.clone_from);
    }
}

impl StateHash for Tracked {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.fault.point(self.role.hash);
        self.value.state_hash(hasher);
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.fault.count_drop(*self.id);
        let was_read = *self.was_read.get_mut();
        self.fault.drop_point(if was_read { self.role.drop } else { self.role.fresh });
    }
}

/// Declares types around a [`Tracked`](crate::faults::Tracked) of some role.
#[macro_export]
macro_rules! tracked {
    ($($(#[$attribute:meta])* $name:ident: $role:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        pub(crate) struct $name($crate::faults::Tracked);

        #[allow(dead_code, reason = "not all types need all of it")]
        impl $name {
            pub(crate) fn new(fault: &$crate::faults::Fault, value: u64) -> Self {
                Self::of(fault, &$crate::faults::Role::$role, value)
            }

            pub(crate) fn of(
                fault: &$crate::faults::Fault,
                role: &'static $crate::faults::Role,
                value: u64,
            ) -> Self {
                Self($crate::faults::Tracked::new(fault, role, value))
            }

            pub(crate) fn get(&self) -> u64 {
                self.0.get()
            }

            pub(crate) fn set(&mut self, value: u64) {
                self.0.set(value);
            }

            pub(crate) fn fault(&self) -> &$crate::faults::Fault {
                self.0.fault()
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }

            fn clone_from(&mut self, source: &Self) {
                self.0.clone_from(&source.0);
            }
        }

        impl ecs_core::StateHash for $name {
            fn state_hash(&self, hasher: &mut ecs_core::StateHasher) {
                self.0.state_hash(hasher);
            }
        }
    )*};
}
