//! The parts of a world that do not depend on its settings, and what a system is executed with.

use core::any::type_name;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::AtomicBool;

use crate::entity::{Entity, EntityLimit};
use crate::output::stream::Link;
use crate::parallel::{DropEach, Threads, Workers};
use crate::rows::Marks;
use crate::scheduling::scheduler::AdaptiveParallelism;
use crate::signature::{
    Declaration, HasComponent, SystemName, SystemSignature, SystemVisitor, UnorderedUpdates,
    any_stream,
};
use crate::state::snapshot::Cloneable;
use crate::state::{Contributions, Instance, RefreshState, Resources, Subscription};
use crate::storage::{ComponentSignature, PhaseCell, Storage};
use crate::types::{Brand, Erased};

/// Everything in a world except its schedule.
///
/// It dereferences to its [`CoreData`], which has all that does not depend on the declaration's types.
#[derive(Debug)]
pub(crate) struct Core<D: Declaration> {
    data: CoreData,
    /// The function that executes each system.
    pub(crate) bodies: Box<[RunBody<D>]>,
    declaration: Brand<D>,
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
    /// The system instances. Invariant: the `Instance` of each system is at the index of the system. A value is
    /// made, or checked, with [`assert_is`] before it is stored.
    instances: DropEach<Erased>,
    /// The subscriptions of all systems, by index.
    pub(crate) subscriptions: Box<[Subscription]>,
    pub(crate) threads: Threads,
    pub(crate) adaptive: AdaptiveParallelism,
    /// Which consumers have been executed with their producers in this execution. Empty if there are no
    /// streams.
    pub(crate) streamed: Box<[AtomicBool]>,
    /// Whether systems are split into subtasks, and stages of the refresh by rows.
    pub(crate) inner_parallelism: bool,
    /// Rows of entities marked for despawning by the step itself or by deferred functions.
    pub(crate) to_despawn: Marks,
    pub(crate) refresh: RefreshState,
    /// What systems have added to commutative resources, and is not combined yet.
    pub(crate) contributions: Contributions,
    /// The systems whose updates may conflict. `None` if the declaration shows that none can.
    pub(crate) unordered_updates: Option<Box<UnorderedUpdates>>,
    /// Incremented when rows may get another meaning: at the start of an execution, and at each refresh in it.
    /// An index is valid until then.
    pub(crate) executions: u64,
    /// The number of times that staged work has been applied or dropped.
    pub(crate) refreshes: u64,
    /// Whether a system has staged work since then.
    pub(crate) staged: AtomicBool,
    /// Whether the current step handles events.
    pub(crate) watched: bool,
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
    /// A world in its initial state, with the limit `L`. `bodies` executes each system.
    pub(crate) fn new<L: EntityLimit>(inner_parallelism: bool, bodies: Box<[RunBody<D>]>) -> Self {
        let mut this = Self::empty::<L>(inner_parallelism, bodies);
        this.resources = Resources::new::<D>();
        this.instances = DropEach::of(D::SYSTEMS.len(), |i| D::dispatch(i, MakeInstance(i)));
        this
    }

    /// A world without entities, resources and instances.
    fn empty<L: EntityLimit>(inner_parallelism: bool, bodies: Box<[RunBody<D>]>) -> Self {
        let resources = Resources::empty::<D>();
        let data = CoreData::empty::<L>(D::COMPONENTS, D::SYSTEMS, resources, inner_parallelism);
        Self { data, bodies, declaration: PhantomData }
    }

    /// A world with the same state, with the limit `L`.
    ///
    /// # Panics
    /// With the first panic of a clone, or of the initial value of transient data.
    pub(crate) fn duplicate<L: EntityLimit>(&self) -> Self
    where
        D: Cloneable,
    {
        let mut saved = DropEach::of(D::SYSTEMS.len(), |_| None);
        for clone in D::SYSTEM_CLONES.iter().flatten() {
            clone.save(self, &mut saved[clone.index]);
        }
        let instances = DropEach::of(D::SYSTEMS.len(), |i| match saved[i].take() {
            Some(saved) => D::dispatch(i, CheckInstance(i, saved)),
            None => D::dispatch(i, MakeInstance(i)),
        });
        let all = D::RESOURCE_CLONES.iter().flatten().count() == D::RESOURCES.len();
        let mut this = Self::empty::<L>(self.inner_parallelism, self.bodies.clone());
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
        self.storage.get::<D, C>(self.storage.entities.handles().row(entity)?)
    }

    /// The same, to write.
    #[inline]
    pub(crate) fn get_mut<C: 'static>(&mut self, entity: Entity) -> Option<&mut C>
    where
        D: HasComponent<C>,
    {
        let row = self.storage.entities.handles().row(entity)?;
        self.storage.get_mut::<D, C>(row)
    }

