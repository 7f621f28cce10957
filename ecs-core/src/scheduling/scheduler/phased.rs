//! A graph in phases: each node of one phase runs before any node of the next, and the caller can act in
//! between.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::policy::{Costs, PhaseExecution, PhaseGraph, Plan, Policies};
use super::{
    Dag, ExecuteError, Failure, ForkJoin, Gated, Outcome, Scheduler, StartError, StartNodes,
    SubtaskOrder, reachable::Reachable,
};
use crate::parallel::{Available, DropEach, Workers};
use crate::types::IndexSet;

/// The nodes of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection<'a> {
    /// The whole graph.
    All,
    /// These nodes, which must be independent, and all nodes reachable from them.
    From(&'a [usize]),
    /// These nodes alone, in the order of the whole graph. Its other nodes count as done.
    Only(&'a IndexSet),
}

/// A scheduler for each phase of a graph.
///
/// Phases never decrease along an edge, so all nodes between two nodes of one phase are in that phase too.
/// Hence the edges within a phase keep the whole order of its nodes. With one phase, this is one scheduler.
#[derive(Debug)]
pub(crate) struct Phased<S> {
    /// Those of the graph, and behind them the groups.
    phases: DropEach<Phase<S>>,
    /// The number of phases of the graph.
    count: usize,
    /// The phases of each group, which are at the end of `phases`, in the same order.
    groups: Box<[Range<usize>]>,
    dag: Dag,
    reach: Reachable,
}

/// Phases that follow one another and can run together. In the place of what happens between two phases, there is a *barrier*:
/// one more node of the graph, behind all nodes of earlier phases but some, and before all of later ones. Barriers are numbered
/// from the number of nodes on.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The first phase.
    pub(crate) first: usize,
    /// For each barrier the nodes of earlier phases that it does not wait for. So there is one phase more.
    pub(crate) over: Vec<Vec<usize>>,
}

impl Group {
    /// The graph of the phases of the group: the edges within it, and those of its barriers.
    fn dag(&self, dag: &Dag, phase: &dyn Fn(usize) -> usize) -> (Dag, Box<[usize]>) {
        let (nodes, phases) = (dag.len(), self.phases());
        let is_in = |&node: &usize| phases.contains(&phase(node));
        let mut edges = Vec::new();
        for node in (0..nodes).filter(is_in) {
            edges.extend(dag.dependencies(node).iter().copied().filter(is_in).map(|to| (to, node)));
            for (barrier, over) in self.over.iter().enumerate() {
                let this = nodes + barrier;
                if phase(node) > self.first + barrier {
                    edges.push((this, node));
                } else if !over.contains(&node) {
                    edges.push((node, this));
                }
            }
        }
        let barriers = nodes..nodes + self.over.len();
        edges.extend(barriers.clone().skip(1).map(|barrier| (barrier - 1, barrier)));
        let whole = Dag::from_edges(barriers.end, edges).expect("barriers are between phases");
        let order = whole.topological_order().iter().copied();
        let nodes = order.filter(|node| barriers.contains(node) || is_in(node)).collect();
        (whole, nodes)
    }

    fn phases(&self) -> Range<usize> {
        self.first..self.first + self.over.len() + 1
    }
}

/// The nodes of one phase, with the edges between them.
#[derive(Debug)]
struct Phase<S> {
    scheduler: Gated<S>,
    /// All nodes. Those of other phases have no edges here and are never started.
    dag: Dag,
    /// The nodes of this phase, in topological order.
    nodes: Box<[usize]>,
    costs: Costs,
    /// The starts of this execution in this phase. The capacity is the number of nodes.
    starts: Vec<usize>,
}

