//! When costs are measured, and the plans that follow from them.

use super::super::Dag;
use super::*;

const MS: u64 = 1_000_000;

impl Costs {
    /// The next plan, as an execution gets it.
    fn next_plan(&mut self, size: usize) -> Plan {
        if self.goes_on_alone(size) { Plan::ALONE } else { self.plan(size) }
    }
}

/// These nodes, in this order.
fn graph<'a>(dag: &'a Dag, order: &'a [usize], threads: usize) -> PhaseGraph<'a> {
    PhaseGraph { dag, order, threads }
}

/// Costs of nodes that were measured before.
fn measured(costs: &[u64], splits: bool) -> Costs {
    let this = Costs::new(costs.len(), &|_| splits);
    for (node, &cost) in costs.iter().enumerate() {
        this.note(node, Duration::from_nanos(cost));
    }
    this
}

/// What two threads save of nodes with these costs.
fn saved(dag: &Dag, costs: &[u64], splits: bool) -> u64 {
    measured(costs, splits).saved(graph(dag, dag.topological_order(), 2), &|_| true)
}

#[test]
fn a_chain_saves_nothing_unless_its_nodes_split() {
    let chain = Dag::from_edges(3, [(2, 1), (1, 0)]).unwrap();
    assert_eq!(saved(&chain, &[MS, MS, MS], false), 0);
    assert_eq!(saved(&chain, &[MS, MS, MS], true), 3 * MS / 2);
    assert_eq!(saved(&chain, &[2 * WORTH - 1; 3], true), 0, "too small to be split");
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
    let mut costs = measured(&[MS, MS], false);
    assert_eq!(costs.work_to_share(graph(&dag, &[0, 1], 2), Some(&|_| true)), Some(2 * MS));
    assert_eq!(costs.work_to_share(graph(&dag, &[0, 1], 2), Some(&|node| node == 1)), None);
}

#[test]
fn a_small_node_does_not_split_and_an_unknown_one_does() {
    let costs = measured(&[2 * WORTH - 1, 2 * WORTH], true);
    let shared = Plan { alone: false, ..Plan::ALONE };
    assert_eq!([0, 1].map(|node| costs.run(shared, node, 2, |split| split)), [false, true]);
    assert!(Costs::new(1, &|_| true).run(shared, 0, 2, |split| split));
    assert!(costs.run(Plan::EAGER, 0, 2, |split| split));
    assert!(!costs.run(Plan::ALONE, 1, 2, |split| split));
}

#[test]
fn one_short_execution_in_a_period_is_measured_as_a_whole() {
    let mut costs = Costs::new(0, &|_| true);
    let plans: Vec<Plan> = (0..80).map(|_| costs.next_plan(10)).collect();
    assert!(plans.iter().all(|plan| plan.is_simple()));
    let when: Vec<usize> = (0..80).filter(|&i| plans[i].measured == Measured::Whole).collect();
    assert_eq!(when, [0, PERIOD as usize]);
}

#[test]
fn a_sudden_growth_is_shared_at_once_and_then_measured_alone() {
    let dag = Dag::from_edges(2, []).unwrap();
    let mut costs = measured(&[MS, MS], false);
    costs.next_plan(1_000);
    let plan = costs.next_plan(1_000_000);
    assert!(!plan.alone && plan.measured == Measured::Nodes);
    costs.learn(plan, graph(&dag, &[0, 1], 2));
    let plans = [0; 2].map(|_| costs.next_plan(1_000_000));
    assert_eq!(plans.map(|plan| plan.measured), [Measured::Nothing, Measured::Nodes]);
    assert_eq!(plans.map(|plan| plan.alone), [false, true]);
    costs.learn(plans[1], graph(&dag, &[0, 1], 2));
    assert!(
        !costs.next_plan(1_000).alone && !costs.next_plan(1_000_000).alone,
        "a size that comes back"
    );
}

#[test]
fn one_after_an_execution_that_takes_long_nodes_are_measured() {
    let dag = Dag::from_edges(1, []).unwrap();
    let mut costs = Costs::new(1, &|_| true);
    let plan = costs.next_plan(10);
    costs.run_whole(plan, || std::thread::sleep(Duration::from_nanos(2 * WORTH)));
    assert_eq!(costs.next_plan(10).measured, Measured::Nothing);
    let plan = costs.next_plan(10);
    assert_eq!((plan.alone, plan.measured), (true, Measured::Nodes));
    costs.note(0, Duration::from_nanos(WORTH / 2));
    costs.learn(plan, graph(&dag, &[0], 2));
    costs.until_measured = 0;
    assert_eq!(costs.next_plan(10).measured, Measured::Whole, "it was disturbed");
}

