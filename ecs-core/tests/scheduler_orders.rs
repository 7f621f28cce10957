//! The schedulers for tests: the orders that they reach, and that they reach no others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use ecs_core::Threads;
use ecs_core::scheduler::{
    Dag, Delayed, ExecuteError, Gated, Inline, Outcome, Scheduler, Shuffled, StartNodes,
};

/// Two diamonds that share their last node, and a separate node: 0 → 1, 2 → 3 ← 4, 5.
fn dag() -> Dag {
    Dag::from_edges(6, [(0, 1), (0, 2), (1, 3), (2, 3), (4, 3)]).unwrap()
}

/// All orders in which the remaining nodes can run after those in `done`.
fn linearizations(
    dag: &Dag,
    nodes: &[usize],
    done: &mut Vec<usize>,
    all: &mut BTreeSet<Vec<usize>>,
) {
    if done.len() == nodes.len() {
        all.insert(done.clone());
    }
    for &node in nodes {
        let waits = |before: &usize| nodes.contains(before) && !done.contains(before);
        if !done.contains(&node) && !dag.dependencies(node).iter().any(waits) {
            done.push(node);
            linearizations(dag, nodes, done, all);
            done.pop();
        }
    }
}

fn all_linearizations(dag: &Dag, nodes: &[usize]) -> BTreeSet<Vec<usize>> {
    let mut all = BTreeSet::new();
    linearizations(dag, nodes, &mut Vec::new(), &mut all);
    all
}

/// The order in which the nodes run.
fn order<S: Scheduler>(scheduler: &mut S, starts: StartNodes<'_>, threads: &Threads) -> Vec<usize> {
    let order = Mutex::new(Vec::new());
    let result = threads.run(|workers| {
        scheduler.execute(starts, workers, &|node| {
            order.lock().unwrap().push(node);
            Outcome::Done
        })
    });
    result.unwrap();
    order.into_inner().unwrap()
}

#[test]
fn every_order_that_the_graph_permits_is_reached_and_no_other() {
    let dag = dag();
    for (starts, nodes) in
        [(StartNodes::All, &[0, 1, 2, 3, 4, 5][..]), (StartNodes::Nodes(&[0, 5]), &[0, 1, 2, 3, 5])]
    {
        let expected = all_linearizations(&dag, nodes);
        let mut reached = BTreeMap::new();
        for seed in 0..6_000 {
            let mut scheduler = Gated::around(Shuffled::seeded(&dag, seed), &dag);
            *reached.entry(order(&mut scheduler, starts, &Threads::Inline)).or_insert(0) += 1;
        }
        assert!(reached.keys().eq(&expected), "{} of {}", reached.len(), expected.len());
        let rarest = reached.values().min().expect("some were reached");
        assert!(*rarest > 10, "each is likely, not just possible: {reached:?}");
    }
    assert_eq!(all_linearizations(&dag, &[0, 1, 2, 3, 4, 5]).len(), 48);
}

#[test]
fn each_execution_has_its_own_order_and_a_seed_has_always_the_same() {
    let dag = dag();
    let orders = |seed| -> Vec<Vec<usize>> {
        let mut scheduler = Shuffled::seeded(&dag, seed);
        (0..1_500).map(|_| order(&mut scheduler, StartNodes::All, &Threads::Inline)).collect()
    };
    let once = orders(3);
    assert_eq!(once, orders(3));
    assert_ne!(once, orders(4));
    assert_eq!(
        once.into_iter().collect::<BTreeSet<_>>(),
        all_linearizations(&dag, &[0, 1, 2, 3, 4, 5])
    );
}

#[test]
fn delays_reach_several_orders_and_no_illegal_one() {
    let dag = dag();
    let threads = Threads::Eager(std::sync::Arc::new(
        rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap(),
    ));
    let legal = all_linearizations(&dag, &[0, 1, 2, 3, 4, 5]);
    let mut reached = BTreeSet::new();
    for seed in 0..300 {
        let scheduler = Delayed::seeded(&dag, seed).up_to(Duration::from_micros(100));
        reached.insert(order(&mut Gated::around(scheduler, &dag), StartNodes::All, &threads));
    }
    assert!(reached.is_subset(&legal));
    assert!(reached.len() > 5, "{reached:?}");
}

#[test]
fn a_failure_ends_the_execution_and_not_the_scheduler() {
    let dag = dag();
    for seed in 0..100 {
        let mut scheduler = Shuffled::seeded(&dag, seed);
        let ran = Mutex::new(Vec::new());
        let result = scheduler.execute(StartNodes::All, &Inline, &|node| {
            ran.lock().unwrap().push(node);
            match node {
                1 => Outcome::Failed { subtask: 2, payload: Box::new(()) },
                _ => Outcome::Done,
            }
        });
        let Err(ExecuteError::Failed(failure)) = result else { panic!("node 1 has failed") };
        assert_eq!((failure.node, failure.subtask), (1, Some(2)));
        assert_eq!(ran.into_inner().unwrap().last(), Some(&1), "nothing is started any more");
        assert_eq!(order(&mut scheduler, StartNodes::All, &Threads::Inline).len(), 6);
    }
}
