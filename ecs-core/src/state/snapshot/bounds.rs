//! The bounds: which worlds can be cloned and hashed, and what is missing otherwise.
//!
//! A declaration implements [`CloneTable`] and [`HashTable`] *where* each of its parts can be cloned or
//! hashed. A bound on a concrete type that does not hold is an error in itself, unless it depends on a
//! parameter. The lifetime parameter of these traits has this purpose, and no other meaning.

use super::clones::{ComponentClone, ResourceClone, SystemClone};
use super::hashes::{ComponentHash, ResourceHash, SystemHash};
use super::show::Show;
use crate::output::Output;
use crate::signature::{Declaration, HasComponent, HasResource};
use crate::state::prefab::PrefabPart;
use crate::types::{StateHash, StateHasher, ThreadSafe};

/// Worlds of this declaration can be cloned, stored as snapshots and restored: all of its components,
/// resources, outputs, and states of systems are `Clone`, except what is transient.
///
/// Generic code needs it as a bound: `fn rewind<D: Cloneable, S: Settings>(world: &mut World<D, S>, …)`.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Cloneable, Snapshot, World};
///
/// /// The world of some steps ago.
/// struct Past<D: Cloneable>(Vec<Snapshot<D>>);
///
/// impl<D: Cloneable> Past<D> {
///     fn rewind<S: Settings>(&self, world: &mut World<D, S>, steps: usize) {
///         world.restore(&self.0[self.0.len() - steps]).expect("the world has the same limit");
///     }
/// }
/// # ecs_core::world! { world Nothing; }
/// # let mut world = World::<Nothing>::new();
/// # Past(vec![world.snapshot()]).rewind(&mut world, 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0083] worlds of `{Self}` are not known to be `Clone`",
    label = "`{Self}` is not `Cloneable`",
    note = "if `{Self}` is a parameter, write the bound `{Self}: ecs_core::Cloneable`; for what `world!` declares it holds by itself, if it can"
)]
pub trait Cloneable: CloneTable<'static> {}

impl<D: CloneTable<'static>> Cloneable for D {}

/// Worlds of this declaration have a [`state_hash`](crate::World::state_hash): all of its components,
/// resources and states of systems have one, except what is transient.
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{Hashable, World};
///
/// fn is_same<D: Hashable, S: Settings>(one: &World<D, S>, other: &World<D, S>) -> bool {
///     one.state_hash() == other.state_hash()
/// }
/// # ecs_core::world! { world Nothing; }
/// # assert!(is_same(&World::<Nothing>::new(), &World::<Nothing>::new()));
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0084] worlds of `{Self}` are not known to have a state hash",
    label = "`{Self}` is not `Hashable`",
    note = "if `{Self}` is a parameter, write the bound `{Self}: ecs_core::Hashable`; for what `world!` declares it holds by itself, if it can"
)]
pub trait Hashable: HashTable<'static> {}

impl<D: HashTable<'static>> Hashable for D {}

/// How each part of a world is cloned. The tables are lists of sections, whose lengths do not matter: all but the first
/// can lie in impls of [`CloneLines`].
pub trait CloneTable<'a>: Declaration {
    /// One for each component.
    const COMPONENT_CLONES: &'static [&'static [ComponentClone<Self>]];
    /// One for each resource; `None` if it is transient, or has no size.
    const RESOURCE_CLONES: &'static [&'static [Option<ResourceClone<Self>>]];
    /// Those of the systems that are not transient, and have a state or an output.
    const SYSTEM_CLONES: &'static [&'static [SystemClone<Self>]];
    /// What comes into prefabs, in any order.
    const PREFAB_PARTS: &'static [Option<PrefabPart<Self>>] = &[];
}