impl<S: Scheduler> Phased<S> {
    /// Splits the graph into `count` phases. `phase` gives the phase of a node, `alone` whether it must be the
    /// only one in its phase, and `splits` whether it forks subtasks. `make` makes the scheduler of each phase.
    ///
    /// # Panics
    /// If an edge leads to an earlier phase, a node's phase is not below `count`, a node that must be alone
    /// in its phase is not or is in a group, or a phase of a group is not below `count`.
    pub(crate) fn new(
        dag: &Dag,
        count: usize,
        phase: &dyn Fn(usize) -> usize,
        alone: &dyn Fn(usize) -> bool,
        splits: &dyn Fn(usize) -> bool,
        groups: &[Group],
        make: &mut dyn FnMut(&Dag) -> S,
    ) -> Self {
        let nodes_of_graph = dag.len();
        let nodes = 0..dag.len();
        for node in nodes.clone() {
            assert!(phase(node) < count, "the node {node} is in none of {count} phases");
            let before = dag.dependencies(node).iter().all(|&before| phase(before) <= phase(node));
            assert!(before, "the node {node} is in an earlier phase than one that it depends on");
        }
        for node in (0..nodes_of_graph).filter(|&node| alone(node)) {
            let is_in = |group: &Group| group.phases().contains(&phase(node));
            assert!(!groups.iter().any(is_in), "the node {node} must be alone, and is in a group");
        }
        assert!(groups.iter().all(|group| group.phases().end <= count), "there are no such phases");
        let phases = DropEach::of(count + groups.len(), |this| {
            if let Some(group) = this.checked_sub(count) {
                let (dag, nodes) = groups[group].dag(dag, phase);
                let starts = Vec::with_capacity(nodes.len());
                let costs = Costs::new(dag.len(), &|node| node >= nodes_of_graph || splits(node));
                return Phase {
                    scheduler: Gated::around(make(&dag), &dag),
                    dag,
                    nodes,
                    costs,
                    starts,
                };
            }
            let order = dag.topological_order().iter().copied();
            let nodes: Box<[usize]> = order.filter(|&node| phase(node) == this).collect();
            let crowded = nodes.len() > 1 && nodes.iter().any(|&node| alone(node));
            assert!(!crowded, "a node of the phase {this} must be alone");
            let edges = nodes.iter().flat_map(|&node| {
                let within = dag.dependencies(node).iter().filter(|&&before| phase(before) == this);
                within.map(move |&before| (before, node))
            });
            let dag = Dag::from_edges(dag.len(), edges).expect("a part of an acyclic graph");
            let starts = Vec::with_capacity(nodes.len());
            let costs = Costs::new(dag.len(), splits);
            Phase { scheduler: Gated::around(make(&dag), &dag), dag, nodes, costs, starts }
        });
        let groups = groups.iter().map(Group::phases).collect();
        Self { phases, count, groups, reach: Reachable::new(dag), dag: dag.clone() }
    }

    /// The group that begins with the phase, if there is one: its number as a phase, for an execution of all nodes, and the
    /// phase after it.
    pub(crate) fn group_from(&self, phase: usize) -> Option<(usize, usize)> {
        let group = self.groups.iter().position(|phases| phases.start == phase)?;
        Some((self.count + group, self.groups[group].end))
    }

    /// Selects the nodes of the next execution. If those are all nodes and there is one phase, this does
    /// nothing.
    pub(crate) fn select(&mut self, selection: Selection<'_>) -> Result<(), StartError> {
        match selection {
            Selection::All => {}
            Selection::From(nodes) => self.reach.select(&self.dag, nodes)?,
            Selection::Only(nodes) => {
                self.select_only(nodes);
                return Ok(());
            }
        }
        if self.phases.len() == 1 {
            return Ok(());
        }
        let reached = |node: usize| selection == Selection::All || self.reach.contains(node);
        // Groups are for executions of all nodes.
        let count = if selection == Selection::All { self.phases.len() } else { self.count };
        for Phase { dag, nodes, starts, .. } in self.phases.iter_mut().take(count) {
            // No start is reachable from another, so the last edge of a path to it would come from a node that
            // is reached in this phase.
            let first = |&node: &usize| {
                reached(node) && !dag.dependencies(node).iter().any(|&before| reached(before))
            };
            starts.clear();
            starts.extend(nodes.iter().copied().filter(first));
        }
        Ok(())
    }

