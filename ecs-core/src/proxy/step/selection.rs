//! Systems that are chosen at run time, and why they cannot be executed.

use core::fmt;
use core::marker::PhantomData;

use crate::proxy::step::execution::Starts;
use crate::signature::tables::streams::consumer_of;
use crate::signature::{Declaration, SystemName, systems_of};
use crate::types::{Brand, IndexSet};

/// Systems of a declaration that are chosen at run time, for [`Step::execute_selected`](crate::Step::execute_selected): what a menu,
/// a console or a file says to run.
///
/// Where the systems are known when the program is built, [`Step::execute_only`](crate::Step::execute_only) checks them
/// then; where a system runs or not by what the world is like, declare `run_if`.
///
/// ```
/// # use ecs_core::{World, world};
/// use ecs_core::SystemSelection;
/// # #[derive(Default)] struct Log(Vec<&'static str>);
/// world! {
///     world Editor;
///     resource Log;
///     system Move {
///         write_resources: [Log],
///         run: |data| data.resources.get_mut::<Log>().0.push("move"),
///     }
///     system Draw {
///         write_resources: [Log],
///         dependencies: [Move],
///         run: |data| data.resources.get_mut::<Log>().0.push("draw"),
///     }
/// }
///
/// let mut world = World::<Editor>::new();
/// let chosen = SystemSelection::named(["Draw", "Move"])?; // in any order
/// world.step(|step| step.execute_selected(&chosen))??;
/// let paused = SystemSelection::of::<(Draw,)>();
/// world.step(|step| step.execute_selected(&paused))??;
/// assert_eq!(world.resource::<Log>().0, ["move", "draw", "draw"]);
///
/// let unknown = SystemSelection::<Editor>::named(["Drow"]).unwrap_err();
/// assert_eq!(unknown.to_string(), "the world `Editor` has no system `Drow`; it has `Move`, `Draw`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SystemSelection<D> {
    systems: IndexSet,
    declaration: Brand<D>,
}

impl<D: Declaration> SystemSelection<D> {
    /// No systems.
    #[must_use]
    pub const fn new() -> Self {
        Self { systems: IndexSet::EMPTY, declaration: PhantomData }
    }

    /// The systems in `F`, a tuple of system names.
    #[must_use]
    pub const fn of<F: Starts<D>>() -> Self {
        Self { systems: IndexSet::of(F::NODES), declaration: PhantomData }
    }

    /// The systems with these names. O(names × systems).
    ///
    /// # Errors
    /// With the first name that no system has.
    pub fn named<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Result<Self, UnknownSystem> {
        let mut selection = Self::new();
        for name in names {
            let name = name.as_ref();
            match systems_of::<D>().iter().position(|system| system.name == name) {
                Some(index) => selection.systems.add(index),
                None => {
                    return Err(UnknownSystem {
                        name: name.into(),
                        world: D::NAME,
                        systems: systems_of::<D>().iter().map(|system| system.name).collect(),
                    });
                }
            }
        }
        Ok(selection)
    }

    /// Adds the system `N`.
    pub const fn insert<N: SystemName<D>>(&mut self) {
        self.systems.add(N::INDEX);
    }

    /// Removes the system `N`.
    pub const fn remove<N: SystemName<D>>(&mut self) {
        self.systems.subtract(&IndexSet::of(&[N::INDEX]));
    }

    /// Whether the system `N` is selected.
    #[must_use]
    pub const fn contains<N: SystemName<D>>(&self) -> bool {
        self.systems.contains(N::INDEX)
    }

    /// Adds the system at an index.
    pub(crate) const fn add(&mut self, index: usize) {
        self.systems.add(index);
    }

    /// Whether the system at an index is selected.
    pub(crate) const fn has(&self, index: usize) -> bool {
        self.systems.contains(index)
    }

    /// The names of the systems, in the order of the declaration.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let systems = self.systems;
        let named = systems_of::<D>().iter().enumerate();
        named.filter(move |(index, _)| systems.contains(*index)).map(|(_, system)| system.name)
    }

    /// What an execution of these alone executes: with the queries whose index they use.
    pub(crate) fn executed(&self) -> Result<IndexSet, SelectionError> {
        let (mut executed, mut left) = (self.systems, self.systems);
        while let Some(index) = left.pop() {
            let system = &systems_of::<D>()[index];
            if system.is_idle() {
                return Err(SelectionError::Idle { query: system.name });
            }
            if let Some(receiver) = consumer_of(D::SYSTEMS, index)
                && !self.systems.contains(receiver)
            {
                let receiver = systems_of::<D>()[receiver].name;
                return Err(SelectionError::NoReceiver { sender: system.name, receiver });
            }
            for &query in system.declared.queries {
                if systems_of::<D>()[query].declared.indexed {
                    executed.add(query);
                }
            }
        }
        Ok(executed)
    }
}

impl<D> Clone for SystemSelection<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for SystemSelection<D> {}

impl<D> PartialEq for SystemSelection<D> {
    fn eq(&self, other: &Self) -> bool {
        self.systems == other.systems
    }
}

impl<D> Eq for SystemSelection<D> {}

impl<D: Declaration> Default for SystemSelection<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Declaration> fmt::Debug for SystemSelection<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// The declaration has no system of this name.
///
/// ```
/// # use ecs_core::{SystemSelection, world};
/// # world! { world Editor; system Draw { run: |_| {} } }
/// assert_eq!(SystemSelection::<Editor>::named(["draw"]).unwrap_err().name(), "draw");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSystem {
    name: String,
    world: &'static str,
    systems: Vec<&'static str>,
}

impl UnknownSystem {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for UnknownSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, world, systems } = self;
        write!(f, "the world `{world}` has no system `{name}`; it has ")?;
        for (i, system) in systems.iter().enumerate() {
            write!(f, "{}`{system}`", if i == 0 { "" } else { ", " })?;
        }
        if systems.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}

impl std::error::Error for UnknownSystem {}

/// Why a [`SystemSelection`] is not executed. Nothing has run.
///
/// ```
/// # use ecs_core::{Data, SelectionError, Stream, SystemSelection, World, world};
/// world! {
///     world Line;
///     system Send { output: Stream<u32>, run: |_| {} }
///     system Take { streams: [Send], run: |_| {} }
/// }
///
/// let mut world = World::<Line>::new();
/// let alone = SystemSelection::of::<(Send,)>();
/// let error = world.step(|step| step.execute_selected(&alone))?.unwrap_err();
/// assert_eq!(error, SelectionError::NoReceiver { sender: "Send", receiver: "Take" });
/// # Ok::<(), ecs_core::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// A system sends a stream, and the one that receives it is not selected.
    NoReceiver {
        /// The system that sends.
        sender: &'static str,
        /// The system that receives.
        receiver: &'static str,
    },
    /// A query without an index is never executed.
    Idle {
        /// The query.
        query: &'static str,
    },
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReceiver { sender, receiver } => write!(
                f,
                "the selection has the system `{sender}`, but not `{receiver}`, which receives its stream: add `{receiver}`"
            ),
            Self::Idle { query } => write!(
                f,
                "the query `{query}` is never executed, as it has no index: remove it from the selection"
            ),
        }
    }
}

impl std::error::Error for SelectionError {}
