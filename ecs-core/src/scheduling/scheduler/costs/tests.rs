//! When costs are measured, and the plans that follow from them.

use super::*;

const MS: u64 = 1_000_000;

/// What two threads save of nodes with these costs.
fn saved(dag: &Dag, costs: &[u64], splits: bool) -> u64 {
    let mut this = Costs::new(costs.len(), &|_| splits);
    for (node, &cost) in costs.iter().enumerate() {
        this.note(node, Duration::from_nanos(cost));
    }
    this.saved(dag, dag.topological_order(), 2, |_| true)
}

#[test]
fn a_chain_saves_nothing_unless_its_nodes_split() {
    let chain = Dag::from_edges(3, [(2, 1), (1, 0)]).unwrap();
    assert_eq!(saved(&chain, &[MS, MS, MS], false), 0);
    assert_eq!(saved(&chain, &[MS, MS, MS], true), 3 * MS / 2);
    assert_eq!(saved(&chain, &[SMALL - 1; 3], true), 0, "too small to be split");
}

#[test]
fn independent_nodes_save_half_or_all_but_the_longest() {
    let dag = Dag::from_edges(4, []).unwrap();
    assert_eq!(saved(&dag, &[MS, MS, MS, MS], false), 2 * MS);
    assert_eq!(saved(&dag, &[9 * MS, MS, MS, MS], false), 3 * MS);
}

#[test]
fn what_is_not_included_costs_nothing() {
    let dag = Dag::from_edges(2, []).unwrap();
    let mut costs = Costs::new(2, &|_| false);
    costs.note(0, Duration::from_millis(1));
    costs.note(1, Duration::from_millis(1));
    assert_eq!(costs.worth_sharing(&dag, &[0, 1], 2, |_| true), Some(2 * MS));
    assert_eq!(costs.worth_sharing(&dag, &[0, 1], 2, |node| node == 1), None);
}

#[test]
fn one_execution_in_so_many_is_measured_and_a_crowd_at_once() {
    let mut costs = Costs::new(0, &|_| true);
    let measured: Vec<Measured> = (0..80).map(|_| costs.plan(10).measured).collect();
    let when: Vec<usize> = (0..80).filter(|&i| measured[i] == Measured::Whole).collect();
    assert_eq!(when, [0, PERIOD as usize]);
    assert!(costs.alone);
    let Plan { alone, measured, .. } = costs.plan(100_000);
    assert!(!alone && measured == Measured::Nodes);
    assert_eq!(costs.plan(100_000).measured, Measured::Nothing);
    assert_eq!(costs.plan(1_000).measured, Measured::Nothing, "as before");
    for _ in 0..PERIOD {
        costs.plan(100_000);
    }
    assert_eq!(costs.plan(1_000).measured, Measured::Nodes, "far fewer");
}

#[test]
fn after_an_execution_that_takes_long_its_nodes_are_measured() {
    let dag = Dag::from_edges(1, []).unwrap();
    let mut costs = Costs::new(1, &|_| true);
    let plan = costs.plan(10);
    costs.run_whole(plan, || std::thread::sleep(Duration::from_nanos(2 * WORTH)));
    let plan = costs.plan(10);
    assert_eq!(plan.measured, Measured::Nodes);
    costs.note(0, Duration::from_nanos(WORTH / 2));
    costs.learn(plan, &dag, &[0], 2, |_| true);
    costs.until_measured = 0;
    assert_eq!(costs.plan(10).measured, Measured::Whole, "short again");
}

#[test]
fn a_decision_needs_more_to_be_changed_than_to_be_kept() {
    let dag = Dag::from_edges(2, []).unwrap();
    let mut costs = Costs::new(2, &|_| false);
    let mut decide = |nanos| {
        costs.note(0, Duration::from_nanos(nanos));
        costs.note(1, Duration::from_nanos(nanos));
        let plan = Plan { alone: true, eager: false, measured: Measured::Nodes };
        costs.learn(plan, &dag, &[0, 1], 2, |_| true);
        costs.alone
    };
    assert!(decide(WORTH - 1));
    assert!(decide(WORTH), "it may have been disturbed");
    assert!(!decide(WORTH));
    assert!(!decide(STILL_WORTH));
    assert!(decide(STILL_WORTH - 1));
    assert!(decide(9 * WORTH));
    assert!(decide(WORTH - 1), "it was disturbed");
    assert!(decide(9 * WORTH));
    assert!(!decide(9 * WORTH));
}

#[test]
fn much_work_is_measured_where_it_is_shared_and_less_is_not() {
    let dag = Dag::from_edges(2, []).unwrap();
    for (nanos, measured) in [(PROBED / 2 - 1, Measured::Nothing), (PROBED / 2, Measured::Nodes)] {
        let mut costs = Costs::new(2, &|_| false);
        for _ in 0..2 {
            (0..2).for_each(|node| costs.note(node, Duration::from_nanos(nanos)));
            let plan = Plan { alone: true, eager: false, measured: Measured::Nodes };
            costs.learn(plan, &dag, &[0, 1], 2, |_| true);
        }
        costs.until_measured = 0;
        let plan = costs.plan(10);
        assert_eq!((plan.alone, plan.measured), (false, measured));
    }
}

#[test]
fn worlds_that_are_large_and_small_in_turns_are_not_measured_each_time() {
    let mut costs = Costs::new(0, &|_| true);
    let sizes = [1_000, 100_000].into_iter().cycle().take(400);
    let measured = sizes.filter(|&size| costs.plan(size).measured == Measured::Nodes).count();
    assert!(measured < 400 / 20, "{measured}");
}

#[test]
fn what_is_always_shared_is_measured_now_and_then() {
    let mut costs = Costs::new(1, &|_| false);
    (costs.alone, costs.work) = (false, MS);
    let periods = |count: u32| 0..count * PERIOD;
    let plans = periods(OVERDUE + 1).map(|_| costs.plan(10).measured);
    assert_eq!(plans.filter(|&measured| measured == Measured::Overdue).count(), 2);
    costs.overdue = 0;
    assert!(periods(OVERDUE - 1).all(|_| costs.plan(10).measured == Measured::Nothing));
}
