//! Outer parallelism: runs the systems of a step in the order that their dependencies demand (thesis chapter
//! 10.3).
//!
//! This module does not depend on systems, components or worlds. A scheduler is given a [`Dag`] of numbered
//! nodes and a function to call with each number. `README.md` beside this file holds the protocol and its
//! correctness argument; `tests/scheduler_model.rs` checks it on every interleaving of small graphs.
//!
//! - [`Dag`]: the task graph; free of threads.
//! - [`ForkJoin`]: runs two pieces of work side by side: [`Inline`], [`Rayon`] or, chosen at run time by
//!   [`Threads`], [`Workers`]. [`fork`] runs any number of pieces.
//! - [`Scheduler`]: [`AtomicCounter`], [`Sequential`], or a user's own, whose order [`Gated`] enforces.
//! - [`PanicSlot`]: which of several panics is passed on.
//! - [`Shuffled`], [`Delayed`], [`assert_orderless`]: schedule fuzzing in tests (see "Hidden orders" below).
//!
//! ```
//! use ecs_core::scheduler::{AtomicCounter, Dag, Outcome, Scheduler, StartNodes, Threads};
//! use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
//!
//! // 0 before 1 and 2, which may overlap; both before 3.
//! let dag = Dag::new::<_, usize>(&[vec![], vec![0], vec![0], vec![1, 2]])?;
//! let mut scheduler: AtomicCounter = AtomicCounter::new(&dag);
//! let ran = AtomicUsize::new(0);
//!
//! Threads::Global.run(|workers| {
//!     scheduler.execute(StartNodes::All, workers, &|_node| {
//!         ran.fetch_add(1, Relaxed);
//!         Outcome::Done
//!     })
//! })?;
//! assert_eq!(ran.into_inner(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A custom scheduler
//!
//! A type that implements [`Scheduler`] can be named in a declaration and in [settings](crate::settings). This
//! one runs the nodes that can run at the same time as one group, and then the next group:
//!
//! ```
//! use ecs_core::scheduler::{
//!     Dag, ExecuteError, ForkJoin, Failure, Outcome, PanicSlot, Scheduler, StartNodes, fork,
//! };
//!
//! /// The graph, and its nodes by level: those of one level never depend on each other.
//! struct Levels(Dag, Vec<Vec<usize>>);
//!
//! impl Scheduler for Levels {
//!     fn new(dag: &Dag) -> Self {
//!         let mut levels = vec![Vec::new(); dag.len()];
//!         for (node, level) in dag.levels().into_iter().enumerate() {
//!             levels[level].push(node);
//!         }
//!         Self(dag.clone(), levels)
//!     }
//!
//!     fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
//!         &mut self,
//!         starts: StartNodes<'_>,
//!         executor: &E,
//!         run: &F,
//!     ) -> Result<(), ExecuteError> {
//!         let starts = match starts {
//!             StartNodes::All => self.0.roots(),
//!             StartNodes::Nodes(nodes) => nodes,
//!         };
//!         self.0.independent(starts)?;
//!         let reached = self.0.reachable_from(starts);
//!         let panics = PanicSlot::new();
//!         for level in &self.1 {
//!             fork(executor, level.len(), &|i| {
//!                 let node = level[i];
//!                 if reached.binary_search(&node).is_ok()
//!                     && let Some(Outcome::Failed { subtask, payload }) =
//!                         panics.catch(node, None, || run(node))
//!                 {
//!                     panics.record(Failure { node, subtask: Some(subtask), payload });
//!                 }
//!             });
//!             if let Some(failure) = panics.take() {
//!                 return Err(failure.into());
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! # use ecs_core::{World, world};
//! # #[derive(Default)] struct Log(Vec<u8>);
//! world! {
//!     world Game { scheduler: Levels }
//!     resource Log;
//!     system A { write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push(b'a') }
//!     system B {
//!         write_resources: [Log],
//!         dependencies: [A],
//!         run: |data| data.resources.get_mut::<Log>().0.push(b'b'),
//!     }
//! }
//!
//! let mut world = World::<Game>::new();
//! world.tick().unwrap();
//! assert_eq!(world.resource::<Log>().0, b"ab");
//!
//! // The same program, as other settings say.
//! use ecs_core::settings::{Allow, Config, Fixed, Scheduled, Sequential};
//! let mut _world = World::<Game, Scheduled<Game, Sequential>>::new();
//! let mut _world = World::<Game, Config<Fixed<100>, Allow, Levels>>::new();
//! ```
//!
//! # Hidden orders
//!
//! The rules of a declaration cover what a system accesses through the world. They do not cover an atomic
//! counter or a mutex in its state, a static, or a file. If a result depends on the order of accesses to those,
//! it depends on threads and timing, and too rarely to be noticed. Two schedulers for tests find such
//! dependencies by schedule fuzzing. They are chosen by [settings](crate::settings::Scheduled), without any
//! change to the systems, and take a *seed*, which is given when a world is made
//! ([`World::with_scheduler`](crate::World::with_scheduler)):
//!
//! - [`Shuffled`] runs everything on one thread, in any order. A seed that finds a fault finds it always.
//! - [`Delayed`] runs everything on all threads, with pauses. It also finds faults that need two threads at the
//!   same time, but a seed that found one once may find none the next time.
//!
//! Each execution has its own orders and pauses. [`assert_orderless`] compares the results of many seeds.