    /// Selects these nodes alone. Each phase starts from the first of them, as far as there are any.
    fn select_only(&mut self, only: &IndexSet) {
        let Self { phases, count, reach, .. } = self;
        for Phase { dag, nodes, starts, .. } in phases.iter_mut().take(*count) {
            starts.clear();
            let nodes = nodes.iter().copied().filter(|&node| only.contains(node));
            reach.first_of(dag, nodes, starts);
        }
        reach.keep(only);
    }

    /// The nodes, each after those that it depends on.
    pub(crate) fn order(&self) -> impl Iterator<Item = usize> {
        self.phases.iter().take(self.count).flat_map(|phase| phase.nodes.iter().copied())
    }

    /// Whether the [selected](Self::select) execution has nodes in this phase.
    #[inline]
    pub(crate) fn takes_part(&self, phase: usize) -> bool {
        self.phases.len() == 1 || !self.phases[phase].starts.is_empty()
    }

    /// Whether the [selected](Self::select) execution runs the node in this phase.
    pub(crate) fn runs(&self, phase: usize, selection: Selection<'_>, node: usize) -> bool {
        self.selects(selection, node)
            && (self.phases.len() == 1 || self.phases[phase].nodes.contains(&node))
    }

    /// Whether the [selected](Self::select) execution runs the node.
    pub(crate) fn selects(&self, selection: Selection<'_>, node: usize) -> bool {
        selection == Selection::All || self.reach.contains(node)
    }

    /// How subtasks run in the next execution of this phase.
    pub(crate) fn subtask_order(&self, phase: usize) -> SubtaskOrder {
        self.phases[phase].scheduler.subtask_order()
    }

    /// How to run the nodes of a phase of the [selected](Self::select) execution, in a world of `entities`
    /// entities, on these threads. A scheduler that is not [skipped](Scheduler::SKIPPED_IF_SMALL) is always used.
    #[inline]
    pub(crate) fn plan(
        &mut self,
        phase: usize,
        selection: Selection<'_>,
        entities: usize,
        threads: Available,
        policies: &mut Policies,
    ) -> Plan {
        let are_eager = threads.are_eager || !S::SKIPPED_IF_SMALL;
        if !are_eager && (threads.count == 1 || self.phases[phase].costs.goes_on_alone(entities)) {
            return Plan::ALONE;
        }
        self.plan_anew(phase, selection, entities, Available { are_eager, ..threads }, policies)
    }

    #[inline(never)]
    fn plan_anew(
        &mut self,
        phase: usize,
        selection: Selection<'_>,
        entities: usize,
        threads: Available,
        policies: &mut Policies,
    ) -> Plan {
        let Self { phases, reach, .. } = self;
        let Phase { costs, dag, nodes, .. } = &mut phases[phase];
        let reached = |node| reach.contains(node);
        let included: Option<&dyn Fn(usize) -> bool> = match selection {
            Selection::All => None,
            Selection::From(_) | Selection::Only(_) => Some(&reached),
        };
        let graph = PhaseGraph { dag, order: nodes, threads: threads.count };
        policies.of(threads).plan(PhaseExecution { costs, graph, included, entities })
    }

    /// Runs the nodes of one phase on the calling thread, if the plan is [simple](Plan::is_simple): calls `run`
    /// with each. For other plans there is [`execute`](Self::execute).
    #[inline]
    pub(crate) fn execute_simply(
        &mut self,
        phase: usize,
        selection: Selection<'_>,
        plan: Plan,
        run: impl Fn(usize),
    ) -> Result<(), Box<ExecuteError>> {
        let Self { phases, reach, .. } = self;
        let Phase { costs, nodes, .. } = &mut phases[phase];
        costs.run_whole(plan, || match selection {
            Selection::All => one_after_the_other(nodes.iter().copied(), run),
            Selection::From(_) | Selection::Only(_) => those_reached(reach, nodes, &run),
        })
    }

