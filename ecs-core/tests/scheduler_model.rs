//! Checks the parallel scheduler on *every* interleaving of small graphs, and with every value that
//! a weak memory model lets a load see.
//!
//! Each node writes a cell of its own and reads those of its dependencies. The model checker
//! reports an access that no happens-before relation orders, so a run without a report proves
//! the ordering for that graph, and the last tests prove that a report would come.

use ecs_core::scheduler::{
    AtomicCounter, Atomics, Counter, Dag, ExecuteError, ForkJoin, Outcome, Scheduler, Slot,
    StartNodes,
};
use loom::{cell::UnsafeCell, sync::atomic::AtomicUsize};
use std::{
    collections::BTreeSet,
    marker::PhantomData,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release},
    },
};

/// The memory ordering of a counter's decrement, as a type.
trait Order: Send + Sync + 'static {
    const DECREMENT: Ordering;
}

macro_rules! orders {
    ($($name:ident: $order:ident)*) => {$(
        struct $name;
        impl Order for $name {
            const DECREMENT: Ordering = $order;
        }
    )*};
}
orders! { Right: AcqRel WithoutAcquire: Release WithoutRelease: Acquire Neither: Relaxed }

/// Cells that the model checker watches.
struct Modelled<O>(PhantomData<O>);

impl<O: Order> Atomics for Modelled<O> {
    type Counter = ModelCounter<O>;
    type Slot = ModelSlot;
}

struct ModelCounter<O>(AtomicUsize, PhantomData<O>);

impl<O: Order> Counter for ModelCounter<O> {
    fn new(value: usize) -> Self {
        Self(AtomicUsize::new(value), PhantomData)
    }

    fn set(&mut self, value: usize) {
        self.0.with_mut(|old| *old = value);
    }

    fn decrement(&self) -> usize {
        let old = self.0.fetch_sub(1, O::DECREMENT);
        old.checked_sub(1).expect("decremented more often than there are dependencies")
    }
}

/// A relaxed cell, and one that is only touched before each access.
///
/// To save work, the model checker compares an access with the *last* one only, and treats two loads as
/// interchangeable. So if a store follows loads on two threads, it is tried before the last load, but not
/// before the first. Touching with a read-modify-write makes the checker try every order. That operation is
/// relaxed and of another cell, so it adds no ordering that the slot does not have.
struct ModelSlot {
    value: AtomicUsize,
    touched: AtomicUsize,
}

impl Slot for ModelSlot {
    fn new(value: usize) -> Self {
        Self { value: AtomicUsize::new(value), touched: AtomicUsize::new(0) }
    }

    fn load(&self) -> usize {
        self.touched.fetch_add(1, Relaxed);
        self.value.load(Relaxed)
    }

    fn store(&self, value: usize) {
        self.touched.fetch_add(1, Relaxed);
        self.value.store(value, Relaxed);
    }
}

/// Runs the second closure of a join on a new thread of the model.
struct ModelThreads;

impl ForkJoin for ModelThreads {
    fn join<A, B>(&self, a: A, b: B)
    where
        A: FnOnce() + Send,
        B: FnOnce() + Send,
    {
        let b: Box<dyn FnOnce() + Send + '_> = Box::new(b);
        // SAFETY: only the lifetime changes, and `b` is dropped before anything it borrows is: the thread
        // that owns it is joined below on every path, as a panic of `a` is caught first. If the model itself
        // gives up inside `join`, it schedules that thread no more.
        let b =
            unsafe { mem::transmute::<Box<dyn FnOnce() + Send + '_>, Box<dyn FnOnce() + Send>>(b) };
        let other = loom::thread::spawn(b);
        let a = catch_unwind(AssertUnwindSafe(a));
        other.join().unwrap();
        a.unwrap_or_else(|payload| resume_unwind(payload));
    }

    fn threads(&self) -> usize {
        2
    }
}

/// The cell that a node writes and its dependents read.
struct Cell(UnsafeCell<()>);

// SAFETY: the model runs all of its threads by turns on one thread of the machine, reports every access that
// is not ordered with the others, and no access reads or writes memory.
unsafe impl Sync for Cell {}

/// The nodes that ran, ascending, and the node whose panic was propagated.
type Ran = (Vec<usize>, Option<usize>);

/// A graph that is executed in every possible interleaving.
struct Scenario {
    nodes: usize,
    edges: &'static [(usize, usize)],
    starts: StartNodes<'static>,
    /// The nodes that panic, with a number as payload.
    panicking: &'static [usize],
    /// How many times one scheduler executes it.
    executions: usize,
}

impl Scenario {
    fn new(nodes: usize, edges: &'static [(usize, usize)]) -> Self {
        Self { nodes, edges, starts: StartNodes::All, panicking: &[], executions: 1 }
    }

    fn from(self, starts: &'static [usize]) -> Self {
        Self { starts: StartNodes::Nodes(starts), ..self }
    }

    fn panicking(self, panicking: &'static [usize]) -> Self {
        Self { panicking, ..self }
    }

    /// Explores every interleaving and returns the different outcomes: the nodes that ran, and the node whose
    /// panic was propagated.
    fn explore<O: Order>(self) -> BTreeSet<Ran> {
        let outcomes = Arc::new(Mutex::new(BTreeSet::new()));
        let found = Arc::clone(&outcomes);
        loom::model(move || {
            let dag = Dag::from_edges(self.nodes, self.edges.iter().copied()).unwrap();
            let mut scheduler = AtomicCounter::<Modelled<O>>::new(&dag);
            for _ in 0..self.executions {
                let outcome = self.execute(&dag, &mut scheduler);
                found.lock().unwrap().insert(outcome);
            }
        });
        mem::take(&mut outcomes.lock().unwrap())
    }