/// A section of the tables of clones. It has an impl of its own, with the bounds of its own lines, because `rustc` looks
/// at all bounds of an impl for each line.
pub trait CloneLines<'a, const SECTION: usize>: Declaration {
    /// How some components are cloned.
    const COMPONENTS: &'static [ComponentClone<Self>] = &[];
    /// How some resources are cloned.
    const RESOURCES: &'static [Option<ResourceClone<Self>>] = &[];
    /// How some systems are cloned.
    const SYSTEMS: &'static [SystemClone<Self>] = &[];
}

/// How each part of a world is hashed. The tables are lists of sections, like those of [`CloneTable`].
pub trait HashTable<'a>: Declaration {
    /// One for each component.
    const COMPONENT_HASHES: &'static [&'static [ComponentHash<Self>]];
    /// One for each resource; `None` if it is transient.
    const RESOURCE_HASHES: &'static [&'static [Option<ResourceHash<Self>>]];
    /// Those of the systems that are not transient, and have a state or an output.
    const SYSTEM_HASHES: &'static [&'static [SystemHash<Self>]];
    /// How values are shown as text, as far as they can be, in any order.
    const SHOWN: &'static [Option<Show<Self>>] = &[];
}

/// A section of the tables of hashes, as [`CloneLines`] are one of those of clones.
pub trait HashLines<'a, const SECTION: usize>: Declaration {
    /// How some components are hashed.
    const COMPONENTS: &'static [ComponentHash<Self>] = &[];
    /// How some resources are hashed.
    const RESOURCES: &'static [Option<ResourceHash<Self>>] = &[];
    /// How some systems are hashed.
    const SYSTEMS: &'static [SystemHash<Self>] = &[];
}

/// Represents a type by whether it has no size, and thus no state.
#[derive(Debug)]
pub struct HasNoSize<const IT_HAS_NONE: bool>;

/// The component can be cloned.
#[diagnostic::on_unimplemented(
    message = "[ECS0083] the component `{Self}` cannot be cloned, so neither can worlds of `{D}`",
    label = "a component is not `Clone`",
    note = "add `#[derive(Clone)]` to `{Self}`"
)]
pub trait CloneComponent<'a, D> {
    /// How it is cloned.
    const CLONE: ComponentClone<D>;
}

#[diagnostic::do_not_recommend]
impl<'a, D: HasComponent<C>, C: 'static + Clone> CloneComponent<'a, D> for C {
    const CLONE: ComponentClone<D> = ComponentClone::of::<C>();
}

/// The resource `R` can be cloned, or has no size.
#[diagnostic::on_unimplemented(
    message = "[ECS0083] the resource `{R}` cannot be cloned, so neither can worlds of `{D}`",
    label = "a resource is not `Clone`",
    note = "add `#[derive(Clone)]` to `{R}`; or, if each step makes it anew, declare `resource {R}: transient;`"
)]
pub trait CloneResource<'a, D, R> {
    /// How it is cloned; `None` if it has no size.
    const CLONE: Option<ResourceClone<D>>;
}

#[diagnostic::do_not_recommend]
impl<'a, D: HasResource<R>, R: ThreadSafe + Clone> CloneResource<'a, D, R> for HasNoSize<false> {
    const CLONE: Option<ResourceClone<D>> = Some(ResourceClone::of::<R>());
}

#[diagnostic::do_not_recommend]
impl<'a, D, R> CloneResource<'a, D, R> for HasNoSize<true> {
    const CLONE: Option<ResourceClone<D>> = None;
}

/// The state `T` of the system `N` can be cloned, or has no size.
#[diagnostic::on_unimplemented(
    message = "[ECS0083] the state `{T}` of the system `{N}` cannot be cloned, so neither can the world",
    label = "a system's state is not `Clone`",
    note = "add `#[derive(Clone)]` to `{T}`; or, if each step makes it anew, declare `transient` in `system {N}`"
)]
pub trait CloneSystem<'a, T, N> {
    /// A copy of the state; `None` if it has no size.
    fn make(state: &T) -> Option<T>;

    /// Copies the state to `to`.
    fn copy(from: &T, to: &mut T);
}