    /// The instance of `N`, to write.
    pub(crate) fn instance_mut<N: SystemName<D>>(&mut self) -> &mut Instance<D, N> {
        self.instances[N::INDEX].get_mut()
    }

    /// A pointer to the instance of `N`.
    #[inline]
    pub(crate) fn instance_ptr<N: SystemName<D>>(&self) -> *mut Instance<D, N> {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: there is an instance for each system, and `assert_is` has found a system at this index.
        let instance = unsafe { self.instances.get_unchecked(N::INDEX) };
        // SAFETY: the code that stored the instance asserted that its type is that of the system that the table
        // has at this index. That system is `N`, as was just asserted.
        unsafe { instance.as_ptr_unchecked() }
    }

    /// The subscription of `N`.
    #[inline]
    pub(crate) fn subscription<N: SystemName<D>>(&self) -> &Subscription {
        assert_is::<D, N>(N::INDEX);
        // SAFETY: there is a subscription for each system, and `assert_is` has found a system at this index.
        unsafe { self.subscriptions.get_unchecked(N::INDEX) }
    }

    /// The instance of `N`.
    pub(crate) fn instance<N: SystemName<D>>(&self) -> &Instance<D, N> {
        // SAFETY: `as_ptr` asserts the type. Outside of an execution nothing is written through `&Core`. In an
        // execution, the callers are systems that the declaration orders after `N`.
        unsafe { &*self.instances[N::INDEX].as_ptr() }
    }
}

impl CoreData {
    /// A world of these components and systems, without entities and instances, with the limit `L`.
    fn empty<L: EntityLimit>(
        components: &'static [ComponentSignature],
        systems: &'static [SystemSignature],
        resources: Resources,
        inner_parallelism: bool,
    ) -> Self {
        let streamed = if any_stream(systems) { systems.len() } else { 0 };
        Self {
            components,
            systems,
            storage: PhaseCell::new(Storage::new::<L>(components)),
            resources,
            instances: DropEach::new(),
            subscriptions: Subscription::of_all(systems, components.len()),
            threads: Threads::default(),
            adaptive: AdaptiveParallelism::default(),
            streamed: (0..streamed).map(|_| AtomicBool::new(false)).collect(),
            inner_parallelism,
            to_despawn: Marks::default(),
            refresh: RefreshState::default(),
            contributions: Contributions::of(systems),
            unordered_updates: UnorderedUpdates::of(systems),
            executions: 0,
            refreshes: 0,
            staged: AtomicBool::new(false),
            watched: false,
        }
    }
}

/// Every operation on the world except executing systems, with immediate effect.
///
/// A deferred function gets it at the refresh. A step gets it through [`Step`](crate::Step), while it runs.
/// `get` sees changes immediately; systems are subscribed to new and changed entities at the end of the
/// refresh.
// Its methods are in `proxy/defer.rs`.
#[derive(Debug)]
pub struct Defer<'w, D: Declaration> {
    pub(crate) core: &'w mut Core<D>,
}

/// Executes a system by its own body.
pub(crate) type RunBody<D> = fn(&Context<'_, D>);

/// The arguments of the execution of systems.
pub(crate) struct Context<'a, D: Declaration> {
    pub(crate) core: &'a Core<D>,
    pub(crate) workers: &'a Workers,
    pub(crate) link: Option<&'a Link<'a>>,
}

/// Asserts that `N` is the system that the table has at `index`.
#[inline]
pub(crate) fn assert_is<D: Declaration, N: SystemName<D>>(index: usize) {
    assert!(
        N::INDEX == index && D::SYSTEMS[index].info.is::<N>(),
        "the declaration `{}` calls {} by the index {index}, which is another system's",
        D::NAME,
        type_name::<N>(),
    );
}

/// Makes the instance of the system at an index.
struct MakeInstance(usize);

impl<D: Declaration> SystemVisitor<D> for MakeInstance {
    type Output = Erased;

    fn visit<N: SystemName<D>>(self) -> Erased {
        assert_is::<D, N>(self.0);
        Erased::new(Instance::<D, N>::new())
    }
}

/// Checks the type of a value that becomes the instance of the system at an index.
struct CheckInstance(usize, Erased);

impl<D: Declaration> SystemVisitor<D> for CheckInstance {
    type Output = Erased;

    fn visit<N: SystemName<D>>(self) -> Erased {
        let Self(index, instance) = self;
        assert_is::<D, N>(index);
        instance.as_ptr::<Instance<D, N>>();
        instance
    }
}
