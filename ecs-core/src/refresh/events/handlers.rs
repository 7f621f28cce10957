//! The functions for the events of a step, as one type.

use core::marker::PhantomData;

use super::{Event, Happened, Kind};
use crate::signature::{Declaration, SystemName};
use crate::state::opaque_debug;
use crate::types::Brand;

/// The functions of one step, if there are any.
pub(crate) type Handling<'a, D> = Option<&'a mut (dyn Handlers<D> + 'a)>;

/// The same functions, borrowed for a shorter time.
pub(crate) fn reborrow<'a, D: Declaration>(handling: &'a mut Handling<'_, D>) -> Handling<'a, D> {
    match handling {
        Some(handlers) => Some(&mut **handlers),
        None => None,
    }
}

/// Functions for events of the declaration `D`.
///
/// ```
/// # use ecs_core::{World, events::Events, world};
/// # struct Cargo(u32);
/// # world! { world Sea; component Cargo; }
/// let mut world = World::<Sea>::new();
/// let ships = world.spawn_batch((0..3).map(|n| (Cargo(n),)));
/// let mut sunk = Vec::new();
/// world.step_with(Events::new().on_reclaim(|event| sunk.push(event.entity())), |step| {
///     step.despawn(ships[1]);
/// })?;
/// assert_eq!(sunk, [ships[1]]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[must_use = "give it to `World::step_with`"]
pub struct Events<D, H = ()> {
    pub(crate) handlers: H,
    declaration: Brand<D>,
}

impl<D: Declaration> Events<D> {
    /// No functions yet.
    pub fn new() -> Self {
        Self { handlers: (), declaration: PhantomData }
    }
}

impl<D: Declaration> Default for Events<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Declaration, H: Handlers<D>> Events<D, H> {
    /// Calls `f` for each entity to which the system `N` was subscribed.
    pub fn on_subscribe<N: SystemName<D>>(
        self,
        f: impl FnMut(&mut Event<'_, D, N>),
    ) -> Events<D, impl Handlers<D>> {
        self.with::<N, _>(Kind::Subscribed, N::INDEX, f)
    }

    /// Calls `f` for each entity from which the system `N` was unsubscribed: it lost a required component, got an
    /// excluded one, or was despawned.
    pub fn on_unsubscribe<N: SystemName<D>>(
        self,
        f: impl FnMut(&mut Event<'_, D, N>),
    ) -> Events<D, impl Handlers<D>> {
        self.with::<N, _>(Kind::Unsubscribed, N::INDEX, f)
    }

    /// Calls `f` for each entity that was reclaimed.
    pub fn on_reclaim(self, f: impl FnMut(&mut Event<'_, D>)) -> Events<D, impl Handlers<D>> {
        self.with::<(), _>(Kind::Reclaimed, 0, f)
    }

    fn with<N, F>(self, kind: Kind, system: usize, f: F) -> Events<D, On<N, F, H>> {
        let handlers = On { kind, system, f, earlier: self.handlers, of: PhantomData };
        Events { handlers, declaration: PhantomData }
    }
}

opaque_debug! { [D, H] Events<D, H> }

/// The functions in [`Events`].
pub trait Handlers<D: Declaration> {
    /// Whether there is a function for this event.
    #[doc(hidden)]
    fn want(&self, kind: Kind, system: usize) -> bool;

    /// Calls the functions for this event.
    #[doc(hidden)]
    fn handle(&mut self, happened: &mut Happened<'_, D>);
}

impl<D: Declaration> Handlers<D> for () {
    fn want(&self, _: Kind, _: usize) -> bool {
        false
    }

    fn handle(&mut self, _: &mut Happened<'_, D>) {}
}

/// A function for one event, and the functions that were given earlier.
pub struct On<N, F, H> {
    kind: Kind,
    system: usize,
    f: F,
    earlier: H,
    of: Brand<N>,
}

impl<D, N, F, H> Handlers<D> for On<N, F, H>
where
    D: Declaration,
    F: FnMut(&mut Event<'_, D, N>),
    H: Handlers<D>,
{
    fn want(&self, kind: Kind, system: usize) -> bool {
        (self.kind, self.system) == (kind, system) || self.earlier.want(kind, system)
    }

    fn handle(&mut self, happened: &mut Happened<'_, D>) {
        self.earlier.handle(happened);
        if (self.kind, self.system) == (happened.kind, happened.system) {
            (self.f)(&mut happened.event::<N>());
        }
    }
}

opaque_debug! { [N, F, H] On<N, F, H>: |this| kind = this.kind }
