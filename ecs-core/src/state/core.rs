//! The parts of a world that do not depend on its settings, and what a system is executed with.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use crossbeam::utils::CachePadded;

use crate::entity::{Entity, EntityLimit};
use crate::output::stream::Link;
use crate::parallel::{DropEach, Threads, Workers};
use crate::random::RandomState;
use crate::rows::Marks;
use crate::scheduling::scheduler::Policies;
use crate::signature::tables::{removed, tracking};
use crate::signature::{
    Declaration, Evaluate, EventSignature, HasComponent, HasPhases, SystemName, SystemSignature,
    Tables, UnorderedUpdates, any_conditional, any_stream, systems_of,
};
use crate::state::opaque_debug;
use crate::state::snapshot::{Cloneable, lines};
use crate::state::{
    Conditions, Contributions, Editing, Instance, Outputs, Partial, RefreshState, Resources,
    States, Subscription, Transitions,
};
use crate::storage::{ComponentSignature, PhaseCell, Storage};
use crate::types::TypeInfo;

/// Everything in a world except its schedule.
///
/// It dereferences to its [`CoreData`], which has all that does not depend on the declaration's types.
#[derive(Debug)]
pub(crate) struct Core<D: Declaration> {
    data: CoreData,
    /// The system instances. Invariant: the instance of each system is at the index of the system, with a state and
    /// outputs of its types. The function in [`SystemCode`] makes it, of which [`assert_is`] has been asked.
    instances: DropEach<Slot<D>>,
    /// The code of each system.
    pub(crate) code: Box<[SystemCode<D>]>,
    /// The functions that execute the systems, side by side, as a step goes over them: those of `code`.
    pub(crate) bodies: Box<[ExecuteBody<D>]>,
}

/// What is in a [`Core`] without types of the declaration. Functions of it are compiled once, not for each
/// declaration.
#[derive(Debug)]
pub(crate) struct CoreData {
    pub(crate) components: &'static [ComponentSignature],
    pub(crate) systems: &'static [SystemSignature],
    /// Exclusively lent to a sequential system while it runs, alone.
    pub(crate) storage: PhaseCell<Storage>,
    pub(crate) resources: Resources,
    /// The subscriptions of all systems, by index.
    pub(crate) subscriptions: Box<[PhaseCell<Subscription>]>,
    pub(crate) threads: Threads,
    pub(crate) policies: Policies,
    /// Which consumers have been executed with their producers in this execution. Empty if there are no
    /// streams.
    pub(crate) streamed: Box<[AtomicBool]>,
    /// Whether systems are split into subtasks, and stages of the refresh by rows.
    pub(crate) inner_parallelism: bool,
    /// Rows of entities marked for despawning by the step itself or by deferred functions.
    pub(crate) to_despawn: Marks,
    pub(crate) refresh: RefreshState,
    /// Which systems are skipped.
    pub(crate) conditions: Conditions,
    /// What systems have added to commutative resources, and is not combined yet.
    pub(crate) contributions: Contributions,
    /// Whether the current step has dropped the events of earlier ones, which its first execution does.
    pub(crate) events_begun: bool,
    /// The systems whose updates may conflict. `None` if the declaration shows that none can.
    pub(crate) unordered_updates: Option<Box<UnorderedUpdates>>,
    /// Incremented when rows may get another meaning: at the start of an execution, and at each refresh in it.
    /// An index is valid until then.
    pub(crate) executions: AtomicU64,
    /// The number of members of all queries whose indices are being made now.
    pub(crate) indexed: AtomicUsize,
    /// The number of times that staged work has been applied or dropped.
    pub(crate) refreshes: AtomicU64,
    /// Whether a system has staged work since then.
    pub(crate) staged: AtomicBool,
    /// What refreshes need that systems go on over. `None` if there are none.
    pub(crate) partial: Option<Box<Partial>>,
    /// Whether the current step handles events.
    pub(crate) watched: bool,
    /// The number of changes between steps, and of entities that these have spawned or despawned, since systems were subscribed.
    pub(crate) edits: usize,
    /// The states, and how they change.
    pub(crate) transitions: Transitions,
    /// What random numbers follow from. The executions are counted only where a system draws some.
    pub(crate) random: RandomState,
}