    /// Runs the nodes of one phase by a plan that is not [simple](Plan::is_simple): calls `run` with each node
    /// and with whether to fork its subtasks. The phases of an execution must be run in ascending order, from
    /// the same starts.
    ///
    /// The type of `run` is erased, so that this and the scheduler are compiled once for all worlds.
    pub(crate) fn execute(
        &mut self,
        phase: usize,
        selection: Selection<'_>,
        plan: Plan,
        executor: &Workers,
        run: &(dyn Fn(usize, bool) + Sync),
    ) -> Result<(), Box<ExecuteError>> {
        let Self { phases, reach, .. } = self;
        let one_phase = phases.len() == 1;
        let Phase { scheduler, starts, costs, dag, nodes } = &mut phases[phase];
        let threads = executor.threads();
        let included = |node: &usize| selection == Selection::All || reach.contains(*node);
        let result = if plan.alone {
            one_after_the_other(nodes.iter().copied().filter(included), |node| {
                costs.run(plan, node, threads, |split| run(node, split));
            })
        } else {
            let starts = match selection {
                Selection::All if one_phase => StartNodes::All,
                Selection::From(nodes) if one_phase => StartNodes::Nodes(nodes),
                _ => StartNodes::Nodes(starts),
            };
            let run = |node| {
                costs.run(plan, node, threads, |split| run(node, split));
                Outcome::Done
            };
            let execute = || match selection {
                Selection::Only(nodes) => scheduler.execute(starts, executor, &|node| {
                    if nodes.contains(node) { run(node) } else { Outcome::Done }
                }),
                _ => scheduler.execute(starts, executor, &run),
            };
            // A panic of the scheduler itself is one of the phase.
            let result = catch_unwind(AssertUnwindSafe(execute)).unwrap_or_else(|payload| {
                Err(Failure { node: dag.len(), subtask: None, payload }.into())
            });
            result.map_err(Box::new)
        };
        costs.learn(plan, PhaseGraph { dag, order: nodes, threads });
        result
    }
}

/// Runs those of the nodes that are reached, in order, until one fails.
#[inline(never)]
fn those_reached(
    reach: &Reachable,
    nodes: &[usize],
    run: &dyn Fn(usize),
) -> Result<(), Box<ExecuteError>> {
    one_after_the_other(nodes.iter().copied().filter(|&node| reach.contains(node)), run)
}

/// Runs nodes in the order given, until one fails. An error is in a box, as a result without one is then a register.
fn one_after_the_other(
    nodes: impl Iterator<Item = usize>,
    run: impl Fn(usize),
) -> Result<(), Box<ExecuteError>> {
    let running = Cell::new(0);
    let run_all = || {
        for node in nodes {
            running.set(node);
            run(node);
        }
    };
    // Catching a panic is sound here: nothing of this module is in the middle of a change while a node runs,
    // and the caller learns of the panic before it can use what the node has left behind.
    catch_unwind(AssertUnwindSafe(run_all))
        .map_err(|payload| Box::new(Failure { node: running.get(), subtask: None, payload }.into()))
}

#[cfg(test)]
mod tests {
    use super::super::{AtomicCounter, Delayed, Sequential, Shuffled};
    use super::*;
    use crate::parallel::Threads;
    use std::sync::Mutex;

    /// The nodes that run, per phase.
    fn run<S: Scheduler>(phased: &mut Phased<S>, selection: Selection<'_>) -> Vec<Vec<usize>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let threads = [Threads::Inline, Threads::Eager(pool.into())];
        let [inline, eager] = threads.map(|threads| {
            phased.select(selection).unwrap();
            let mut ran = Vec::new();
            for phase in 0..phased.phases.len() {
                let nodes = Mutex::new(Vec::new());
                if phased.takes_part(phase) {
                    let mut policies = Policies::default();
                    let plan = phased.plan(phase, selection, 0, threads.available(), &mut policies);
                    let run = |node| nodes.lock().unwrap().push(node);
                    let execute = |workers: &Workers| {
                        phased.execute(phase, selection, plan, workers, &|node, _| run(node))
                    };
                    if plan.is_simple() {
                        phased.execute_simply(phase, selection, plan, run).unwrap();
                    } else {
                        threads.run(execute).unwrap();
                    }
                }
                // The order of independent nodes is up to the scheduler.
                let mut nodes = nodes.into_inner().unwrap();
                nodes.sort_unstable();
                ran.push(nodes);
            }
            ran
        });
        assert_eq!(inline, eager);
        inline
    }

