//! System instances: a system's state, its subscription, and the states of its subtasks
//! (thesis, 9.3.1).

use core::ops::Range;

use crossbeam::utils::CachePadded;

use super::opaque_debug;
use crate::changes::{Batches, Catch};
use crate::entity::{DespawnMarks, Entity};
use crate::output::stream::{AnyEnd, SharedLane};
use crate::output::{AnyOutput, OutputType};
use crate::parallel::{DropEach, PanicSlot};
use crate::rows::SparseSet;
use crate::signature::{Declaration, SystemName, SystemSignature, systems_of};
use crate::state::snapshot::clones::CopyOutput;
use crate::state::{DeferredQueue, Parts, PendingWork};
use crate::storage::PhaseCell;
use crate::types::Erased;

/// The data that a world holds for one system, except its subscription. The types that only this system has are erased,
/// so that what handles the states of subtasks is compiled once, not for each system; [`Core`](super::Core) gives typed
/// access.
pub(crate) struct Instance<D: Declaration> {
    /// The system's state: the `System` of its [`SystemName`].
    system: Erased,
    pub(crate) states: States<D>,
}

/// The states of a system's subtasks.
///
/// A step may execute a system several times, and an execution may fork several times. Each takes further
/// states, so that staged work merges in the order of the calls. The refresh releases all states.
pub(crate) struct States<D: Declaration> {
    all: DropEach<CachePadded<SubtaskState<D>>>,
    /// The lanes of the states taken last, if the output is a stream.
    lanes: Vec<SharedLane>,
    /// The states of the latest execution, which hold its outputs. The states after them are free.
    latest: Range<usize>,
    /// The number of refreshes at the latest execution. All states are free after the next refresh.
    since: u64,
    /// The system's index.
    system: usize,
    /// How the output of a subtask is made, and of what type it is.
    output: &'static OutputType,
}

/// No execution since any refresh.
const NEVER: u64 = u64::MAX;

/// The state of one subtask (thesis, 9.3.1.1).
pub(crate) struct SubtaskState<D: Declaration> {
    /// The output: the `Output` of the system's [`SystemName`].
    pub(crate) output: Box<dyn AnyOutput>,
    pub(crate) work: SubtaskWork<D>,
}

/// What a subtask stages, sends and adds.
pub(crate) struct SubtaskWork<D: Declaration> {
    /// The sending end, if the output is a stream.
    pub(crate) end: Option<Box<dyn AnyEnd>>,
    pub(crate) staged: Staged<D>,
    /// What the subtask has added to commutative resources.
    pub(crate) added: Parts,
    /// The number of changes of component presence by a sequential system. Matches are rechecked after each
    /// change (`proxy/sequential/recheck.rs`), so every change must count.
    pub(crate) changes: u64,
    /// Where its entities begin and end, if a strategy says where to cut; or its events, if it shares them with other subtasks. The
    /// last subtask has no end.
    pub(crate) bounds: (usize, Option<usize>),
    /// The entities, if the system goes along a relation.
    pub(crate) along: Along,
}

/// Some of the entities of a system that goes along a relation: all of several levels, or some blocks of one.
///
/// Two that exist at the same time for subtasks that run side by side are of one level and have no common block. Only
/// `proxy/step/levels.rs` makes others than empty ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Along {
    pub(crate) levels: Range<usize>,
    /// Of the only level: for roots, blocks of rows; for others, positions in the level's set.
    pub(crate) blocks: Option<Range<usize>>,
    /// Whether each parent in the relation is an entity of the system.
    pub(crate) has_parents: bool,
}

/// Work of a subtask that is staged until the refresh.
pub(crate) struct Staged<D: Declaration> {
    /// Spawn batches and component changes.
    pub(crate) batches: Batches,
    pub(crate) deferred: DeferredQueue<D>,
    /// What is staged for entities that are spawned by the same refresh.
    pub(crate) pending: PendingWork<D>,
    /// Entities marked for despawning.
    pub(crate) to_despawn: DespawnMarks,
    /// Requests to change states: for each state at most one, with the variant.
    pub(crate) states: Vec<(usize, usize)>,
}