impl<D: Declaration> Deref for Core<D> {
    type Target = CoreData;

    #[inline(always)]
    fn deref(&self) -> &CoreData {
        &self.data
    }
}

impl<D: Declaration> DerefMut for Core<D> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut CoreData {
        &mut self.data
    }
}

impl<D: Declaration> Core<D> {
    /// A world in its initial state, with the limit `L`. `code` is that of each system.
    pub(crate) fn new<L: EntityLimit>(inner_parallelism: bool, code: Box<[SystemCode<D>]>) -> Self {
        let mut this = Self::empty::<L>(inner_parallelism, code);
        this.resources = Resources::new::<D>();
        this.instances = DropEach::of(this.code.len(), |index| this.code[index].instance());
        this
    }

    /// A world without entities, resources and instances.
    fn empty<L: EntityLimit>(inner_parallelism: bool, code: Box<[SystemCode<D>]>) -> Self {
        let resources = Resources::empty::<D>();
        let mut data = CoreData::empty::<L>(
            D::COMPONENTS,
            systems_of::<D>(),
            D::EVENTS,
            resources,
            inner_parallelism,
        );
        data.random.seed = D::SEED;
        data.transitions = Transitions::of(D::STATES);
        if const { D::PHASES.refreshes(D::STAGED_CHANGES) } {
            data.partial = Partial::of(Tables::of::<D>(), D::PHASES);
        }
        if const { any_conditional(D::SYSTEMS) } {
            let conditions = code.iter().map(|code| code.condition);
            data.conditions = Conditions::of(data.systems, conditions, D::PHASES);
        }
        let bodies = code.iter().map(|code| code.execute).collect();
        Self { data, instances: DropEach::new(), code, bodies }
    }

    /// A world with the same state, with the limit `L`.
    ///
    /// # Panics
    /// With the first panic of a clone, or of the initial value of transient data.
    pub(crate) fn duplicate<L: EntityLimit>(&self) -> Self
    where
        D: Cloneable,
    {
        let mut saved = DropEach::of(self.systems.len(), |_| None);
        for clone in lines(D::SYSTEM_CLONES) {
            clone.save(self, &mut saved[clone.index]);
        }
        let instances = DropEach::of(self.systems.len(), |index| match saved[index].take() {
            Some(saved) => slot(saved),
            None => self.code[index].instance(),
        });
        let all = lines(D::RESOURCE_CLONES).flatten().count() == D::RESOURCES.len();
        let mut this = Self::empty::<L>(self.inner_parallelism, self.code.clone());
        if !all {
            this.resources = Resources::new::<D>();
        }
        this.instances = instances;
        this.threads = self.threads.clone();
        this.copy_data(self);
        this
    }

    /// The entity's component; `None` if it has none or is not alive.
    #[inline]
    pub(crate) fn get<C: 'static>(&self, entity: Entity) -> Option<&C>
    where
        D: HasComponent<C>,
    {
        self.storage.get_of::<D, C>(entity)
    }

