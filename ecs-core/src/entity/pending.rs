//! Pending entities: those that a subtask has staged to be spawned, before the refresh gives them handles.

use core::fmt;
use core::marker::PhantomData;

use super::{Entity, Locate, Place};
use crate::types::Brand;

/// An entity that this subtask has staged to be spawned: [`Effects::spawn_pending`](crate::Effects::spawn_pending) gives
/// it. The refresh gives it its handle.
///
/// Until then it stands for the entity in what the subtask stages: as the target of insertions, removals, updates,
/// messages and subscriptions, and in values that are made with its handle at the refresh
/// ([`Effects::insert_with`](crate::Effects::insert_with), [`spawn_with`](crate::Effects::spawn_with),
/// [`send_with`](crate::Effects::send_with)). It is no handle, so nothing can be read of it, and it cannot leave the call
/// of the body: handles follow from the order of all spawns of a step, and what a subtask knows must not depend on how
/// its system is split.
///
/// ```
/// # use ecs_core::{Entity, World, world};
/// # struct Gun;
/// # struct Position(f32);
/// struct Loaded(Entity);
///
/// world! {
///     world Range;
///     component Gun: empty;
///     component Position, Loaded;
///     system Load {
///         parallelism: split_evenly(cores),
///         with: [Gun],
///         spawn: [Position],
///         insert: [Loaded],
///         each: |gun: Entity, effects| {
///             let bullet = effects.spawn_pending((Position(0.0),));
///             effects.insert_with(gun, bullet, Loaded);
///         },
///     }
/// }
///
/// let mut world = World::<Range>::new();
/// let gun = world.spawn((Gun,));
/// world.tick()?;
/// let bullet = world.get::<Loaded>(gun).unwrap().0;
/// assert_eq!(world.get::<Position>(bullet).unwrap().0, 0.0);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
///
/// ```compile_fail
/// # use ecs_core::{Data, PendingEntity, System, World, world};
/// # struct Position(f32);
/// # world! { world Range; component Position; system Load { spawn: [Position], state: Load(None) } }
/// struct Load(Option<Vec<PendingEntity<'static>>>);
///
/// impl System<Range> for Load {
///     fn process(&self, data: &mut Data<'_, Range, Self>) {
///         // error: lifetime may not live long enough
///         drop(Load(Some(vec![data.effects.spawn_pending((Position(0.0),))])));
///     }
/// }
/// ```
///
/// If the world's limit leaves no room for the entity, it does not come into being: what was staged for it is dropped,
/// the handle in values is of no entity, now or ever, and the step reports it ([`StepError`](crate::StepError)).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PendingEntity<'w> {
    key: PendingKey,
    /// Invariant: it is of this call of the body.
    call: Brand<&'w ()>,
}

/// The number of a pending entity among those that its subtask spawns with its bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingKey {
    /// The order of the bundle.
    pub(crate) bundle: (u32, u32),
    pub(crate) number: u32,
}

impl PendingKey {
    /// The key of the entity that is this number of bundles behind it.
    pub(crate) fn after(self, position: usize) -> Self {
        // Beyond the last number there is none.
        let further = u32::try_from(position).unwrap_or(u32::MAX);
        Self { number: self.number.saturating_add(further), ..self }
    }
}

impl PendingEntity<'_> {
    /// The spawn with this number, with the bundle of this position and rank.
    #[inline(always)]
    pub(crate) fn new(position: usize, rank: u32, number: usize) -> Self {
        // No world has room for more, so the last number is of none.
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Self { key: PendingKey { bundle: (position as u32, rank), number }, call: PhantomData }
    }
}

/// Without its number, which would show how the system was split.
impl fmt::Debug for PendingEntity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PendingEntity")
    }
}

