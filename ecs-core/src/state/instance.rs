//! System instances: a system's state, its subscription, and the states of its subtasks
//! (thesis, 9.3.1).

use core::ops::Range;

use crossbeam::utils::CachePadded;

use super::Outputs;
use crate::changes::{Batches, Catch};
use crate::entity::Entity;
use crate::output::Output;
use crate::output::stream::{AnyEnd, SharedLane};
use crate::parallel::{DropEach, PanicSlot};
use crate::rows::{Marks, SparseSet};
use crate::signature::{Declaration, SystemName, SystemSignature};
use crate::state::{DeferredQueue, Parts};

/// The data that a world holds for the system `N`, except its subscription.
pub(crate) struct Instance<D: Declaration, N: SystemName<D>> {
    pub(crate) system: N::System,
    pub(crate) states: States<D, N>,
}

/// The states of a system's subtasks.
///
/// A step may execute a system several times, and an execution may fork several times. Each takes further
/// states, so that staged work merges in the order of the calls. The refresh releases all states.
pub(crate) struct States<D: Declaration, N: SystemName<D>> {
    all: DropEach<Padded<D, N>>,
    /// The lanes of the states taken last, if the output is a stream.
    lanes: Vec<SharedLane>,
    /// The states of the latest execution, which hold its outputs. The states after them are free.
    latest: Range<usize>,
    /// The number of refreshes at the latest execution. All states are free after the next refresh.
    since: u64,
}

/// No execution since any refresh.
const NEVER: u64 = u64::MAX;

/// A state on cache lines of its own.
type Padded<D, N> = CachePadded<SubtaskState<D, N>>;

/// The state of one subtask (thesis, 9.3.1.1).
pub(crate) struct SubtaskState<D: Declaration, N: SystemName<D>> {
    pub(crate) output: N::Output,
    /// The sending end, if the output is a stream.
    pub(crate) end: Option<Box<dyn AnyEnd>>,
    pub(crate) staged: Staged<D>,
    /// What the subtask has added to commutative resources.
    pub(crate) added: Parts,
    /// The number of changes of component presence by a sequential system. Matches are rechecked after each
    /// change (`proxy/sequential/recheck.rs`), so every change must count.
    pub(crate) changes: u64,
}

/// Work of a subtask that is staged until the refresh.
pub(crate) struct Staged<D: Declaration> {
    /// Spawn batches and component changes.
    pub(crate) batches: Batches,
    pub(crate) deferred: DeferredQueue<D>,
    /// Entities marked for despawning.
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

    /// An instance with the given state and without outputs.
    pub(crate) fn with(system: N::System) -> Self {
        Self {
            system,
            states: States { all: DropEach::new(), lanes: Vec::new(), latest: 0..0, since: NEVER },
        }
    }
}

impl<D: Declaration, N: SystemName<D>> States<D, N> {
    /// Whether staged work remains in the states until the refresh.
    const EXTERNAL: bool = D::SYSTEMS[N::INDEX].stages_work();

    /// Begins an execution, after this number of refreshes. It has no outputs yet.
    #[inline]
    pub(crate) fn begin_execution(&mut self, refreshes: u64) {
        if const { !Self::EXTERNAL } {
            // Only the outputs of the last execution remain, and they are discarded.
            debug_assert!(self.latest.start == 0);
            self.latest.end = 0;
            return;
        }
        let used = self.used(refreshes);
        self.since = refreshes;
        self.latest = used..used;
    }

