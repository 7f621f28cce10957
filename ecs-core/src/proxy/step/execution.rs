//! What an execution executes: which systems, and their code.

use core::marker::PhantomData;

use crate::proxy::for_tuples;
use crate::proxy::step::overrides::{All, Bodies, Detailed, Named, Only, Overrides, Subtasks};
use crate::scheduling::scheduler::Selection;
use crate::signature::{
    Data, Declaration, Executor, SystemName, executed_from, executed_only, validate_only,
    validate_override, validate_starts,
};
use crate::state::opaque_debug;
use crate::types::{Brand, IndexSet};

/// The systems that an execution starts from: all, or a tuple of up to twelve system names.
///
/// ```
/// # use ecs_core::{World, world};
/// use ecs_core::Step;
/// use ecs_core::overrides::Starts;
/// # #[derive(Default)]
/// # struct Log(String);
/// world! {
///     world Day;
///     resource Log;
///     system Wake { write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0 += "w" }
///     system Eat {
///         write_resources: [Log],
///         dependencies: [Wake],
///         run: |data| data.resources.get_mut::<Log>().0 += "e",
///     }
/// }
///
/// fn twice<F: Starts<Day>>(step: &mut Step<'_, Day>) {
///     step.execute_systems_from::<F>();
///     step.execute_systems_from::<F>();
/// }
/// let mut world = World::<Day>::new();
/// world.step(|step| twice::<(Eat,)>(step)).unwrap();
/// assert_eq!(world.resource::<Log>().0, "ee");
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0065] `{Self}` is not a tuple of systems of the world `{D}`",
    note = "name the systems, twelve at most, as in `execute_systems_from::<(A, B)>()`"
)]
pub trait Starts<D: Declaration> {
    /// Their indices.
    const NODES: &'static [usize];
    /// Whether to start from every system without dependencies instead.
    const ALL: bool = false;
    /// The systems to execute alone, without those that depend on them.
    #[doc(hidden)]
    const ONLY: Option<&'static IndexSet> = None;
}

impl<D: Declaration> Starts<D> for All {
    const NODES: &'static [usize] = &[];
    const ALL: bool = true;
}

impl<D: Declaration, F: Starts<D>> Starts<D> for Only<F> {
    const NODES: &'static [usize] = F::NODES;
    const ONLY: Option<&'static IndexSet> = Some(&executed_only::<D>(F::NODES));
}

macro_rules! tuple_starts {
    ($($N:ident),+) => {
        impl<D: Declaration, $($N: SystemName<D>),+> Starts<D> for ($($N,)+) {
            const NODES: &'static [usize] = &[$($N::INDEX),+];
        }
    };
}

for_tuples! { tuple_starts: A, B, C, E, F, G, H, I, J, K, L, M }

/// The systems that `F` says.
pub(crate) const fn selection<D: Declaration, F: Starts<D>>() -> Selection<'static> {
    match F::ONLY {
        Some(only) => Selection::Only(only),
        None if F::ALL => Selection::All,
        None => Selection::From(F::NODES),
    }
}

/// The systems that an execution executes, and their code: all systems, each with its own code, unless something else
/// is said. [`Step::execute_with`](crate::proxy::Step::execute_with) gives it to a closure, which returns it.
///
/// A system runs its [`System`](crate::System) body, unless it is overridden here by a closure, which captures
/// any further data (thesis, 12.2), or by code for many systems: for [named ones](Self::systems), for those
/// that [match](Self::matching) a predicate, or for the [remaining](Self::remaining) ones.
#[must_use = "nothing is executed unless the closure of `execute_with` returns it"]
pub struct Execution<D: Declaration, F = All, O = Bodies> {
    types: Brand<(D, F, O)>,
    pub(crate) overrides: O,
}

impl<D: Declaration, F> Execution<D, F> {
    /// The systems with their own code.
    pub(crate) const NEW: Self = Self { types: PhantomData, overrides: Bodies };
}

impl<D: Declaration> Execution<D> {
    /// The systems in `F`, and all direct and indirect dependents: see
    /// [`Step::execute_systems_from`](crate::proxy::Step::execute_systems_from).
    pub fn from<F: Starts<D>>(self) -> Execution<D, F> {
        const { validate_starts::<D>(F::NODES) };
        Execution::NEW
    }

    /// The systems in `F` and no others: see [`Step::execute_only`](crate::proxy::Step::execute_only).
    pub fn only<F: Starts<D>>(self) -> Execution<D, Only<F>> {
        const { validate_only::<D>(F::NODES) };
        Execution::NEW
    }
}

impl<D: Declaration, F: Starts<D>, O: Overrides<D>> Execution<D, F, O> {
    /// Makes the system `N` call `f` for each subtask instead of its body.
    ///
    /// It does not compile if the system is overridden already, or is not executed because the execution leaves
    /// it out.
    pub fn for_subtasks<N: SystemName<D>>(
        self,
        f: impl Fn(&N::System, &mut Data<'_, D, N>) + Send + Sync,
    ) -> Execution<D, F, impl Overrides<D>> {
        const { validate::<D, F, O>(&[N::INDEX]) };
        self.with::<N, _>(Subtasks(f))
    }

    /// Makes the system `N` call `f` instead of its body: the detailed form, with code before and after the
    /// subtasks.
    ///
    /// It does not compile if the system is overridden already, or is not executed because the execution leaves
    /// it out.
    pub fn detailed<N: SystemName<D>>(
        self,
        f: impl Fn(&mut N::System, &mut Executor<'_, D, N>) + Send + Sync,
    ) -> Execution<D, F, impl Overrides<D>> {
        const { validate::<D, F, O>(&[N::INDEX]) };
        self.with::<N, _>(Detailed(f))
    }

    fn with<N, B>(self, body: B) -> Execution<D, F, Named<N, B, O>> {
        self.replace(|rest| Named { body, rest, name: PhantomData })
    }
}

impl<D: Declaration, F, O> Execution<D, F, O> {
    /// The same systems with other overrides.
    pub(crate) fn replace<P>(self, with: impl FnOnce(O) -> P) -> Execution<D, F, P> {
        Execution { types: PhantomData, overrides: with(self.overrides) }
    }
}

opaque_debug! { [D: Declaration, F, O] Execution<D, F, O>: |_| world = D::NAME }

/// Fails to evaluate if one of the systems is given twice, is overridden already, or is not executed.
pub(crate) const fn validate<D: Declaration, F: Starts<D>, O: Overrides<D>>(systems: &[usize]) {
    let executed = match F::ONLY {
        Some(only) => Some(*only),
        None if F::ALL => None,
        None => Some(executed_from::<D>(F::NODES)),
    };
    validate_override::<D>(executed.as_ref(), O::SYSTEMS, systems);
}
