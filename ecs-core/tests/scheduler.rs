//! The schedulers on real threads: random graphs, pools of 1 to 8 threads, panics, and the limits
//! on stack and memory.

use ecs_core::scheduler::{
    AtomicCounter, Dag, Delayed, ExecuteError, Failure, ForkJoin, Gated, Inline, Outcome,
    PanicSlot, Rayon, Scheduler, Sequential, Shuffled, StartError, StartNodes, Threads, fork,
};
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    collections::BTreeSet,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

type Parallel = AtomicCounter;

fn pool(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

/// Pools of 1, 2, 3, 4 and 8 threads, started once.
fn pools() -> &'static [Threads] {
    static POOLS: OnceLock<Vec<Threads>> = OnceLock::new();
    POOLS.get_or_init(|| [1, 2, 3, 4, 8].map(|n| Threads::Pool(pool(n))).into())
}

/// Random graphs whose edges go from lower to higher numbers.
fn dags() -> impl Strategy<Value = Dag> {
    (1_usize..24).prop_flat_map(|len| {
        proptest::collection::vec((0..len, 0..len), 0..60).prop_map(move |edges| {
            Dag::from_edges(len, edges.into_iter().filter(|(a, b)| a < b)).unwrap()
        })
    })
}

/// When each node began and ended, by a clock that ticks once per event; 0 means never.
struct Log {
    clock: AtomicUsize,
    began: Vec<AtomicUsize>,
    ended: Vec<AtomicUsize>,
}

impl Log {
    fn new(len: usize) -> Self {
        let never = || (0..len).map(|_| AtomicUsize::new(0)).collect();
        Self { clock: AtomicUsize::new(1), began: never(), ended: never() }
    }

    fn tick(&self, events: &[AtomicUsize], node: usize) {
        let earlier = events[node].swap(self.clock.fetch_add(1, SeqCst), SeqCst);
        assert_eq!(earlier, 0, "node {node} ran twice");
    }

    fn record(&self, node: usize, work: impl FnOnce()) -> Outcome {
        self.tick(&self.began, node);
        work();
        self.tick(&self.ended, node);
        Outcome::Done
    }

    /// The nodes that began, after checking that none began before its dependencies in `among`
    /// ended.
    fn ran(&self, dag: &Dag, among: &[usize]) -> Vec<usize> {
        let time = |events: &[AtomicUsize], node: usize| events[node].load(SeqCst);
        let ran: Vec<_> = (0..dag.len()).filter(|&n| time(&self.began, n) > 0).collect();
        for &node in &ran {
            for d in dag.dependencies(node).iter().filter(|d| among.contains(d)) {
                let (ended, began) = (time(&self.ended, *d), time(&self.began, node));
                assert!(0 < ended && ended < began, "{node} before {d} was done");
            }
        }
        ran
    }
}

/// Executes `dag` from `starts` twice on every pool, and compares the executed nodes with those that the
/// graph implies.
fn agrees<S: Scheduler>(dag: &Dag, starts: StartNodes<'_>) {
    let all: Vec<_> = (0..dag.len()).collect();
    let (expected, fault) = match starts {
        StartNodes::All => (all, None),
        StartNodes::Nodes(nodes) => match dag.independent(nodes) {
            Ok(()) => (dag.reachable_from(nodes), None),
            Err(fault) => (Vec::new(), Some(fault)),
        },
    };
    let mut scheduler = S::new(dag);
    for threads in pools().iter().chain(pools()) {
        let log = Log::new(dag.len());
        let result = threads
            .run(|workers| scheduler.execute(starts, workers, &|node| log.record(node, || ())));
        assert_eq!(log.ran(dag, &expected), expected);
        match result {
            Err(ExecuteError::Starts(error)) => assert_eq!(Some(error), fault),
            other => assert!(other.is_ok() && fault.is_none()),
        }
    }
}