impl<D: Declaration> Staged<D> {
    pub(crate) fn new() -> Self {
        Self {
            batches: Batches::default(),
            deferred: DeferredQueue::new(),
            pending: PendingWork::new(),
            to_despawn: DespawnMarks::default(),
            states: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let is_empty = self.batches.is_empty() && self.deferred.is_empty();
        is_empty && self.pending.is_empty() && self.to_despawn.is_empty() && self.states.is_empty()
    }

    /// Requests the variant of the state, in place of an earlier request.
    pub(crate) fn request_state(&mut self, state: usize, variant: usize) {
        match self.states.iter_mut().find(|request| request.0 == state) {
            Some(request) => request.1 = variant,
            None => self.states.push((state, variant)),
        }
    }

    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        self.batches.discard(&Catch { panics, owner: (system, subtask) });
        self.deferred.discard(panics, system, subtask);
        self.pending.discard(panics, system, subtask);
        self.to_despawn.clear();
        self.states.clear();
    }
}

impl<D: Declaration> SubtaskState<D> {
    /// The output of a subtask of `N`.
    ///
    /// # Safety
    /// The state must be that of a subtask of `N`.
    #[inline]
    pub(crate) unsafe fn output<N: SystemName<D>>(&self) -> &N::Output {
        // SAFETY: `OutputType` of `N::Output` has made it, as the state is that of a subtask of `N`.
        unsafe { self.output.as_output() }
    }

    /// The output of a subtask of `N`, to write, and its work.
    ///
    /// # Safety
    /// The state must be that of a subtask of `N`.
    #[inline]
    pub(crate) unsafe fn parts<N: SystemName<D>>(
        &mut self,
    ) -> (&mut N::Output, &mut SubtaskWork<D>) {
        // SAFETY: as in `output`.
        (unsafe { self.output.as_output_mut() }, &mut self.work)
    }
}

impl<D: Declaration> SubtaskWork<D> {
    /// Drops what is staged and added, after a panic in the system.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize, subtask: usize) {
        self.staged.discard(panics, system, subtask);
        self.added.discard(panics, system);
    }
}

impl<D: Declaration> Instance<D> {
    /// The instance of the system `N`, in its initial state and without outputs.
    pub(crate) fn initial<N: SystemName<D>>() -> Self {
        Self::with(Erased::new(N::initial()), N::INDEX, const { &OutputType::of::<N::Output>() })
    }

    /// An instance of the same system, with the given state and without outputs.
    pub(crate) fn like(&self, system: Erased) -> Self {
        Self::with(system, self.states.system, self.states.output)
    }

    fn with(state: Erased, system: usize, output: &'static OutputType) -> Self {
        let (all, lanes) = (DropEach::new(), Vec::new());
        let states = States { all, lanes, latest: 0..0, since: NEVER, system, output };
        Self { system: state, states }
    }

    /// The system's state.
    pub(crate) fn system(&self) -> &Erased {
        &self.system
    }

    /// The system's state and the states of its subtasks, to write.
    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut Erased, &mut States<D>) {
        (&mut self.system, &mut self.states)
    }
}

impl<D: Declaration> States<D> {
    /// Begins an execution, after this number of refreshes. It has no outputs yet.
    #[inline]
    pub(crate) fn begin_execution<N: SystemName<D>>(&mut self, refreshes: u64) {
        if const { !D::SYSTEMS[N::INDEX].stages_work() } {
            // Only the outputs of the last execution remain, and they are discarded.
            debug_assert!(self.latest.start == 0);
            self.latest.end = 0;
            return;
        }
        let used = self.used(refreshes);
        self.since = refreshes;
        self.latest = used..used;
    }

    /// The system is skipped, after this number of refreshes: it has no outputs. `stages` says whether it may leave work for the
    /// refresh, which then stays.
    pub(crate) fn skip(&mut self, stages: bool, refreshes: u64) {
        let used = if stages { self.used(refreshes) } else { 0 };
        self.latest = used..used;
        if stages {
            self.since = refreshes;
        }
    }

    /// Whether the outputs are streams.
    #[inline]
    pub(crate) fn streams(&self) -> bool {
        self.output.streams
    }

