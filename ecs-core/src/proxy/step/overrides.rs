//! The starts of an execution, and the code that replaces systems' bodies. User code need not name these types,
//! but compile errors about an execution may.

use crate::proxy::step::adapters::{ForInstance, ForSubtasks, Targets};
use crate::proxy::step::call::Call;
use crate::proxy::{Data, Executor, SystemInstance};
use crate::signature::{Declaration, SystemName};
use crate::types::{Brand, IndexSet};

/// Starts from every system without dependencies.
#[derive(Debug)]
pub enum All {}

/// The systems of `F`, without those that depend on them.
#[derive(Debug)]
pub struct Only<F>(Brand<F>);

/// No overrides: every system runs its body.
#[derive(Debug)]
pub struct Bodies;

/// The system `N` runs `B`; the others run what `O` says.
#[derive(Debug)]
pub struct Named<N, B, O> {
    pub(crate) body: B,
    pub(crate) rest: O,
    pub(crate) name: Brand<N>,
}

/// The systems of `T` that `P` matches run `B`, unless `O` overrides them.
#[derive(Debug)]
pub struct Each<T, P, B, O> {
    pub(crate) body: B,
    pub(crate) rest: O,
    pub(crate) chosen: Brand<(T, P)>,
}

/// A closure for each subtask.
#[derive(Debug)]
pub struct Subtasks<F>(pub(crate) F);

/// A closure around the subtasks.
#[derive(Debug)]
pub struct Detailed<F>(pub(crate) F);

/// A closure with the instance.
#[derive(Debug)]
pub struct DetailedInstance<F>(pub(crate) F);

/// Code for each subtask of any system.
#[derive(Debug)]
pub struct Every<B>(pub(crate) B);

/// Code with the instance of any system.
#[derive(Debug)]
pub struct Instances<B>(pub(crate) B);

/// Code that replaces the body of the system `N`.
pub(crate) trait Body<D: Declaration, N: SystemName<D>>: Send + Sync {
    /// Executes the system.
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>);
}

impl<D, N, F> Body<D, N> for Subtasks<F>
where
    D: Declaration,
    N: SystemName<D>,
    F: Fn(&N::System, &mut Data<'_, D, N>) + Send + Sync,
{
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>) {
        let system = &*system;
        executor.for_subtasks(|data| (self.0)(system, data));
    }
}

impl<D, N, F> Body<D, N> for Detailed<F>
where
    D: Declaration,
    N: SystemName<D>,
    F: Fn(&mut N::System, &mut Executor<'_, D, N>) + Send + Sync,
{
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>) {
        (self.0)(system, executor);
    }
}

impl<D, N, F> Body<D, N> for DetailedInstance<F>
where
    D: Declaration,
    N: SystemName<D>,
    F: Fn(&mut SystemInstance<'_, '_, D, N>) + Send + Sync,
{
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>) {
        (self.0)(&mut SystemInstance::new(system, executor));
    }
}

impl<D: Declaration, N: SystemName<D>, B: ForSubtasks<D, N>> Body<D, N> for Every<B> {
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>) {
        let system = &*system;
        executor.for_subtasks(|data| self.0.process(system, data));
    }
}

impl<D: Declaration, N: SystemName<D>, B: ForInstance<D, N>> Body<D, N> for Instances<B> {
    fn execute(&self, system: &mut N::System, executor: &mut Executor<'_, D, N>) {
        self.0.execute(&mut SystemInstance::new(system, executor));
    }
}

/// Code that an execution runs instead of systems' bodies.
pub trait Overrides<D: Declaration>: Send + Sync {
    /// The systems that are overridden.
    #[doc(hidden)]
    const SYSTEMS: IndexSet;

    /// Executes the system if it is overridden. Returns whether it is.
    #[doc(hidden)]
    fn run(&self, call: Call<'_, D>) -> bool;
}

impl<D: Declaration> Overrides<D> for Bodies {
    const SYSTEMS: IndexSet = IndexSet::EMPTY;

    fn run(&self, _: Call<'_, D>) -> bool {
        false
    }
}

impl<D, N, B, O> Overrides<D> for Named<N, B, O>
where
    D: Declaration,
    N: SystemName<D>,
    B: Body<D, N>,
    O: Overrides<D>,
{
    const SYSTEMS: IndexSet = O::SYSTEMS.with(N::INDEX);

    fn run(&self, call: Call<'_, D>) -> bool {
        if N::INDEX != call.index() {
            return self.rest.run(call);
        }
        call.execute::<N>(|system, executor| self.body.execute(system, executor));
        true
    }
}

impl<D, T, P, B, O> Overrides<D> for Each<T, P, B, O>
where
    D: Declaration,
    T: Targets<D, P, B>,
    B: Send + Sync,
    O: Overrides<D>,
{
    const SYSTEMS: IndexSet = O::SYSTEMS.union(T::SYSTEMS);

    fn run(&self, call: Call<'_, D>) -> bool {
        self.rest.run(call) || T::run(&self.body, call)
    }
}