    /// 0 → 1 → 3 → 4 and 0 → 2 → 4, with 5 alone. The second phase is 3 and 4.
    fn dag() -> Dag {
        Dag::from_edges(6, [(0, 1), (1, 3), (3, 4), (0, 2), (2, 4)]).unwrap()
    }

    /// This graph in the phases of its nodes. `alone` is the node, if any, that must be alone in its phase.
    fn phased<S: Scheduler>(phases: [usize; 6], alone: Option<usize>) -> Phased<S> {
        let count = phases.into_iter().max().unwrap() + 1;
        let is_alone = |node| Some(node) == alone;
        Phased::new(&dag(), count, &|node| phases[node], &is_alone, &|_| true, &[], &mut S::new)
    }

    fn all_and_parts<S: Scheduler>() {
        let mut phased = phased::<S>([0, 0, 0, 1, 1, 0], None);
        for _ in 0..2 {
            assert_eq!(run(&mut phased, Selection::All), [vec![0, 1, 2, 5], vec![3, 4]]);
            assert_eq!(run(&mut phased, Selection::From(&[1])), [vec![1], vec![3, 4]]);
            assert_eq!(run(&mut phased, Selection::From(&[2])), [vec![2], vec![4]]);
            assert_eq!(run(&mut phased, Selection::From(&[4])), [vec![], vec![4]]);
            assert_eq!(run(&mut phased, Selection::From(&[5])), [vec![5], vec![]]);
        }
        assert!(phased.select(Selection::From(&[1, 4])).is_err());
        for (only, ran) in [
            (&[0, 3][..], [vec![0], vec![3]]),
            (&[2, 1], [vec![1, 2], vec![]]),
            (&[4], [vec![], vec![4]]),
            (&[], [vec![], vec![]]),
        ] {
            assert_eq!(run(&mut phased, Selection::Only(&IndexSet::of(only))), ran);
        }
    }