    /// The same, to write.
    #[inline]
    pub(crate) fn get_mut<C: 'static>(&mut self, entity: Entity) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        self.storage.get_mut_of::<D, C>(entity)
    }

    /// The instance of the system at an index. In an execution, the callers are systems that the declaration orders after
    /// that system, so that it is not lent meanwhile.
    #[inline]
    pub(crate) fn instance(&self, index: usize) -> &Instance<D> {
        &self.instances[index]
    }

    /// The same, to write.
    #[inline]
    pub(crate) fn instance_mut(&mut self, index: usize) -> &mut Instance<D> {
        &mut self.instances[index]
    }

    /// The same, and what is beside all instances.
    pub(crate) fn instance_and_core_mut(
        &mut self,
        index: usize,
    ) -> (&mut Instance<D>, &mut CoreData) {
        (&mut self.instances[index], &mut self.data)
    }

    /// The same as [`instance_mut`](Self::instance_mut), while systems run.
    ///
    /// # Safety
    /// While the reference is in use there must be no other one to the instance.
    #[expect(clippy::mut_from_ref, reason = "the caller vouches for the right")]
    pub(crate) unsafe fn lend_instance(&self, index: usize) -> &mut Instance<D> {
        // SAFETY: by the contract.
        unsafe { self.instances[index].lend() }
    }

    /// The state of the system `N` and the states of its subtasks, to write.
    ///
    /// # Safety
    /// While the references are in use there must be no other one to the instance of `N`.
    #[expect(clippy::mut_from_ref, reason = "the caller vouches for the right")]
    #[inline]
    pub(crate) unsafe fn lend<N: SystemName<D>>(&self) -> (&mut N::System, &mut States<D>) {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: there is an instance for each system, and `assert_is` has found a system at this index.
        let instance = unsafe { self.instances.get_unchecked(N::INDEX) };
        // SAFETY: the caller guarantees that there is no other reference.
        let (system, states) = unsafe { instance.lend() }.parts();
        // SAFETY: the instance at this index is that of `N`, as `assert_is` has shown, so its state is a `N::System`.
        let system = unsafe { system.as_ptr_unchecked() };
        // SAFETY: the caller guarantees that there is no other reference.
        (unsafe { &mut *system }, states)
    }

    /// The state of the system `N`.
    pub(crate) fn system<N: SystemName<D>>(&self) -> &N::System {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: outside of an execution nothing is written through `&Core`. In an execution, the callers are systems
        // that the declaration orders after `N`.
        unsafe { self.instance(N::INDEX).system().get() }
    }

    /// The state of the system `N`, to write.
    pub(crate) fn system_mut<N: SystemName<D>>(&mut self) -> &mut N::System {
        assert_is::<D, N>(N::INDEX);
        self.instance_mut(N::INDEX).parts().0.get_mut()
    }

    /// The outputs of the latest execution of `N`. In an execution, the callers are systems that the declaration orders
    /// after `N`.
    pub(crate) fn outputs<N: SystemName<D>>(&self) -> Outputs<'_, D, N> {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: the instance at this index is that of `N`, as `assert_is` has shown. `N` is not executed meanwhile.
        unsafe { Outputs::new(self.instance(N::INDEX).states.latest()) }
    }

    /// The subscription of `N`.
    #[inline]
    pub(crate) fn subscription<N: SystemName<D>>(&self) -> &Subscription {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: there is a subscription for each system, and `assert_is` has found a system at this index.
        unsafe { self.subscriptions.get_unchecked(N::INDEX) }
    }
}

impl CoreData {
    /// The number of times that staged work has been applied or dropped.
    ///
    /// Relaxed: it changes between phases, and at barriers that systems which stage something do not go on over.
    #[inline(always)]
    pub(crate) fn refreshes(&self) -> u64 {
        self.refreshes.load(Relaxed)
    }

    /// The number of executions and of refreshes in them.
    #[inline(always)]
    pub(crate) fn executions(&self) -> u64 {
        // Relaxed: as for `refreshes`, and systems that use an index do not go on over a barrier.
        self.executions.load(Relaxed)
    }

    /// Begins an execution, or goes on with it after a refresh.
    #[inline(always)]
    pub(crate) fn count_execution(&self) {
        self.executions.store(self.executions() + 1, Relaxed);
    }

    /// Releases the states of all subtasks: they now belong to an earlier refresh.
    #[inline(always)]
    pub(crate) fn release_states(&self) {
        self.refreshes.store(self.refreshes() + 1, Relaxed);
        self.staged.store(false, Relaxed);
    }

