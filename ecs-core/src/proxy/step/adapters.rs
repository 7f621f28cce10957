//! *System execution adapters*: one piece of code that replaces many systems' bodies (thesis, 12.2).

use core::marker::PhantomData;

use crate::proxy::SystemInstance;
use crate::proxy::for_tuples;
use crate::proxy::step::call::Call;
use crate::proxy::step::execution::{Execution, Starts, validate};
use crate::proxy::step::overrides::{
    Body, DetailedInstance, Each, Every, Instances, Named, Overrides,
};
use crate::signature::{Both, Data, Declaration, EverySystem, One, SystemName};
use crate::state::opaque_debug;
use crate::types::{Brand, IndexSet};

/// Code for the subtasks of every system `N` that it is implemented for.
///
/// Rust has no generic closures, so code for several systems is a type with this trait. Its fields hold
/// captured data. Bounds of the impl state what it demands of systems:
///
/// ```
/// use ecs_core::overrides::ForSubtasks;
/// use ecs_core::SystemName;
/// use ecs_core::{Data, World, world};
///
/// world! {
///     world Clock;
///     resource Log;
///     system Hour { write_resources: [Log], run: |_| {} }
///     system Minute { write_resources: [Log], dependencies: [Hour], run: |_| {} }
///     system Strike {
///         write_resources: [Log],
///         dependencies: [Minute],
///         run: |data| data.resources.get_mut::<Log>().0.push("!".into()),
///     }
/// }
/// # #[derive(Default)] struct Log(Vec<String>);
///
/// /// What the hands of the clock have in common.
/// trait Hand<N: SystemName<Clock>> {
///     fn turn(&self, by: u32, data: &mut Data<'_, Clock, N>);
/// }
/// impl Hand<Hour> for Hour {
///     fn turn(&self, by: u32, data: &mut Data<'_, Clock, Hour>) {
///         data.resources.get_mut::<Log>().0.push(format!("{} h", by / 60));
///     }
/// }
/// impl Hand<Minute> for Minute {
///     fn turn(&self, by: u32, data: &mut Data<'_, Clock, Minute>) {
///         data.resources.get_mut::<Log>().0.push(format!("{} min", by % 60));
///     }
/// }
///
/// struct Turn(u32);
/// impl<N: SystemName<Clock, System: Hand<N>>> ForSubtasks<Clock, N> for Turn {
///     fn process(&self, system: &N::System, data: &mut Data<'_, Clock, N>) {
///         system.turn(self.0, data);
///     }
/// }
///
/// let mut world = World::<Clock>::new();
/// world
///     .step(|step| step.execute_with(|systems| systems.systems::<(Hour, Minute)>().for_subtasks(Turn(90))))
///     .unwrap();
/// assert_eq!(world.resource::<Log>().0, ["1 h", "30 min", "!"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0067] `{Self}` has no code for the subtasks of the system `{N}`",
    label = "not for every system that is asked for",
    note = "`matching` and `remaining` need code for all systems of `{D}`, also for those that are left out in the end",
    note = "write `impl ForSubtasks<{D}, {N}> for {Self}`, or have `{N}` fulfil the bounds of the impl that there is"
)]
pub trait ForSubtasks<D: Declaration, N: SystemName<D>>: Send + Sync {
    /// Called for each subtask instead of the system's body.
    fn process(&self, system: &N::System, data: &mut Data<'_, D, N>);
}

/// Code around the subtasks of every system `N` that it is implemented for: the detailed form.
///
/// ```
/// use ecs_core::overrides::{ForInstance, SystemInstance};
/// use ecs_core::{SystemName, World, world};
/// # #[derive(Default)] struct Log(Vec<&'static str>);
///
/// world! {
///     world Clock;
///     resource Log;
///     system Hour { write_resources: [Log], run: |_| {} }
///     system Minute { write_resources: [Log], dependencies: [Hour], run: |_| {} }
/// }
///
/// /// Notes which systems run.
/// struct Note;
///
/// impl<N> ForInstance<Clock, N> for Note
/// where
///     N: SystemName<Clock> + ecs_core::access::WritesResource<Log, Clock>,
/// {
///     fn execute(&self, instance: &mut SystemInstance<'_, '_, Clock, N>) {
///         let name = instance.signature().name();
///         instance.split().1.resources.get_mut::<Log>().0.push(name);
///     }
/// }
///
/// let mut world = World::<Clock>::new();
/// world.step(|step| step.execute_with(|all| all.remaining().detailed(Note)))?;
/// assert_eq!(world.resource::<Log>().0, ["Hour", "Minute"]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0067] `{Self}` has no code for the system `{N}`",
    label = "not for every system that is asked for",
    note = "`matching` and `remaining` need code for all systems of `{D}`, also for those that are left out in the end",
    note = "write `impl ForInstance<{D}, {N}> for {Self}`, or have `{N}` fulfil the bounds of the impl that there is"
)]
pub trait ForInstance<D: Declaration, N: SystemName<D>>: Send + Sync {
    /// Called instead of the system's body.
    fn execute(&self, instance: &mut SystemInstance<'_, '_, D, N>);
}