/// The entities that this subtask has staged to be spawned by one call:
/// [`Effects::spawn_pending_batch`](crate::Effects::spawn_pending_batch) gives them, in the order of their bundles.
///
/// ```
/// # use ecs_core::{Entity, PendingBatch, World, world};
/// # struct Link(Option<Entity>);
/// struct Next(Entity);
///
/// world! {
///     world Train;
///     component Link, Next;
///     system Couple {
///         spawn: [Link],
///         insert: [Next],
///         run: |data| {
///             let wagons: PendingBatch<'_> = data.effects.spawn_pending_batch((0..3).map(|_| (Link(None),)));
///             for (one, next) in wagons.iter().zip(wagons.iter().skip(1)) {
///                 data.effects.insert_with(one, next, Next);
///             }
///         },
///     }
/// }
///
/// let mut world = World::<Train>::new();
/// world.tick()?;
/// assert_eq!(world.iter::<&Next>().count(), 2);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Clone, Copy)]
pub struct PendingBatch<'w> {
    first: PendingEntity<'w>,
    len: usize,
}

impl<'w> PendingBatch<'w> {
    #[inline(always)]
    pub(crate) fn new(first: PendingEntity<'w>, len: usize) -> Self {
        Self { first, len }
    }

    /// The number of entities.
    #[must_use]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The entity of the bundle at a position. O(1).
    #[must_use]
    pub fn get(self, position: usize) -> Option<PendingEntity<'w>> {
        (position < self.len).then(|| self.at(position))
    }

    /// All, in the order of their bundles.
    pub fn iter(self) -> impl ExactSizeIterator<Item = PendingEntity<'w>> + Clone {
        (0..self.len).map(move |position| self.at(position))
    }

    fn at(self, position: usize) -> PendingEntity<'w> {
        let PendingEntity { key, call } = self.first;
        PendingEntity { key: key.after(position), call }
    }

    /// The key of the first one.
    pub(crate) fn key(self) -> PendingKey {
        self.first.key
    }
}

/// With the number of its entities only: see [`PendingEntity`].
impl fmt::Debug for PendingBatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PendingBatch({})", self.len)
    }
}

/// What an effect is staged for: an entity, by its handle ([`Entity`]) or its [`Place`], or a [`PendingEntity`].
///
/// ```
/// use ecs_core::{Declaration, EffectTarget, Effects, InsertedComponents, SystemName};
///
/// /// Inserts what a spell gives, also into an entity that is spawned by the same refresh.
/// fn enchant<'w, D: Declaration, N: SystemName<D>>(
///     effects: &mut Effects<'w, D, N>,
///     target: impl EffectTarget<'w>,
///     gifts: impl InsertedComponents<N, D>,
/// ) {
///     effects.insert_many(target, gifts);
/// }
/// # let _ = |effects: &mut Effects<'_, W, S>, target: ecs_core::Entity| enchant(effects, target, (A,));
/// # struct A;
/// # ecs_core::world! { world W; component A: empty; system S { insert: [A], run: |_| {} } }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` does not name an entity",
    label = "neither a handle, a place nor a pending entity",
    note = "name it by its handle, an `Entity`, by its `Place` in this step, or by the `PendingEntity` that its spawn gives"
)]
#[expect(private_bounds, reason = "sealed: what there is to aim at is the library's own affair")]
pub trait EffectTarget<'w>: Copy + Aim {}

/// What an effect is staged for.
pub(crate) trait Aim {
    /// What names an entity that lives.
    type Living: Locate;

    /// The entity, if it lives, or else its key.
    fn aim(self) -> Result<Self::Living, PendingKey>;
}

impl EffectTarget<'_> for Entity {}

impl Aim for Entity {
    type Living = Self;

    #[inline(always)]
    fn aim(self) -> Result<Self, PendingKey> {
        Ok(self)
    }
}

impl EffectTarget<'_> for Place {}

impl Aim for Place {
    type Living = Self;

    #[inline(always)]
    fn aim(self) -> Result<Self, PendingKey> {
        Ok(self)
    }
}

impl<'w> EffectTarget<'w> for PendingEntity<'w> {}

impl Aim for PendingEntity<'_> {
    type Living = Entity;

    #[inline(always)]
    fn aim(self) -> Result<Entity, PendingKey> {
        Err(self.key)
    }
}