proptest! {
    #[test]
    fn all_nodes_run_once_and_in_order(dag in dags()) {
        agrees::<Parallel>(&dag, StartNodes::All);
        agrees::<Sequential>(&dag, StartNodes::All);
        agrees::<Shuffled>(&dag, StartNodes::All);
        agrees::<Delayed>(&dag, StartNodes::All);
        agrees::<Gated<Parallel>>(&dag, StartNodes::All);
    }

    #[test]
    fn partial_chains_run_what_is_reachable(
        dag in dags(),
        picks in proptest::collection::vec(0_usize..24, 0..4),
    ) {
        let starts: Vec<_> = picks.into_iter().filter(|&node| node < dag.len()).collect();
        agrees::<Parallel>(&dag, StartNodes::Nodes(&starts));
        agrees::<Sequential>(&dag, StartNodes::Nodes(&starts));
        agrees::<Shuffled>(&dag, StartNodes::Nodes(&starts));
        agrees::<Delayed>(&dag, StartNodes::Nodes(&starts));
        agrees::<Gated<Parallel>>(&dag, StartNodes::Nodes(&starts));
    }

    #[test]
    fn the_lowest_failure_seen_is_reported(dag in dags(), bad in any::<u32>()) {
        let mut scheduler = Parallel::new(&dag);
        for threads in pools() {
            let log = Log::new(dag.len());
            let failed = Mutex::new(BTreeSet::new());
            let result = threads.run(|workers| {
                scheduler.execute(StartNodes::All, workers, &|node| {
                    if bad >> node & 1 == 0 {
                        return log.record(node, || ());
                    }
                    failed.lock().unwrap().insert(node);
                    if node % 2 == 0 {
                        resume_unwind(Box::new(node));
                    }
                    Outcome::Failed { subtask: 7, payload: Box::new(node) }
                })
            });
            log.ran(&dag, &(0..dag.len()).collect::<Vec<_>>());
            let failed = failed.into_inner().unwrap();
            match result {
                Ok(()) => prop_assert!(failed.is_empty()),
                Err(ExecuteError::Starts(error)) => prop_assert!(false, "{error}"),
                Err(ExecuteError::Failed(Failure { node, subtask, payload })) => {
                    prop_assert_eq!(Some(&node), failed.first());
                    prop_assert_eq!(subtask, (node % 2 == 1).then_some(7));
                    prop_assert_eq!(payload.downcast_ref(), Some(&node));
                }
            }
        }
    }
}

/// Fails after a minute instead of hanging.
fn within_a_minute(work: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        done.send(()).unwrap();
    });
    let waited = wait.recv_timeout(Duration::from_mins(1));
    assert_ne!(waited, Err(mpsc::RecvTimeoutError::Timeout), "deadlock");
    worker.join().unwrap();
}

/// More systems that wait for subtasks than threads. ECST's thread pool deadlocks in this case.
#[test]
fn three_systems_that_fork_at_once_never_deadlock() {
    within_a_minute(|| {
        let dag = Dag::from_edges(4, [(0, 3), (1, 3), (2, 3)]).unwrap();
        for threads in [pool(1), pool(2), pool(3)].map(Threads::Pool) {
            let mut scheduler = Parallel::new(&dag);
            for _ in 0..500 {
                let subtasks = AtomicUsize::new(0);
                let result = threads.run(|workers| {
                    scheduler.execute(StartNodes::All, workers, &|_| {
                        fork(workers, 8, &|_| {
                            fork(workers, 4, &|_| {
                                subtasks.fetch_add(1, SeqCst);
                            });
                        });
                        Outcome::Done
                    })
                });
                assert!(result.is_ok());
                assert_eq!(subtasks.into_inner(), 4 * 8 * 4);
            }
        }
    });
}

#[test]
fn independent_nodes_do_overlap() {
    within_a_minute(|| {
        // Each node waits until the other has begun, so the test ends only if both run at the same time.
        let barrier = std::sync::Barrier::new(2);
        let mut scheduler = Parallel::new(&Dag::from_edges(2, []).unwrap());
        let result = Threads::Pool(pool(2)).run(|workers| {
            scheduler.execute(StartNodes::All, workers, &|_| {
                barrier.wait();
                Outcome::Done
            })
        });
        assert!(result.is_ok());
    });
}

#[test]
fn with_one_thread_all_happens_on_it() {
    let current = || thread::current().id();
    let pool = pool(1);
    let of_pool = pool.install(current);
    let dag = Dag::from_edges(5, [(0, 1), (0, 2), (0, 3), (3, 4)]).unwrap();
    for (threads, only) in [(Threads::Inline, current()), (Threads::Pool(pool), of_pool)] {
        assert_eq!(threads.threads(), 1);
        let mut scheduler = Parallel::new(&dag);
        let order = Mutex::new(Vec::new());
        let result = threads.run(|workers| {
            assert_eq!(workers.threads(), 1);
            scheduler.execute(StartNodes::All, workers, &|node| {
                fork(workers, 4, &|_| assert_eq!(current(), only));
                order.lock().unwrap().push(node);
                Outcome::Done
            })
        });
        assert!(result.is_ok(), "{result:?}");
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 4]);
    }
}

