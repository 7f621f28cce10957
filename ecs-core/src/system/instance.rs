//! System instances: a system's state, its subscription, and the states of its subtasks
//! (thesis, 9.3.1).

use core::ops::Range;

use crossbeam::utils::CachePadded;

use super::{Output, Outputs};
use crate::batch::{Batches, Catch};
use crate::deferred::DeferredQueue;
use crate::drops::DropEach;
use crate::entity::{Entity, Marks};
use crate::scheduler::PanicSlot;
use crate::signature::{Declaration, SystemName, SystemSignature};
use crate::sparse_set::SparseSet;
use crate::stream::{AnyEnd, SharedLane};

/// What a world keeps of the system `N`, but for its subscription.
pub(crate) struct Instance<D: Declaration, N: SystemName<D>> {
    pub(crate) system: N::System,
    pub(crate) states: States<D, N>,
}

/// The states of a system's subtasks.
///
/// A step may execute a system several times, and an execution may fork several times. Each takes
/// further states, so that staged work merges in the order in which it came about; the refresh
/// gives all states free again.
pub(crate) struct States<D: Declaration, N: SystemName<D>> {
    all: DropEach<Padded<D, N>>,
    /// Where the streams of the states taken last go, if they are streams.
    lanes: Vec<SharedLane>,
    /// The states of the latest execution, which hold its outputs. Those behind them are free.
    latest: Range<usize>,
    /// After which refresh that was: all states are free after the next one.
    since: u64,
}

/// Where nothing was executed since any refresh.
const NEVER: u64 = u64::MAX;

/// A state on cache lines of its own.
type Padded<D, N> = CachePadded<SubtaskState<D, N>>;

/// The state of one subtask (thesis, 9.3.1.1).
pub(crate) struct SubtaskState<D: Declaration, N: SystemName<D>> {
    pub(crate) output: N::Output,
    /// What sends, if the output is a stream.
    pub(crate) end: Option<Box<dyn AnyEnd>>,
    pub(crate) staged: Staged<D>,
    /// How often a sequential system has changed which entities have which components. Whether a row is a match is asked
    /// anew after each change (`proxy/now/recheck.rs`), so every change must count.
    pub(crate) changes: u64,
}

/// What a subtask has put off until the refresh.
#[derive(Debug)]
pub(crate) struct Staged<D: Declaration> {
    /// SpawnBatch, and changes of components.
    pub(crate) batches: Batches,
    pub(crate) deferred: DeferredQueue<D>,
    /// Entities marked as dead.
    pub(crate) to_despawn: Marks,
}

impl<D: Declaration> Staged<D> {
    pub(crate) fn new() -> Self {
        Self {
            batches: Batches::default(),
            deferred: DeferredQueue::new(),
            to_despawn: Marks::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.deferred.is_empty() && self.to_despawn.is_empty()
    }

    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        self.batches.discard(&Catch { panics, owner: (system, subtask) });
        self.deferred.discard(panics, system, subtask);
        self.to_despawn.clear();
    }
}

impl<D: Declaration, N: SystemName<D>> Instance<D, N> {
    pub(crate) fn new() -> Self {
        Self::with(N::initial())
    }

    /// With the given state, and without outputs.
    pub(crate) fn with(system: N::System) -> Self {
        Self {
            system,
            states: States { all: DropEach::new(), lanes: Vec::new(), latest: 0..0, since: NEVER },
        }
    }
}

impl<D: Declaration, N: SystemName<D>> States<D, N> {
    /// Whether what is staged has to wait in the states for the refresh.
    const EXTERNAL: bool = D::SYSTEMS[N::INDEX].stages_work();

    /// Begins an execution, after so many refreshes: it has no outputs yet.
    #[inline]
    pub(crate) fn begin_execution(&mut self, refreshes: u64) {
        if const { !Self::EXTERNAL } {
            // Nothing is left of the execution before but its outputs, which are forgotten.
            debug_assert!(self.latest.start == 0);
            self.latest.end = 0;
            return;
        }
        let used = self.used(refreshes);
        self.since = refreshes;
        self.latest = used..used;
    }

    /// Takes `count` further states, with outputs as good as new, and with where their streams go.
    pub(crate) fn take(&mut self, count: usize) -> (&mut [Padded<D, N>], &[SharedLane]) {
        let states = self.latest.end..self.latest.end + count;
        if self.all.len() < states.end {
            self.make(states.end);
        }
        for state in &mut self.all[states.clone()] {
            state.output.reset();
            if let Some(end) = &mut state.end {
                end.reset();
            }
        }
        // Only now, as making and resetting outputs is user code, which may panic.
        self.latest.end = states.end;
        if const { N::Output::STREAM_END.0.is_some() } {
            let ends = self.all[states.clone()].iter().filter_map(|state| state.end.as_ref());
            self.lanes.clear();
            self.lanes.extend(ends.map(|end| end.lane()));
        }
        (&mut self.all[states], &self.lanes)
    }