/// Entities whose handles a value is made with at the refresh: a [`PendingEntity`], an [`Entity`], or an array, pair or
/// triple of these.
///
/// ```
/// use ecs_core::{Entity, PendingEntity, Resolve};
///
/// /// Takes entities, some of which may be pending, and code that gets all handles.
/// fn with<'w, P: Resolve<'w>>(_: P, _: impl FnOnce(<P as Resolve<'w>>::Handles)) {}
///
/// fn link<'w>(parent: Entity, children: [PendingEntity<'w>; 2]) {
///     with((parent, children), |(parent, [left, right])| assert!(parent != left && left != right));
/// }
/// # let _ = link;
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0170] `{Self}` is not made of entities whose handles the refresh could give",
    label = "neither a pending entity nor a handle",
    note = "give the `PendingEntity` of `spawn_pending`, a handle, or an array, pair or triple of these; the value is made of their handles: `insert_with(gun, bullet, |bullet| Loaded(bullet))`"
)]
#[expect(private_bounds, reason = "sealed: keys are the library's own affair")]
pub trait Resolve<'w>: Copy + HasKeys<Out = <Self as Resolve<'w>>::Handles> {
    /// An [`Entity`] for each.
    type Handles;
}

/// Has keys of pending entities, and handles.
pub(crate) trait HasKeys {
    /// A handle for each.
    type Out;
    /// The same, without a lifetime.
    type Keys: Keys<Handles = Self::Out>;

    fn keys(self) -> Self::Keys;
}

/// Keys of pending entities, and handles.
pub(crate) trait Keys: Send + 'static {
    /// A handle for each.
    type Handles;

    /// The handles, of pending entities those that `of` gives.
    fn handles(self, of: &impl Fn(PendingKey) -> Entity) -> Self::Handles;
}

impl<'w> Resolve<'w> for PendingEntity<'w> {
    type Handles = Entity;
}

impl HasKeys for PendingEntity<'_> {
    type Out = Entity;
    type Keys = PendingKey;

    #[inline(always)]
    fn keys(self) -> PendingKey {
        self.key
    }
}

impl Keys for PendingKey {
    type Handles = Entity;

    #[inline]
    fn handles(self, of: &impl Fn(Self) -> Entity) -> Entity {
        of(self)
    }
}

impl Resolve<'_> for Entity {
    type Handles = Self;
}

impl HasKeys for Entity {
    type Out = Self;
    type Keys = Self;

    #[inline(always)]
    fn keys(self) -> Self {
        self
    }
}

impl Keys for Entity {
    type Handles = Self;

    #[inline]
    fn handles(self, _: &impl Fn(PendingKey) -> Self) -> Self {
        self
    }
}

impl<'w, T: Resolve<'w>, const COUNT: usize> Resolve<'w> for [T; COUNT] {
    type Handles = [T::Handles; COUNT];
}

impl<T: HasKeys, const COUNT: usize> HasKeys for [T; COUNT] {
    type Out = [T::Out; COUNT];
    type Keys = [T::Keys; COUNT];

    #[inline(always)]
    fn keys(self) -> Self::Keys {
        self.map(T::keys)
    }
}

impl<T: Keys, const COUNT: usize> Keys for [T; COUNT] {
    type Handles = [T::Handles; COUNT];

    #[inline]
    fn handles(self, of: &impl Fn(PendingKey) -> Entity) -> Self::Handles {
        self.map(|keys| keys.handles(of))
    }
}

macro_rules! tuples {
    ($($T:ident $value:ident),+) => {
        impl<'w, $($T: Resolve<'w>),+> Resolve<'w> for ($($T,)+) {
            type Handles = ($($T::Handles,)+);
        }

        impl<$($T: HasKeys),+> HasKeys for ($($T,)+) {
            type Out = ($($T::Out,)+);
            type Keys = ($($T::Keys,)+);

            #[inline(always)]
            fn keys(self) -> Self::Keys {
                let ($($value,)+) = self;
                ($($value.keys(),)+)
            }
        }

        impl<$($T: Keys),+> Keys for ($($T,)+) {
            type Handles = ($($T::Handles,)+);

            #[inline]
            fn handles(self, of: &impl Fn(PendingKey) -> Entity) -> Self::Handles {
                let ($($value,)+) = self;
                ($($value.handles(of),)+)
            }
        }
    };
}

tuples!(A a, B b);
tuples!(A a, B b, C c);