/// A choice among systems that is made at compile time.
///
/// ```
/// use ecs_core::overrides::Predicate;
/// use ecs_core::{Declaration, SystemName};
/// use ecs_core::signature::{SystemSignature, signature_of};
///
/// const fn split(signature: &SystemSignature) -> bool {
///     !signature.is_single_subtask()
/// }
///
/// /// The systems that may have several subtasks.
/// struct Split;
/// impl<D: Declaration, N: SystemName<D>> Predicate<D, N> for Split {
///     const MATCHES: bool = split(signature_of::<D, N>());
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` does not say whether it matches the system `{N}`",
    label = "not a predicate over systems",
    note = "write `impl<D: Declaration, N: SystemName<D>> Predicate<D, N> for {Self} {{ const MATCHES: bool = …; }}`"
)]
pub trait Predicate<D: Declaration, N: SystemName<D>> {
    /// Whether the system is among the chosen ones.
    const MATCHES: bool;
}

/// Matches every system.
///
/// ```
/// use ecs_core::overrides::{Always, Predicate};
/// # ecs_core::world! { world Day; system Wake { run: |_| {} } }
///
/// const _: () = assert!(<Always as Predicate<Day, Wake>>::MATCHES);
/// ```
#[derive(Debug)]
pub enum Always {}

impl<D: Declaration, N: SystemName<D>> Predicate<D, N> for Always {
    const MATCHES: bool = true;
}