    /// Takes one further state, of a system that does not stream.
    #[inline]
    pub(crate) fn take_one(&mut self) -> &mut SubtaskState<D, N> {
        let number = self.latest.end;
        if self.all.len() <= number {
            self.make(number + 1);
        }
        // SAFETY: there are more than `number` by now.
        let state = unsafe { self.all.get_unchecked_mut(number) };
        state.output.reset();
        // Only now, as making and resetting outputs is user code, which may panic.
        self.latest.end = number + 1;
        state
    }

    /// Makes states until there are so many.
    #[cold]
    fn make(&mut self, count: usize) {
        self.all.fill(count, |_| {
            let (output, end) = (N::Output::default(), N::Output::STREAM_END.0.map(|make| make()));
            CachePadded::new(SubtaskState { output, end, staged: Staged::new(), changes: 0 })
        });
    }

    /// The outputs of the latest execution, in subtask order. They stay until the next one.
    pub(crate) fn outputs(&self) -> Outputs<'_, D, N> {
        Outputs::new(&self.all[self.latest.clone()])
    }

    /// As [`outputs`](Self::outputs), to write.
    pub(crate) fn outputs_mut(
        &mut self,
    ) -> impl Iterator<Item = &mut <N as SystemName<D>>::Output> {
        self.all[self.latest.clone()].iter_mut().map(|state| &mut state.output)
    }

    /// Between steps, when nothing is staged: the latest execution has no outputs any more.
    pub(crate) fn forget_outputs(&mut self) {
        self.latest = 0..0;
        self.since = NEVER;
    }

    /// Between steps, when nothing is staged: makes the outputs the same as those of `from`, each by `copy`;
    /// after a panic there are none.
    pub(crate) fn copy_outputs(&mut self, from: &Self, copy: impl Fn(&N::Output, &mut N::Output)) {
        self.forget_outputs();
        self.make(from.latest.end);
        for (to, from) in self.all[from.latest.clone()].iter_mut().zip(from.outputs().each()) {
            copy(from, &mut to.output);
        }
        self.latest = from.latest.clone();
    }

    /// How many states have been taken since the last refresh, of so many.
    pub(crate) fn used(&self, refreshes: u64) -> usize {
        if self.since == refreshes { self.latest.end } else { 0 }
    }

    /// What the state with this number has staged.
    pub(crate) fn staged_mut(&mut self, number: usize) -> &mut Staged<D> {
        &mut self.all[number].staged
    }

    /// Drops all that was staged since the last refresh, of so many.
    pub(crate) fn discard(&mut self, refreshes: u64, panics: &PanicSlot) {
        let used = self.used(refreshes);
        for (number, state) in self.all[..used].iter_mut().enumerate() {
            state.staged.discard(panics, N::INDEX, number);
        }
    }
}

/// Which entities a system is subscribed to, and which it would be.
#[derive(Debug)]
pub(crate) struct Subscription {
    pub(crate) set: SparseSet,
    pub(crate) demands: Demands,
    /// Whether only those are subscribed who asked for it.
    pub(crate) opt_in: bool,
    /// Who is to be subscribed, or not any more, from the next refresh on, in the order of the calls.
    pub(crate) requests: Vec<(Entity, bool)>,
    /// Whether somebody wants to know about changes in this step.
    pub(crate) watched: bool,
    /// If so, the rows that came or went since the last refresh, once for each time.
    pub(crate) toggled: Vec<u32>,
}

/// What a system demands of its entities.
#[derive(Debug)]
pub(crate) struct Demands {
    /// Components that an entity must have.
    pub(crate) required: Vec<usize>,
    /// Components that an entity must not have.
    pub(crate) excluded: Vec<usize>,
    /// Whether entities without any component count.
    pub(crate) any_entity: bool,
}

impl Subscription {
    pub(crate) fn new(signature: &SystemSignature, components: usize) -> Self {
        let (required, excluded) = (signature.required(), signature.excluded());
        let demands = Demands {
            required: (0..components).filter(|&index| required.contains(index)).collect(),
            excluded: (0..components).filter(|&index| excluded.contains(index)).collect(),
            any_entity: signature.has_entities() && required.is_empty(),
        };
        Self {
            set: SparseSet::default(),
            demands,
            opt_in: signature.opt_in,
            requests: Vec::new(),
            watched: false,
            toggled: Vec::new(),
        }
    }
}
