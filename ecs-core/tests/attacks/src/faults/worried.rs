//! A scheduler whose calls may panic.

use std::marker::PhantomData;

use ecs_core::scheduler::{
    Dag, ExecuteError, Failure, ForkJoin, Outcome, PanicSlot, Scheduler, StartNodes, SubtaskOrder,
    fork,
};

use super::{Hooked, Role, Tracked, places};

/// Runs all tasks that can run at the same time as one group, and then the next group.
#[derive(Debug)]
pub struct Worried<H> {
    dag: Dag,
    levels: Vec<Vec<usize>>,
    tracked: Tracked,
    hooked: PhantomData<fn() -> H>,
}

impl<H: Hooked> Scheduler for Worried<H> {
    fn new(dag: &Dag) -> Self {
        let fault = H::HOOK.fault();
        fault.point(places::SCHEDULER_NEW);
        let mut levels = vec![Vec::new(); dag.len()];
        for (node, level) in dag.levels().into_iter().enumerate() {
            levels[level].push(node);
        }
        let tracked = Tracked::new(&fault, &Role::SCHEDULER, 0);
        fault.point(places::SCHEDULER_NEW);
        Self { dag: dag.clone(), levels, tracked, hooked: PhantomData }
    }

    fn execute<E: ForkJoin, F: Fn(usize) -> Outcome + Sync>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError> {
        self.tracked.fault().point(places::SCHEDULER_EXECUTE);
        let starts = match starts {
            StartNodes::All => self.dag.roots(),
            StartNodes::Nodes(nodes) => nodes,
        };
        self.dag.independent(starts)?;
        let reached = self.dag.reachable_from(starts);
        let panics = PanicSlot::new();
        for level in &self.levels {
            self.tracked.fault().point(places::SCHEDULER_EXECUTE);
            fork(executor, level.len(), &|i| {
                let node = level[i];
                if reached.binary_search(&node).is_ok()
                    && let Some(Outcome::Failed { subtask, payload }) =
                        panics.catch(node, None, || run(node))
                {
                    panics.record(Failure { node, subtask: Some(subtask), payload });
                }
            });
            if let Some(failure) = panics.take() {
                return Err(failure.into());
            }
        }
        self.tracked.fault().point(places::SCHEDULER_EXECUTE);
        Ok(())
    }

    fn subtask_order(&self) -> SubtaskOrder {
        self.tracked.fault().point(places::SUBTASK_ORDER);
        SubtaskOrder::SideBySide
    }
}