#[diagnostic::do_not_recommend]
impl<'a, T: Clone, N> CloneSystem<'a, T, N> for HasNoSize<false> {
    fn make(state: &T) -> Option<T> {
        Some(state.clone())
    }

    fn copy(from: &T, to: &mut T) {
        to.clone_from(from);
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T, N> CloneSystem<'a, T, N> for HasNoSize<true> {
    fn make(_: &T) -> Option<T> {
        None
    }

    fn copy(_: &T, _: &mut T) {}
}

/// This output of the system `N` can be cloned.
#[diagnostic::on_unimplemented(
    message = "[ECS0083] the output `{Self}` of the system `{N}` cannot be cloned, so neither can the world",
    label = "an output is not `Clone`",
    note = "add `#[derive(Clone)]` to what `{Self}` is made of; or, if each step makes it anew, declare `transient` in `system {N}`"
)]
pub trait CloneOutput<'a, N> {
    /// Copies the output to `to`.
    fn copy(&self, to: &mut Self);
}

#[diagnostic::do_not_recommend]
impl<'a, T: Output + Clone, N> CloneOutput<'a, N> for T {
    fn copy(&self, to: &mut Self) {
        to.clone_from(self);
    }
}

/// The component has a state hash, or no size.
#[diagnostic::on_unimplemented(
    message = "[ECS0084] the component `{Self}` has no state hash, so neither has the world",
    label = "a component is not `StateHash`",
    note = "add `#[derive(ecs_core::StateHash)]` to `{Self}`"
)]
pub trait HashComponent<'a, D, const HAS_NO_SIZE: bool> {
    /// How it is hashed.
    const HASH: ComponentHash<D>;
}

#[diagnostic::do_not_recommend]
impl<'a, D: HasComponent<C>, C: 'static + StateHash> HashComponent<'a, D, false> for C {
    const HASH: ComponentHash<D> = ComponentHash::of::<C>();
}

#[diagnostic::do_not_recommend]
impl<'a, D: HasComponent<C>, C: 'static> HashComponent<'a, D, true> for C {
    const HASH: ComponentHash<D> = ComponentHash::of_presence::<C>();
}

/// Generates the bounds for hashing: a trait that [`HasNoSize`] implements, for types with a state hash and
/// for types without size.
macro_rules! hashed {
    ($($(#[$attribute:meta])* $name:ident<$T:ident $(, $N:ident)?>;)*) => {$(
        $(#[$attribute])*
        pub trait $name<'a, $T $(, $N)?> {
            /// Puts the value into the hasher.
            fn put(value: &$T, hasher: &mut StateHasher);
        }

        #[diagnostic::do_not_recommend]
        impl<'a, $T: StateHash $(, $N)?> $name<'a, $T $(, $N)?> for HasNoSize<false> {
            #[inline]
            fn put(value: &$T, hasher: &mut StateHasher) {
                value.state_hash(hasher);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, $T $(, $N)?> $name<'a, $T $(, $N)?> for HasNoSize<true> {
            #[inline]
            fn put(_: &$T, _: &mut StateHasher) {}
        }
    )*};
}

hashed! {
    /// The resource `R` has a state hash, or no size.
    #[diagnostic::on_unimplemented(
        message = "[ECS0084] the resource `{R}` has no state hash, so neither has the world",
        label = "a resource is not `StateHash`",
        note = "add `#[derive(ecs_core::StateHash)]` to `{R}`; or, if each step makes it anew, declare `resource {R}: transient;`"
    )]
    HashResource<R>;

    /// The state `T` of the system `N` has a state hash, or no size.
    #[diagnostic::on_unimplemented(
        message = "[ECS0084] the state `{T}` of the system `{N}` has no state hash, so neither has the world",
        label = "a system's state is not `StateHash`",
        note = "add `#[derive(ecs_core::StateHash)]` to `{T}`; or, if each step makes it anew, declare `transient` in `system {N}`"
    )]
    HashSystem<T, N>;
}