    /// Takes `count` further states, with reset outputs, and the lanes of their streams.
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
        // Only now, because making and resetting outputs is user code, which may panic.
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
        // SAFETY: there are more than `number` states now.
        let state = unsafe { self.all.get_unchecked_mut(number) };
        state.output.reset();
        // Only now, because making and resetting outputs is user code, which may panic.
        self.latest.end = number + 1;
        state
    }

    /// Makes states until there are `count`.
    #[cold]
    fn make(&mut self, count: usize) {
        self.all.fill(count, |_| {
            let (output, end) = (N::Output::default(), N::Output::STREAM_END.0.map(|make| make()));
            CachePadded::new(SubtaskState {
                output,
                end,
                staged: Staged::new(),
                added: Parts::default(),
                changes: 0,
            })
        });
    }

    /// The outputs of the latest execution, in subtask order. They stay until the next execution.
    pub(crate) fn outputs(&self) -> Outputs<'_, D, N> {
        Outputs::new(&self.all[self.latest.clone()])
    }

    /// The [`outputs`](Self::outputs), to write.
    pub(crate) fn outputs_mut(
        &mut self,
    ) -> impl Iterator<Item = &mut <N as SystemName<D>>::Output> {
        self.all[self.latest.clone()].iter_mut().map(|state| &mut state.output)
    }

    /// What the subtasks of the latest execution have added to commutative resources, in subtask order.
    pub(crate) fn added_mut(&mut self) -> impl Iterator<Item = &mut Parts> {
        self.all[self.latest.clone()].iter_mut().map(|state| &mut state.added)
    }

    /// Between steps, when nothing is staged: discards the outputs of the latest execution.
    pub(crate) fn forget_outputs(&mut self) {
        self.latest = 0..0;
        self.since = NEVER;
    }

    /// Between steps, when nothing is staged: replaces the outputs by those of `from`, each by `copy`. After a
    /// panic there are no outputs.
    pub(crate) fn copy_outputs(&mut self, from: &Self, copy: impl Fn(&N::Output, &mut N::Output)) {
        self.forget_outputs();
        self.make(from.latest.end);
        for (to, from) in self.all[from.latest.clone()].iter_mut().zip(from.outputs().each()) {
            copy(from, &mut to.output);
        }
        self.latest = from.latest.clone();
    }

    /// The number of states taken since the last refresh, which is number `refreshes`.
    pub(crate) fn used(&self, refreshes: u64) -> usize {
        if self.since == refreshes { self.latest.end } else { 0 }
    }

    /// The staged work of the state with this number.
    pub(crate) fn staged_mut(&mut self, number: usize) -> &mut Staged<D> {
        &mut self.all[number].staged
    }

    /// Drops all work staged since the last refresh, which is number `refreshes`.
    pub(crate) fn discard(&mut self, refreshes: u64, panics: &PanicSlot) {
        let used = self.used(refreshes);
        for (number, state) in self.all[..used].iter_mut().enumerate() {
            state.staged.discard(panics, N::INDEX, number);
        }
    }
}

/// The entities that a system is subscribed to, and the conditions for that.
#[derive(Debug)]
pub(crate) struct Subscription {
    pub(crate) set: SparseSet,
    pub(crate) demands: Demands,
    /// Whether only entities with a subscription request are subscribed.
    pub(crate) opt_in: bool,
    /// Subscription requests for the next refresh, in the order of the calls: an entity, and whether to
    /// subscribe it or to unsubscribe it.
    pub(crate) requests: Vec<(Entity, bool)>,
    /// Whether a handler listens to changes in this step.
    pub(crate) watched: bool,
    /// If so, the rows that were added or removed since the last refresh, once per change.
    pub(crate) toggled: Vec<u32>,
}

/// The conditions on a system's entities.
#[derive(Debug)]
pub(crate) struct Demands {
    /// Components that an entity must have.
    pub(crate) required: Vec<usize>,
    /// Components that an entity must not have.
    pub(crate) excluded: Vec<usize>,
    /// Whether entities without any component match.
    pub(crate) any_entity: bool,
}

impl Subscription {
    /// The subscriptions of all systems, by index.
    pub(crate) fn of_all(systems: &[SystemSignature], components: usize) -> Box<[Self]> {
        systems.iter().map(|signature| Self::new(signature, components)).collect()
    }

    fn new(signature: &SystemSignature, components: usize) -> Self {
        let (required, excluded) = (signature.required(), signature.excluded());
        let demands = Demands {
            required: (0..components).filter(|&index| required.contains(index)).collect(),
            excluded: (0..components).filter(|&index| excluded.contains(index)).collect(),
            any_entity: signature.has_entities() && required.is_empty(),
        };
        Self {
            set: SparseSet::default(),
            demands,
            opt_in: signature.declared.opt_in,
            requests: Vec::new(),
            watched: false,
            toggled: Vec::new(),
        }
    }
}