    /// Where each node and barrier came in an execution of the group, and what ran meanwhile.
    fn run_group<S: Scheduler>(group: &Group, threads: usize) -> Vec<usize> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let threads = Threads::Eager(pool.into());
        let (alone, splits) = (|_| false, |_| true);
        let phases = [0, 0, 1, 1, 2, 0];
        let group = core::slice::from_ref(group);
        let phase = |node: usize| phases[node];
        let mut phased =
            Phased::new(&dag_of_groups(), 3, &phase, &alone, &splits, group, &mut S::new);
        phased.select(Selection::All).unwrap();
        let (unit, end) = phased.group_from(0).unwrap();
        assert_eq!((unit, end), (3, 3));
        assert_eq!((phased.group_from(1), phased.group_from(2)), (None, None));
        let order = Mutex::new(Vec::new());
        let mut policies = Policies::default();
        let plan = phased.plan(unit, Selection::All, 0, threads.available(), &mut policies);
        threads
            .run(|workers| {
                phased.execute(unit, Selection::All, plan, workers, &|node, _| {
                    order.lock().unwrap().push(node);
                })
            })
            .unwrap();
        // Other executions leave the group alone.
        for selection in [Selection::From(&[2]), Selection::Only(&IndexSet::of(&[0, 5]))] {
            phased.select(selection).unwrap();
            assert!(phased.takes_part(1) == matches!(selection, Selection::From(_)));
        }
        order.into_inner().unwrap()
    }

    /// 0 → 2 → 4, 1 → 3, and 5 alone, in the phases 0 1 2, 0 1 and 0.
    fn dag_of_groups() -> Dag {
        Dag::from_edges(6, [(0, 2), (2, 4), (1, 3)]).unwrap()
    }

    #[test]
    fn a_barrier_is_behind_all_of_earlier_phases_but_some() {
        // The barriers are 6 and 7. 1 goes on over the first one, 5 over both.
        let group = Group { first: 0, over: vec![vec![1, 5], vec![5]] };
        let (dag, nodes) = group.dag(&dag_of_groups(), &|node| [0, 0, 1, 1, 2, 0][node]);
        assert_eq!(nodes.len(), 8);
        let before = |node: usize| {
            let mut before = Vec::new();
            let mut left = dag.dependencies(node).to_vec();
            while let Some(node) = left.pop() {
                left.extend(dag.dependencies(node));
                before.push(node);
            }
            before.sort_unstable();
            before.dedup();
            before
        };
        assert_eq!(before(6), [0]);
        assert_eq!(before(3), [0, 1, 6]);
        assert_eq!(before(7), [0, 1, 2, 3, 6]);
        assert_eq!(before(4), [0, 1, 2, 3, 6, 7]);
        for node in [0, 1, 5] {
            assert!(before(node).is_empty());
        }
        for threads in [1, 2, 3] {
            for order in [
                run_group::<AtomicCounter>(&group, threads),
                run_group::<Sequential>(&group, threads),
                run_group::<Shuffled>(&group, threads),
                run_group::<Delayed>(&group, threads),
            ] {
                assert_eq!(order.len(), 8);
                let at = |node| order.iter().position(|&other| other == node).unwrap();
                for node in 0..8 {
                    assert!(before(node).iter().all(|&before| at(before) < at(node)), "{order:?}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "the node 5 must be alone, and is in a group")]
    fn a_group_has_no_node_that_must_be_alone() {
        let phases = [0, 0, 0, 1, 1, 2];
        let group = [Group { first: 1, over: vec![vec![]] }];
        let alone = |node| node == 5;
        let make = &mut AtomicCounter::new;
        let _: Phased<AtomicCounter> =
            Phased::new(&dag(), 3, &|node| phases[node], &alone, &|_| true, &group, make);
    }

    #[test]
    fn phases_follow_one_another() {
        all_and_parts::<AtomicCounter>();
        all_and_parts::<Sequential>();
        all_and_parts::<Shuffled>();
        all_and_parts::<Delayed>();
    }

    /// Two nodes that are connected only through one that is left out.
    fn the_order_goes_through_nodes_that_are_left_out<S: Scheduler>() {
        let mut phased = phased::<S>([0; 6], None);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let only = IndexSet::of(&[4, 1]);
        phased.select(Selection::Only(&only)).unwrap();
        let ran = Mutex::new(Vec::new());
        Threads::Eager(pool.into())
            .run(|workers| {
                let run = |node, _| ran.lock().unwrap().push(node);
                phased.execute(0, Selection::Only(&only), Plan::EAGER, workers, &run)
            })
            .unwrap();
        assert_eq!(ran.into_inner().unwrap(), [1, 4]);
    }

    #[test]
    fn nodes_keep_their_order_without_those_between() {
        the_order_goes_through_nodes_that_are_left_out::<AtomicCounter>();
        the_order_goes_through_nodes_that_are_left_out::<Sequential>();
        the_order_goes_through_nodes_that_are_left_out::<Shuffled>();
        the_order_goes_through_nodes_that_are_left_out::<Delayed>();
    }

    #[test]
    fn one_phase_is_the_scheduler_itself() {
        let mut phased = phased::<Sequential>([0; 6], None);
        assert_eq!(run(&mut phased, Selection::All), [[0, 1, 2, 3, 4, 5]]);
        assert_eq!(run(&mut phased, Selection::From(&[2])), [[2, 4]]);
    }

    #[test]
    #[should_panic(expected = "in an earlier phase than one that it depends on")]
    fn phases_that_go_back_are_refused() {
        phased::<Sequential>([0, 1, 0, 0, 0, 0], None);
    }

    #[test]
    fn who_must_be_alone_is() {
        let mut phased = phased::<Sequential>([0, 0, 0, 1, 2, 0], Some(3));
        assert_eq!(run(&mut phased, Selection::All), [vec![0, 1, 2, 5], vec![3], vec![4]]);
    }

    #[test]
    #[should_panic(expected = "a node of the phase 0 must be alone")]
    fn company_for_who_must_be_alone_is_refused() {
        phased::<Sequential>([0; 6], Some(3));
    }
}