mod atomic_counter;
mod atomics;
mod fuzzing;
mod gated;
mod graph;
mod phased;
mod policy;
mod reachable;
mod sequential;
mod starts;

pub use atomic_counter::AtomicCounter;
#[doc(hidden)]
pub use atomics::{Atomics, Counter, Slot, StdAtomics};
pub use fuzzing::{Delayed, Shuffled, assert_orderless};
pub use gated::Gated;
pub use graph::{Dag, DagError};
pub(crate) use phased::{Group, Phased, Selection};
pub(crate) use policy::{Plan, Policies};
pub use sequential::Sequential;
pub use starts::{ExecuteError, StartError, StartNodes};

pub use crate::parallel::{
    Failure, ForkJoin, Inline, PanicSlot, Payload, Rayon, SubtaskOrder, Threads, Workers, fork,
    fork_chunks, fork_each,
};

/// What a node reports when it returns.
///
/// ```
/// use ecs_core::scheduler::{Dag, Inline, Outcome, Scheduler, Sequential, StartNodes};
///
/// let mut scheduler = Sequential::new(&Dag::new::<_, usize>(&[vec![]])?);
/// scheduler.execute(StartNodes::All, &Inline, &|_| Outcome::Done)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Outcome {
    /// The node did its work; its dependents may run.
    Done,
    /// One of the node's subtasks panicked and the node caught the panic (thesis chapter 10.4 splits a system
    /// into subtasks). Counts like a panic of the node: no further node is started.
    Failed {
        /// The lowest-numbered subtask that was seen to panic.
        subtask: usize,
        /// The payload of its panic.
        payload: Payload,
    },
}

/// Runs a node, and whether it is done. A failure is recorded.
///
/// Catching a panic of any closure is sound in a scheduler: none of its own state is in the middle of a change while
/// a node runs, the node's dependents, which rely on its results, are never released, and the caller is told before it
/// can use them.
fn is_done(panics: &PanicSlot, node: usize, run: &impl Fn(usize) -> Outcome) -> bool {
    match panics.catch(node, None, || run(node)) {
        Some(Outcome::Done) => return true,
        Some(Outcome::Failed { subtask, payload }) => {
            panics.record(Failure { node, subtask: Some(subtask), payload });
        }
        None => {}
    }
    false
}

/// An order of execution for the nodes of a [`Dag`] (thesis chapter 10.3).
///
/// One value belongs to one graph and is reused for every step, so that a step in steady state allocates
/// nothing.
///
/// # What an implementation promises
///
/// [`execute`](Self::execute) calls `run` exactly once for each node reachable from the starts and for no other
/// node. It calls it for a node only when the calls for all of the node's dependencies among those have
/// returned [`Outcome::Done`]. It returns when no call is in progress. Once a call panics or returns
/// [`Outcome::Failed`], it starts no more calls (except where another thread is just about to), waits for those
/// in progress, and reports, of the failures seen, that with the lowest (node, subtask).
///
/// An implementation is safe code, so memory safety must not rest on this promise: a `run` that needs it goes
/// through [`Gated`], which enforces the order.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// use ecs_core::scheduler::{Dag, Inline, Outcome, Scheduler, StartNodes};
///
/// /// Runs a graph of 2 nodes on this thread, by any scheduler.
/// fn run_two<S: Scheduler>() -> usize {
///     let dag = Dag::from_edges(2, [(0, 1)]).expect("it has no cycle");
///     let ran = AtomicUsize::new(0);
///     let run = |_| {
///         ran.fetch_add(1, Relaxed);
///         Outcome::Done
///     };
///     S::new(&dag).execute(StartNodes::All, &Inline, &run).expect("no node fails");
///     ran.into_inner()
/// }
///
/// assert_eq!(run_two::<ecs_core::scheduler::Sequential>(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is not a scheduler",
    label = "not a scheduler",
    note = "use `AtomicCounter` or `Sequential`, or implement `Scheduler` for `{Self}`"
)]
pub trait Scheduler: Send + Sync {
    /// Whether an execution may bypass the scheduler when it is so small that other threads are not worth
    /// waking. One thread then runs the nodes one after the other. The default is `false`, so that a custom
    /// scheduler is always used.
    const SKIPPED_IF_SMALL: bool = false;

    /// Prepares to execute `dag`, and allocates all memory that executions need.
    fn new(dag: &Dag) -> Self
    where
        Self: Sized;

    /// Runs every node reachable from `starts` on `executor`.
    ///
    /// # Errors
    ///
    /// - [`ExecuteError::Starts`], before anything has run, if the starts are not
    ///   [independent](Dag::independent) nodes of the graph;
    /// - [`ExecuteError::Failed`] if a node panicked or returned [`Outcome::Failed`]. All calls of `run` have
    ///   returned by then, so the caller can clean up and then [`resume`](Failure::resume) the panic.
    fn execute<E, F>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError>
    where
        E: ForkJoin,
        F: Fn(usize) -> Outcome + Sync;

    /// How the subtasks of each system run in the next execution. Called before each
    /// [`execute`](Self::execute). By default, side by side.
    ///
    /// It is for schedule fuzzing, as by [`Shuffled`] and [`Delayed`].
    fn subtask_order(&self) -> SubtaskOrder {
        SubtaskOrder::SideBySide
    }
}
