//! The limit of a world: how many entities it can hold.

use super::LimitReached;

/// How many entities a world can hold.
///
/// ```
/// use ecs_core::settings::{Dynamic, EntityLimit, Fixed};
///
/// const _: () = assert!(Fixed::<100>::FIXED.is_some() && Dynamic::<100>::FIXED.is_none());
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not an entity limit",
    label = "not a limit",
    note = "use `Fixed<N>`, `Dynamic<N>` or `ByArchetype<N>`"
)]
pub trait EntityLimit: 'static {
    /// The most entities that can be alive at once, if there is a limit.
    const FIXED: Option<usize>;
    /// The number of entities that memory is allocated for when the world is made.
    const INITIAL: usize;
    /// Whether entities that are spawned with the same components lie together, as [`ByArchetype`](crate::settings::ByArchetype) says.
    const BY_ARCHETYPE: bool = false;
    /// What a spawn in a world with this limit returns: `T`, or `Result<T, LimitReached>` if the limit is fixed.
    type Outcome<T>;

    /// The outcome of a spawn.
    ///
    /// # Panics
    /// On an error, if the limit is not fixed. Then the world has 2³¹ − 1 entities.
    fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T>;
}

/// The outcome of a spawn in a world without a fixed limit.
///
/// # Panics
/// If the world has 2³¹ − 1 entities.
pub(crate) fn unlimited<T>(spawned: Result<T, LimitReached>) -> T {
    spawned.unwrap_or_else(|error| panic!("{error}"))
}

/// The panic of a new world whose fixed limit takes more memory than the system gives.
#[cold]
pub(crate) fn refused(entities: usize, bytes: usize) -> ! {
    panic!(
        "the system refuses {entities} × {bytes} bytes for the entities of the world; lower `entity_limit`, or make it dynamic"
    )
}

/// The panic of a world that grows by more memory than the system gives.
#[cold]
pub(crate) fn refused_growth(bytes: usize) -> ! {
    panic!(
        "the system refuses {bytes} bytes for the entities of the world; keep fewer entities, or give the program more memory"
    )
}

/// Reserves memory for `more` further elements of a list that grows with the entities of a world. Returns whether the system gives
/// it; if not, the list is unchanged.
#[cold]
pub(crate) fn try_reserve<T>(list: &mut Vec<T>, more: usize) -> bool {
    list.try_reserve(more).or_else(|_| list.try_reserve_exact(more)).is_ok()
}

/// The same.
///
/// # Panics
/// If the system refuses it. The list is unchanged.
#[cold]
pub(crate) fn reserve_or_refuse<T>(list: &mut Vec<T>, more: usize) {
    if !try_reserve(list, more) {
        refused_growth((list.len() + more).saturating_mul(size_of::<T>()));
    }
}

/// Chooses by whether the limit is fixed, when the program is built. It calls `fixed` with the limit, or `dynamic`
/// with the initial capacity; the other function is not compiled in (thesis, 14.3).
pub(crate) fn on_limit<L: EntityLimit, R>(
    fixed: impl FnOnce(usize) -> R,
    dynamic: impl FnOnce(usize) -> R,
) -> R {
    match const { L::FIXED } {
        Some(limit) => fixed(limit),
        None => dynamic(L::INITIAL),
    }
}