    /// A world of these components, systems and events, without entities and instances, with the limit `L`.
    fn empty<L: EntityLimit>(
        components: &'static [ComponentSignature],
        systems: &'static [SystemSignature],
        events: &[EventSignature],
        resources: Resources,
        inner_parallelism: bool,
    ) -> Self {
        let mut storage = Storage::new::<L>(components);
        tracking::track(&mut storage, systems);
        removed::keep(&mut storage, systems);
        let streamed = if any_stream(systems) { systems.len() } else { 0 };
        Self {
            components,
            systems,
            storage: PhaseCell::new(storage),
            resources,
            subscriptions: Subscription::of_all(systems, components.len()),
            threads: Threads::default(),
            policies: Policies::default(),
            streamed: (0..streamed).map(|_| AtomicBool::new(false)).collect(),
            inner_parallelism,
            to_despawn: Marks::default(),
            refresh: RefreshState::default(),
            conditions: Conditions::default(),
            contributions: Contributions::of(systems, events),
            events_begun: false,
            unordered_updates: UnorderedUpdates::of(systems),
            executions: AtomicU64::new(0),
            refreshes: AtomicU64::new(0),
            staged: AtomicBool::new(false),
            indexed: AtomicUsize::new(0),
            partial: None,
            watched: false,
            edits: 0,
            transitions: Transitions::default(),
            random: RandomState::default(),
        }
    }
}

/// Every operation on the world except executing systems, with immediate effect.
///
/// A deferred function gets it at the refresh. A step gets it through [`Step`](crate::Step), while it runs.
/// `get` sees changes immediately; systems are subscribed to new and changed entities at the end of the
/// refresh.
// Its methods are in `proxy/effects/defer.rs`.
#[derive(Debug)]
pub struct Defer<'w, D: Declaration> {
    pub(crate) core: Editing<'w, D>,
}

/// Executes a system by its own body.
pub(crate) type ExecuteBody<D> = fn(&Context<'_, D>);

/// The code of a system that is called by its index, since its type is not known there.
pub(crate) struct SystemCode<D: Declaration> {
    execute: ExecuteBody<D>,
    /// Makes its instance, in its initial state.
    make: fn() -> Instance<D>,
    /// Its condition, if it has one.
    condition: Option<Evaluate>,
}

impl<D: Declaration> Clone for SystemCode<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration> Copy for SystemCode<D> {}

opaque_debug! { [D: Declaration] SystemCode<D>: |_| world = D::NAME }

impl<D: Declaration> SystemCode<D> {
    /// The code of the system `N`, which `execute` executes.
    pub(crate) fn of<N: SystemName<D>>(execute: ExecuteBody<D>) -> Self {
        let condition = const {
            match &N::CONDITION {
                Some(condition) => Some(condition.function()),
                None => None,
            }
        };
        Self { execute, make: Instance::initial::<N>, condition }
    }

    fn instance(&self) -> Slot<D> {
        slot(self.make_instance())
    }

    /// Makes an instance of the system.
    pub(crate) fn make_instance(&self) -> Instance<D> {
        (self.make)()
    }
}

/// An instance, on cache lines of its own.
type Slot<D> = CachePadded<PhaseCell<Instance<D>>>;

fn slot<D: Declaration>(instance: Instance<D>) -> Slot<D> {
    CachePadded::new(PhaseCell::new(instance))
}

/// The arguments of the execution of systems.
pub(crate) struct Context<'a, D: Declaration> {
    pub(crate) core: &'a Core<D>,
    pub(crate) workers: &'a Workers,
    pub(crate) link: Option<&'a Link<'a>>,
}

/// Asserts that `N` is the system that the table has at `index`.
#[inline]
pub(crate) fn assert_is<D: Declaration, N: SystemName<D>>(index: usize) {
    // A copy of the one field: an edit of another system does not change it.
    let declared = const { info_at::<D>(N::INDEX) };
    if N::INDEX != index || !declared.is_some_and(|info| info.is::<N>()) {
        another_system::<D>(index);
    }
}

/// The type of the system that the table has at `index`.
const fn info_at<D: Declaration>(index: usize) -> Option<TypeInfo> {
    if index < D::SYSTEMS.len() { Some(D::SYSTEMS[index].info) } else { None }
}

#[cold]
#[inline(never)]
fn another_system<D: Declaration>(index: usize) -> ! {
    let (declaration, name) = (D::NAME, systems_of::<D>()[index].name());
    panic!(
        "the declaration `{declaration}` calls a system by the index {index}, which is another system's: that of `{name}`"
    )
}