/// The systems of a tuple or of a tree that `P` matches, each with code in `B`.
///
/// ```
/// # use ecs_core::overrides::ForSubtasks;
/// # use ecs_core::{Data, SystemName, World, world};
/// world! {
///     world Day;
///     system Wake { run: |_| {} }
///     system Work { dependencies: [Wake], run: |_| panic!("not today") }
/// }
///
/// struct Skip;
///
/// // For `Work` alone, so `(Work,)` can be its target, and `(Wake, Work)` cannot.
/// impl ForSubtasks<Day, Work> for Skip {
///     fn process(&self, _: &Work, _: &mut Data<'_, Day, Work>) {}
/// }
///
/// let mut world = World::<Day>::new();
/// world.step(|step| step.execute_with(|all| all.systems::<(Work,)>().for_subtasks(Skip)))?;
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub trait Targets<D: Declaration, P, B> {
    /// The systems that match.
    #[doc(hidden)]
    const SYSTEMS: IndexSet;

    /// Executes the system if it is among them. Returns whether it is.
    #[doc(hidden)]
    fn run(body: &B, call: Call<'_, D>) -> bool;
}

impl<D: Declaration, P, B> Targets<D, P, B> for () {
    const SYSTEMS: IndexSet = IndexSet::EMPTY;

    fn run(_: &B, _: Call<'_, D>) -> bool {
        false
    }
}

impl<D, N, P, B> Targets<D, P, B> for One<N>
where
    D: Declaration,
    N: SystemName<D>,
    P: Predicate<D, N>,
    B: Body<D, N>,
{
    const SYSTEMS: IndexSet =
        if P::MATCHES { IndexSet::EMPTY.with(N::INDEX) } else { IndexSet::EMPTY };

    fn run(body: &B, call: Call<'_, D>) -> bool {
        let chosen = P::MATCHES && N::INDEX == call.index();
        if chosen {
            call.execute::<N>(|system, executor| body.execute(system, executor));
        }
        chosen
    }
}

impl<D, L, R, P, B> Targets<D, P, B> for Both<L, R>
where
    D: Declaration,
    L: Targets<D, P, B>,
    R: Targets<D, P, B>,
{
    const SYSTEMS: IndexSet = L::SYSTEMS.union(R::SYSTEMS);

    fn run(body: &B, call: Call<'_, D>) -> bool {
        let left = const { &L::SYSTEMS };
        if left.contains(call.index()) { L::run(body, call) } else { R::run(body, call) }
    }
}

macro_rules! tuple_targets {
    ($($N:ident),+) => {
        impl<D: Declaration, P, X, $($N),+> Targets<D, P, X> for ($($N,)+)
        where
            $(One<$N>: Targets<D, P, X>,)+
        {
            const SYSTEMS: IndexSet =
                IndexSet::EMPTY$(.union(<One<$N> as Targets<D, P, X>>::SYSTEMS))+;

            fn run(body: &X, call: Call<'_, D>) -> bool {
                $(<One<$N> as Targets<D, P, X>>::run(body, call))||+
            }
        }
    };
}

for_tuples! { tuple_targets: A, B, C, E, F, G, H, I, J, K, L, M }

/// Some systems of an execution, whose code is still to be given.
///
/// ```
/// # use ecs_core::overrides::ForSubtasks;
/// # use ecs_core::{Data, SystemName, World, world};
/// # #[derive(Default)] struct Log(u32);
/// world! {
///     world Day;
///     resource Log;
///     system Wake { write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0 += 1 }
///     system Work { write_resources: [Log], dependencies: [Wake], run: |data| data.resources.get_mut::<Log>().0 += 10 }
/// }
///
/// struct Skip;
///
/// impl<N: SystemName<Day>> ForSubtasks<Day, N> for Skip {
///     fn process(&self, _: &N::System, _: &mut Data<'_, Day, N>) {}
/// }
///
/// let mut world = World::<Day>::new();
/// world.step(|step| step.execute_with(|all| all.systems::<(Work,)>().for_subtasks(Skip)))?;
/// assert_eq!(world.resource::<Log>().0, 1);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[must_use = "the adapter has no code yet"]
pub struct Adapter<D: Declaration, F, O, T, P> {
    execution: Execution<D, F, O>,
    chosen: Brand<(T, P)>,
}

impl<D: Declaration, F, O, T, P> Adapter<D, F, O, T, P>
where
    O: Overrides<D>,
{
    /// Makes each of the systems call `body` for each subtask instead of its own body.
    pub fn for_subtasks<B>(self, body: B) -> Execution<D, F, impl Overrides<D>>
    where
        B: Send + Sync,
        T: Targets<D, P, Every<B>>,
    {
        self.with(Every(body))
    }

    /// Makes each of the systems call `body` instead of its own body: the detailed form, with code before and
    /// after the subtasks.
    pub fn detailed<B>(self, body: B) -> Execution<D, F, impl Overrides<D>>
    where
        B: Send + Sync,
        T: Targets<D, P, Instances<B>>,
    {
        self.with(Instances(body))
    }

    fn with<B>(self, body: B) -> Execution<D, F, Each<T, P, B, O>> {
        self.execution.replace(|rest| Each { body, rest, chosen: PhantomData })
    }
}

opaque_debug! {
    [D: Declaration, F, O, T, P] Adapter<D, F, O, T, P>: |_| world = D::NAME
}

/// Adapters for many systems. A system runs the code of the first adapter that includes it.
impl<D: Declaration, F: Starts<D>, O: Overrides<D>> Execution<D, F, O> {
    /// The systems of the tuple `T`, at most twelve, for code that fits each of them.
    ///
    /// It does not compile if one of them has code already, or is not executed because the execution leaves it out.
    pub fn systems<T: Starts<D>>(self) -> Adapter<D, F, O, T, Always> {
        const { validate::<D, F, O>(T::NODES) };
        Adapter { execution: self, chosen: PhantomData }
    }

    /// The systems that the [`Predicate`] matches and that have no code yet.
    #[expect(clippy::needless_pass_by_value, reason = "the value stands for its type")]
    pub fn matching<P, T>(self, predicate: P) -> Adapter<D, F, O, T, P>
    where
        D: EverySystem<T>,
    {
        let _ = predicate;
        Adapter { execution: self, chosen: PhantomData }
    }

    /// All systems that have no code yet.
    pub fn remaining<T>(self) -> Adapter<D, F, O, T, Always>
    where
        D: EverySystem<T>,
    {
        Adapter { execution: self, chosen: PhantomData }
    }

    /// Makes the system `N` call `f` instead of its body. The same as [`detailed`](Self::detailed), with system
    /// and executor in one value (thesis, 15.3.1.1).
    ///
    /// ```
    /// # use ecs_core::{Data, System, World, world};
    /// # struct Mass(u64);
    /// # world! {
    /// #     world Box;
    /// #     component Mass;
    /// #     system Weigh { parallelism: split_evenly(cores), read: [Mass], output: Vec<u64> }
    /// # }
    /// # #[derive(Default)] struct Weigh { total: u64 }
    /// # impl System<Box> for Weigh {
    /// #     fn process(&self, data: &mut Data<'_, Box, Self>) {
    /// #         data.own.for_entities(|e| data.effects.output().push(e.mass.0));
    /// #     }
    /// # }
    /// # let mut world = World::<Box>::new();
    /// # world.spawn_batch((1..=4).map(|mass| (Mass(mass),)));
    /// world.step(|step| {
    ///     step.execute_with(|systems| systems
    ///         .detailed_instance::<Weigh>(|instance| {
    ///             instance.system_mut().total = 0;
    ///             instance.for_subtasks(|system, data| system.process(data));
    ///             instance.for_outputs(|system, masses| system.total += masses.iter().sum::<u64>());
    ///         }));
    /// }).unwrap();
    /// assert_eq!(world.system::<Weigh>().total, 10);
    /// ```
    pub fn detailed_instance<N: SystemName<D>>(
        self,
        f: impl Fn(&mut SystemInstance<'_, '_, D, N>) + Send + Sync,
    ) -> Execution<D, F, impl Overrides<D>> {
        const { validate::<D, F, O>(&[N::INDEX]) };
        self.replace(|rest| Named { body: DetailedInstance(f), rest, name: Brand::<N>::default() })
    }
}