    fn execute<O: Order>(&self, dag: &Dag, scheduler: &mut AtomicCounter<Modelled<O>>) -> Ran {
        let cells: Vec<_> = (0..self.nodes).map(|_| Cell(UnsafeCell::new(()))).collect();
        // A counter outside the model, so that counting orders nothing.
        let runs: Vec<_> =
            (0..self.nodes).map(|_| std::sync::atomic::AtomicUsize::new(0)).collect();
        let result = scheduler.execute(self.starts, &ModelThreads, &|node| {
            runs[node].fetch_add(1, Relaxed);
            for &dependency in dag.dependencies(node) {
                cells[dependency].0.with(|_| ());
            }
            cells[node].0.with_mut(|_| ());
            if self.panicking.contains(&node) {
                resume_unwind(Box::new(node)); // prints nothing, unlike `panic!`
            }
            Outcome::Done
        });
        // Every execution of a node happens before the return.
        for cell in &cells {
            cell.0.with(|_| ());
        }
        let ran: Vec<_> = (0..self.nodes).filter(|&n| runs[n].load(Relaxed) > 0).collect();
        assert!(runs.iter().all(|n| n.load(Relaxed) <= 1), "a node ran twice: {runs:?}");
        match result {
            Ok(()) => (ran, None),
            Err(ExecuteError::Failed(own)) if own.payload.is::<usize>() => (ran, Some(own.node)),
            Err(ExecuteError::Failed(report)) => report.resume(),
            Err(ExecuteError::Starts(error)) => panic!("{error}"),
        }
    }

    /// Explores, and asserts that exactly `nodes` run each time.
    fn runs(self, nodes: &[usize]) {
        assert_eq!(self.explore::<Right>(), BTreeSet::from([(nodes.to_vec(), None)]));
    }
}

const DIAMOND: &[(usize, usize)] = &[(0, 1), (0, 2), (1, 3), (2, 3)];
/// The diamond, whose last node also depends on a second root.
const SIDE_ENTRY: &[(usize, usize)] = &[(0, 1), (0, 2), (1, 3), (2, 3), (4, 3)];

#[test]
fn diamond() {
    Scenario::new(4, DIAMOND).runs(&[0, 1, 2, 3]);
}

#[test]
fn two_roots_one_sink() {
    Scenario::new(3, &[(0, 2), (1, 2)]).runs(&[0, 1, 2]);
}

#[test]
fn fan_out_of_three() {
    Scenario::new(5, &[(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]).runs(&[0, 1, 2, 3, 4]);
}

#[test]
fn letter_n() {
    Scenario::new(4, &[(0, 2), (0, 3), (1, 3)]).runs(&[0, 1, 2, 3]);
}

#[test]
fn every_root_before_every_sink() {
    Scenario::new(4, &[(0, 2), (0, 3), (1, 2), (1, 3)]).runs(&[0, 1, 2, 3]);
}

#[test]
fn partial_chains_wait_for_no_task_outside_them() {
    Scenario::new(5, SIDE_ENTRY).from(&[0]).runs(&[0, 1, 2, 3]);
    Scenario::new(5, SIDE_ENTRY).from(&[2]).runs(&[2, 3]);
    Scenario::new(5, SIDE_ENTRY).from(&[4, 1]).runs(&[1, 3, 4]);
}

#[test]
fn side_entry() {
    Scenario::new(5, SIDE_ENTRY).runs(&[0, 1, 2, 3, 4]);
}

#[test]
fn two_diamonds_in_a_row() {
    let edges = &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
    Scenario::new(7, edges).runs(&[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_second_execution_counts_afresh() {
    let twice = Scenario { executions: 2, ..Scenario::new(3, &[(0, 2), (1, 2)]) };
    twice.runs(&[0, 1, 2]);
}

#[test]
fn a_panic_in_one_branch_stops_what_depends_on_it() {
    let outcomes = Scenario::new(4, DIAMOND).panicking(&[1]).explore::<Right>();
    let expected = [(vec![0, 1], Some(1)), (vec![0, 1, 2], Some(1))];
    assert_eq!(outcomes, BTreeSet::from(expected), "the other branch may or may not have begun");

    let outcomes = Scenario::new(4, DIAMOND).panicking(&[2]).explore::<Right>();
    let expected = [(vec![0, 2], Some(2)), (vec![0, 1, 2], Some(2))];
    assert_eq!(outcomes, BTreeSet::from(expected));
}

#[test]
fn of_two_panics_the_lower_seen_is_passed_on() {
    let outcomes = Scenario::new(4, DIAMOND).panicking(&[1, 2]).explore::<Right>();
    let expected = [(vec![0, 1], Some(1)), (vec![0, 2], Some(2)), (vec![0, 1, 2], Some(1))];
    assert_eq!(outcomes, BTreeSet::from(expected));
}

#[test]
fn an_execution_after_a_panic_is_like_any_other() {
    let outcomes = Scenario { executions: 2, ..Scenario::new(3, &[(0, 2), (1, 2)]) }
        .panicking(&[2])
        .explore::<Right>();
    assert_eq!(outcomes, BTreeSet::from([(vec![0, 1, 2], Some(2))]));
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_decrement_without_acquire_is_found_out() {
    Scenario::new(4, DIAMOND).explore::<WithoutAcquire>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_decrement_without_release_is_found_out() {
    Scenario::new(4, DIAMOND).explore::<WithoutRelease>();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_decrement_without_either_is_found_out() {
    Scenario::new(4, DIAMOND).explore::<Neither>();
}