#[test]
fn what_is_shared_is_measured_rarely_and_alone_unless_it_is_large() {
    let dag = Dag::from_edges(2, []).unwrap();
    for (nanos, alone) in [(LARGE / 2 - 1, true), (LARGE / 2, false)] {
        let mut costs = measured(&[nanos; 2], false);
        costs.learn(Plan { measured: Measured::Nodes, ..Plan::ALONE }, graph(&dag, &[0, 1], 2));
        costs.until_measured = 0;
        let plan = costs.next_plan(10);
        assert_eq!((plan.alone, plan.measured), (alone, Measured::Nodes));
        costs.learn(plan, graph(&dag, &[0, 1], 2));
        let plans: Vec<Plan> = (0..SHARED_PERIOD - 1).map(|_| costs.next_plan(10)).collect();
        assert!(plans.iter().all(|plan| !plan.alone && plan.measured == Measured::Nothing));
        assert_eq!(costs.next_plan(10).measured, Measured::Nodes);
    }
}

#[test]
fn nothing_is_decided_before_all_nodes_are_known() {
    let dag = Dag::from_edges(2, []).unwrap();
    let mut costs = Costs::new(2, &|_| true);
    costs.note(0, Duration::from_millis(1));
    costs.learn(Plan { measured: Measured::Nodes, ..Plan::ALONE }, graph(&dag, &[0, 1], 2));
    assert_eq!((costs.alone, costs.until_measured), (true, 4));
}

#[test]
fn what_is_measured_on_many_threads_is_measured_alone_if_it_may_be_less_than_large() {
    let dag = Dag::from_edges(2, []).unwrap();
    for (nanos, splits, alone) in
        [(LARGE, true, true), (64 * LARGE, true, false), (LARGE, false, false)]
    {
        let mut costs = Costs::new(2, &|_| splits);
        let plan = costs.next_plan(1_000_000);
        assert!(!plan.alone && plan.measured == Measured::Nodes);
        (0..2).for_each(|node| costs.note(node, Duration::from_nanos(nanos / 2)));
        costs.learn(plan, graph(&dag, &[0, 1], 64));
        let mut plans = (0..1_000).map(|_| costs.next_plan(1_000_000));
        let plan = plans.find(|plan| plan.measured == Measured::Nodes).unwrap();
        assert_eq!(plan.alone, alone, "{nanos} {splits}");
    }
}

#[test]
fn nodes_that_nothing_runs_are_not_waited_for() {
    let dag = Dag::from_edges(3, []).unwrap();
    let mut costs = Costs::new(3, &|_| false);
    for _ in 0..1_000 {
        let plan = costs.next_plan(10);
        costs.run_whole(plan, || std::thread::sleep(Duration::from_nanos(WORTH)));
        if plan.measured == Measured::Nodes {
            (0..2).for_each(|node| costs.note(node, Duration::from_millis(1)));
        }
        costs.learn(plan, graph(&dag, &[0, 1, 2], 2));
        if !costs.alone {
            break;
        }
    }
    assert!(!costs.alone, "the others are worth sharing");
    let measured = (0..1_000).filter(|_| costs.next_plan(10).measured != Measured::Nothing);
    assert!(measured.count() <= 3);
}

/// As in a step that runs several chains, each of which runs other nodes.
#[test]
fn up_to_four_sorts_of_executions_in_turns_are_soon_known() {
    for sorts in 1..=4 {
        let dag = Dag::from_edges(sorts, []).unwrap();
        let order: Vec<usize> = (0..sorts).collect();
        let mut costs = Costs::new(sorts, &|_| true);
        let executions = (0..100).take_while(|turn| {
            let (plan, node) = (costs.next_plan(10), turn % sorts);
            costs.run_whole(plan, || std::thread::sleep(Duration::from_nanos(WORTH)));
            if plan.measured == Measured::Nodes {
                costs.note(node, Duration::from_millis(1));
            }
            costs.learn(plan, graph(&dag, &order, 2));
            costs.alone
        });
        assert!(executions.count() <= 5 * sorts);
        assert!(!costs.alone, "{sorts} sorts");
    }
}

#[test]
fn worlds_that_are_large_and_small_in_turns_are_not_measured_each_time() {
    let mut costs = Costs::new(0, &|_| true);
    let sizes = [1_000, 100_000].into_iter().cycle().take(400);
    let measured = sizes.filter(|&size| costs.next_plan(size).measured == Measured::Nodes).count();
    assert!(measured < 400 / 20, "{measured}");
}