#[test]
fn threads_run_in_their_pool() {
    let pool = pool(3);
    let (count, workers) = Threads::Pool(Arc::clone(&pool))
        .run(|workers| (rayon::current_num_threads(), workers.threads()));
    assert_eq!((count, workers), (3, 3));
    assert!(Threads::Pool(pool).run(|_| rayon::current_thread_index()).is_some());
    let global = Threads::default();
    assert_eq!(global.run(ForkJoin::threads), rayon::current_num_threads());
}

#[test]
fn fork_calls_each_once() {
    for count in [0, 1, 2, 3, 7, 64, 1000] {
        let calls: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        fork(&Rayon, count, &|i| {
            calls[i].fetch_add(1, SeqCst);
        });
        assert!(calls.into_iter().all(|calls| calls.into_inner() == 1));

        let order = Mutex::new(Vec::new());
        fork(&Inline, count, &|i| order.lock().unwrap().push(i));
        assert_eq!(order.into_inner().unwrap(), (0..count).collect::<Vec<_>>());
    }
}

#[test]
fn a_panic_in_a_subtask_lets_the_others_finish() {
    let dag = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
    for threads in pools() {
        let finished = AtomicUsize::new(0);
        let result = threads.run(|workers| {
            Parallel::new(&dag).execute(StartNodes::All, workers, &|node| {
                let panics = PanicSlot::new();
                fork(workers, 8, &|subtask| {
                    panics.catch(node, Some(subtask), || {
                        if node == 1 && subtask >= 5 {
                            resume_unwind(Box::new("spilled"));
                        }
                        finished.fetch_add(1, SeqCst);
                    });
                });
                match panics.take() {
                    Some(Failure { subtask: Some(subtask), payload, .. }) => {
                        Outcome::Failed { subtask, payload }
                    }
                    _ => Outcome::Done,
                }
            })
        });
        assert_eq!(result.unwrap_err().to_string(), "node 1, subtask 5, panicked: spilled");
        assert_eq!(finished.into_inner(), 8 + 5);
    }
}

#[test]
fn starts_that_depend_on_each_other_are_refused() {
    let dag = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
    let mut scheduler = Parallel::new(&dag);
    let mut attempt = |starts| match scheduler
        .execute(StartNodes::Nodes(starts), &Inline, &|_| panic!("nothing may run"))
    {
        Err(ExecuteError::Starts(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(attempt(&[0, 2]), StartError::Reachable { start: 2, from: 0 });
    assert_eq!(attempt(&[1, 1]), StartError::Repeated { start: 1 });
    assert_eq!(attempt(&[3]), StartError::Unknown { start: 3, len: 3 });
}

/// A stack frame per node would need hundreds of megabytes of stack.
#[test]
fn a_long_chain_needs_no_stack() {
    const LEN: usize = 1_000_000;
    let dag = Dag::from_edges(LEN, (1..LEN).map(|n| (n - 1, n))).unwrap();
    let ran = AtomicUsize::new(0);
    let result = Parallel::new(&dag).execute(StartNodes::All, &Rayon, &|node| {
        assert_eq!(ran.fetch_add(1, SeqCst), node);
        Outcome::Done
    });
    assert!(result.is_ok());
    assert_eq!(ran.into_inner(), LEN);
}

/// Where the work splits and joins at each step, the stack grows by a few frames per split.
#[test]
fn many_diamonds_in_a_row_fit_the_stack() {
    const DIAMONDS: usize = 200;
    let edges = (0..DIAMONDS)
        .map(|i| 3 * i)
        .flat_map(|top| [(top, top + 1), (top, top + 2), (top + 1, top + 3), (top + 2, top + 3)]);
    let dag = Dag::from_edges(3 * DIAMONDS + 1, edges).unwrap();
    agrees::<Parallel>(&dag, StartNodes::All);
}

thread_local! {
    /// The number of this thread's allocations.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every request is passed on to the system's allocator unchanged, which keeps the contract; counting
// touches a thread-local without destructor or allocation.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn an_execution_allocates_nothing() {
    fn allocations<S: Scheduler>(dag: &Dag) -> usize {
        let mut scheduler = S::new(dag);
        let before = ALLOCATIONS.get();
        for starts in
            [StartNodes::All, StartNodes::Nodes(&[1]), StartNodes::All, StartNodes::Nodes(&[])]
        {
            assert!(scheduler.execute(starts, &Inline, &|_| Outcome::Done).is_ok());
        }
        ALLOCATIONS.get() - before
    }
    let dag = Dag::from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 4)]).unwrap();
    assert_eq!(allocations::<Parallel>(&dag), 0);
    assert_eq!(allocations::<Sequential>(&dag), 0);
    assert_eq!(allocations::<Gated<Parallel>>(&dag), 0);
    assert!(ALLOCATIONS.get() > 0, "the graph itself was counted");
}