    /// Takes `count` further states, with reset outputs, and the lanes of their streams.
    pub(crate) fn take(
        &mut self,
        count: usize,
    ) -> (&mut [CachePadded<SubtaskState<D>>], &[SharedLane]) {
        let states = self.latest.end..self.latest.end + count;
        if self.all.len() < states.end {
            self.make(states.end);
        }
        for state in &mut self.all[states.clone()] {
            if !self.output.is_nothing {
                state.output.reset();
            }
            if let Some(end) = &mut state.work.end {
                end.reset();
            }
        }
        // Only now, because making and resetting outputs is user code, which may panic.
        self.latest.end = states.end;
        if self.streams() {
            let ends = self.all[states.clone()].iter().filter_map(|state| state.work.end.as_ref());
            self.lanes.clear();
            self.lanes.extend(ends.map(|end| end.lane()));
        }
        (&mut self.all[states], &self.lanes)
    }

    /// Takes one further state, of a system that does not stream. `reset` says whether the output is reset.
    #[inline]
    pub(crate) fn take_one(&mut self, reset: bool) -> &mut SubtaskState<D> {
        let number = self.latest.end;
        if self.all.len() <= number {
            return self.make_one(reset);
        }
        // SAFETY: there are more than `number` states.
        let state = unsafe { self.all.get_unchecked_mut(number) };
        if reset {
            state.output.reset();
        }
        // Only now, because making and resetting outputs is user code, which may panic.
        self.latest.end = number + 1;
        state
    }

    /// The same where there is no further state yet. As this is called last, a function that does not use the state has
    /// no registers to save.
    #[cold]
    fn make_one(&mut self, reset: bool) -> &mut SubtaskState<D> {
        self.make(self.latest.end + 1);
        self.take_one(reset)
    }

    /// Makes states until there are `count`.
    #[cold]
    fn make(&mut self, count: usize) {
        let output = self.output;
        self.all.fill(count, |_| {
            let (output, end) = (output.make)();
            let (staged, added) = (Staged::new(), Parts::default());
            CachePadded::new(SubtaskState {
                output,
                work: SubtaskWork {
                    end,
                    staged,
                    added,
                    changes: 0,
                    bounds: (0, None),
                    along: Along::default(),
                },
            })
        });
    }

    /// The states of the latest execution, in subtask order. Their outputs stay until the next execution.
    pub(crate) fn latest(&self) -> &[CachePadded<SubtaskState<D>>] {
        &self.all[self.latest.clone()]
    }

    /// The same, to write.
    pub(crate) fn latest_mut(&mut self) -> &mut [CachePadded<SubtaskState<D>>] {
        &mut self.all[self.latest.clone()]
    }

    /// Between steps, when nothing is staged: discards the outputs of the latest execution.
    pub(crate) fn forget_outputs(&mut self) {
        self.latest = 0..0;
        self.since = NEVER;
    }

    /// Between steps, when nothing is staged: replaces the outputs by those of `from`, each by `copy`. After a
    /// panic there are no outputs.
    ///
    /// # Safety
    /// Both must be the states of the system whose outputs `copy` copies.
    pub(crate) unsafe fn copy_outputs(&mut self, from: &Self, copy: CopyOutput) {
        self.forget_outputs();
        self.make(from.latest.end);
        for (to, from) in self.all[from.latest.clone()].iter_mut().zip(from.latest()) {
            // SAFETY: by the contract.
            unsafe { copy(&*from.output, &mut *to.output) };
        }
        self.latest = from.latest.clone();
    }

    /// The number of states taken since the last refresh, which is number `refreshes`.
    pub(crate) fn used(&self, refreshes: u64) -> usize {
        if self.since == refreshes { self.latest.end } else { 0 }
    }

    /// The staged work of the state with this number.
    pub(crate) fn staged_mut(&mut self, number: usize) -> &mut Staged<D> {
        &mut self.all[number].work.staged
    }

    /// The work of the state with this number.
    pub(crate) fn work_mut(&mut self, number: usize) -> &mut SubtaskWork<D> {
        &mut self.all[number].work
    }

    /// Drops all work staged since the last refresh, which is number `refreshes`.
    pub(crate) fn discard(&mut self, refreshes: u64, panics: &PanicSlot) {
        let used = self.used(refreshes);
        for (number, state) in self.all[..used].iter_mut().enumerate() {
            state.work.staged.discard(panics, self.system, number);
        }
    }
}

opaque_debug! { [D: Declaration] Instance<D>: |this| system = systems_of::<D>()[this.states.system].name }

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
    pub(crate) fn of_all(systems: &[SystemSignature], components: usize) -> Box<[PhaseCell<Self>]> {
        let new = |signature| PhaseCell::new(Self::new(signature, components));
        systems.iter().map(new).collect()
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
