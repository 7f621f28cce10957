//! What systems add to commutative resources, and the events that they emit: kept by each subtask, and combined when all
//! systems are done that may add at the same time.
//!
//! The systems that read or write a resource are ordered with all that add to it. So the systems that add fall into
//! *rounds*: two systems are in the same round if the same readers and writers come before them. A reader or writer
//! comes before all systems of a round, or after all of them. Of each round, the system that is done last combines what
//! all of its systems have added with the resource. It does that before its own node is done, so all later systems find
//! the result.
//!
//! The order is that of the declaration, and for each system that of (subtask, call). So even a type whose operation does
//! not commute gives the same result on any number of threads, though not for any split.
//!
//! An event is added to its queue, in the same order; so the queue is the same for any split, too. What is said of
//! additions holds for events, and the readers of a queue are the systems with `on`. A round of *delayed* events is not
//! ordered with readers; it is combined at the end of the phase. So are changes of links, which take effect at the refresh.

use core::cell::UnsafeCell;
use core::fmt;
use core::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{AcqRel, Relaxed},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::Resources;
use crate::entity::Handles;
use crate::output::{Emitted, EventQueue};
use crate::parallel::{Failure, PanicSlot, Workers, drop_all};
use crate::relations::StagesLinks;
use crate::scheduling::scheduler::Dag;
use crate::signature::access::{TakesEvents, TakesParts};
use crate::signature::{Combines, EventSignature, HasResource, SystemSignature};
use crate::storage::PhaseCell;
use crate::types::{Erased, IndexSet, ThreadSafe};
use ecs_rules::{contains, contains_any, order};

/// What one subtask has added, emitted and linked: by the rank of the resource among those that its system adds to, followed by
/// the events that it emits and the relations that it changes.
#[derive(Default)]
pub(crate) struct Parts(Vec<Option<Part>>);

/// A value that has been added to a resource; there may be none. The memory stays when the value is taken.
struct Part {
    /// An `Option<R>` for the resource type `R`.
    value: Erased,
    functions: &'static Functions,
}

/// What can be done with an erased `Option<R>`, or `Emitted<E>`.
struct Functions {
    /// Combines the second value with the first one, and leaves nothing in its place.
    join: fn(&mut Erased, &mut Erased),
    /// Combines the value with the resource, and leaves nothing in its place.
    ///
    /// # Safety
    /// Nothing else accesses the resource meanwhile.
    apply: unsafe fn(&mut Erased, &Resources),
    /// Adds the events for the next step, and leaves none in their place. A value for a resource stays.
    apply_later: fn(&mut Erased, &mut Resources),
    /// Drops the value.
    clear: fn(&mut Erased),
}

impl Functions {
    const fn of<D: Combines<R>, R: ThreadSafe>() -> &'static Self {
        const {
            &Self {
                join: |into, from| {
                    if let Some(other) = from.get_mut::<Option<R>>().take() {
                        put::<D, R>(into.get_mut(), other);
                    }
                },
                apply: |from, resources| {
                    if let Some(other) = from.get_mut::<Option<R>>().take() {
                        // SAFETY: by the contract there is no other access to the resource.
                        D::combine(unsafe { &mut *resources.as_ptr::<D, R>() }, other);
                    }
                },
                apply_later: |_, _| (),
                clear: |value| *value.get_mut::<Option<R>>() = None,
            }
        }
    }
}

impl Functions {
    const fn of_event<D: HasResource<EventQueue<E>>, E: ThreadSafe>() -> &'static Self {
        const {
            &Self {
                join: |into, from| into.get_mut::<Emitted<E>>().append(from.get_mut()),
                apply: |from, resources| {
                    // SAFETY: by the contract there is no other access to the resource.
                    let queue = unsafe { &mut *resources.as_ptr::<D, EventQueue<E>>() };
                    queue.append(from.get_mut());
                },
                apply_later: |from, resources| {
                    resources.get_mut::<D, EventQueue<E>>().append_later(from.get_mut());
                },
                clear: |value| value.get_mut::<Emitted<E>>().clear(),
            }
        }
    }
}

impl Functions {
    const fn of_links<D: HasResource<R>, R: StagesLinks>() -> &'static Self {
        const {
            &Self {
                join: |into, from| into.get_mut::<Vec<R::Change>>().append(from.get_mut()),
                apply: |from, resources| {
                    // SAFETY: by the contract there is no other access to the resource.
                    let relation = unsafe { &mut *resources.as_ptr::<D, R>() };
                    relation.staged_mut().append(from.get_mut());
                },
                apply_later: |_, _| (),
                clear: |value| {
                    let staged = value.get_mut::<Vec<R::Change>>();
                    drop_all(|panics| panics.drop_each(0, None, staged.drain(..)));
                },
            }
        }
    }
}

impl Parts {
    /// Stages a change of a link of the relation whose resource is `R`. `rank` is the position of the relation among those that the
    /// system changes, behind what it adds to and emits.
    #[inline]
    pub(crate) fn link<D: HasResource<R>, R: StagesLinks>(&mut self, rank: usize, link: R::Change) {
        match self.0.get_mut(rank) {
            Some(Some(there)) => there.value.get_mut::<Vec<R::Change>>().push(link),
            _ => self.first_link::<D, R>(rank, link),
        }
    }

    #[cold]
    fn first_link<D: HasResource<R>, R: StagesLinks>(&mut self, rank: usize, link: R::Change) {
        let functions = Functions::of_links::<D, R>();
        self.put(rank, Part { value: Erased::new(vec![link]), functions });
    }
}

impl TakesEvents for Parts {
    #[inline]
    fn take_event<D: HasResource<EventQueue<E>>, E: ThreadSafe>(&mut self, rank: usize, event: E) {
        match self.0.get_mut(rank) {
            Some(Some(there)) => there.value.get_mut::<Emitted<E>>().push(event),
            _ => self.first_event::<D, E>(rank, event),
        }
    }
}

/// Combines the value with the one that is there, if there is one.
#[inline]
fn put<D: Combines<R>, R: ThreadSafe>(into: &mut Option<R>, other: R) {
    match into {
        Some(value) => D::combine(value, other),
        None => *into = Some(other),
    }
}

impl TakesParts for Parts {
    #[inline]
    fn take_part<D: Combines<R>, R: ThreadSafe>(&mut self, rank: usize, part: R) {
        match self.0.get_mut(rank) {
            Some(Some(there)) => put::<D, R>(there.value.get_mut(), part),
            _ => self.make::<D, R>(rank, part),
        }
    }
}

impl Parts {
    #[cold]
    fn make<D: Combines<R>, R: ThreadSafe>(&mut self, rank: usize, part: R) {
        self.put(rank, Part { value: Erased::new(Some(part)), functions: Functions::of::<D, R>() });
    }

    #[cold]
    fn first_event<D: HasResource<EventQueue<E>>, E: ThreadSafe>(&mut self, rank: usize, event: E) {
        let mut emitted = Emitted::default();
        emitted.push(event);
        let functions = Functions::of_event::<D, E>();
        self.put(rank, Part { value: Erased::new(emitted), functions });
    }

    fn put(&mut self, rank: usize, part: Part) {
        if self.0.len() <= rank {
            self.0.resize_with(rank + 1, || None);
        }
        self.0[rank] = Some(part);
    }

    /// Adds all events for the next step: at a refresh, those that were emitted for pending entities.
    pub(crate) fn apply_later(&mut self, resources: &mut Resources) {
        for part in self.0.iter_mut().flatten() {
            (part.functions.apply_later)(&mut part.value, resources);
        }
    }

    /// Drops all values. A panic of a destructor is recorded as that of the system.
    pub(crate) fn discard(&mut self, panics: &PanicSlot, system: usize) {
        self.0.iter_mut().flatten().for_each(|part| part.discard(panics, system));
    }
}

impl Part {
    fn discard(&mut self, panics: &PanicSlot, system: usize) {
        panics.catch(system, None, || (self.functions.clear)(&mut self.value));
    }
}

/// What systems have added to commutative resources and emitted, from the end of each system until it is combined. Empty
/// between phases.
pub(crate) struct Contributions {
    /// Sorted by system, and for each system by rank.
    lines: Box<[Line]>,
    rounds: Box<[Round]>,
    readers: Box<[Reader]>,
}

/// A system that reads an event.
struct Reader {
    system: usize,
    /// The resource that is the event's queue.
    event: usize,
    /// Whether the system has run in this phase.
    has_run: AtomicBool,
    /// If the event has an index or is addressed: that of what the system has not read when it is executed.
    index: PhaseCell<Option<Erased>>,
}

/// What one system has added to one resource.
struct Line {
    system: usize,
    round: usize,
    part: UnsafeCell<Option<Part>>,
}

// SAFETY: the cell is accessed by one thread at a time; `Contributions::contribute` shows that. What is in it is `Send`:
// an erased value that is, and references to functions.
unsafe impl Sync for Line {}

/// Systems that may add to one resource at the same time.
struct Round {
    /// The lines of the round, in the order of their systems.
    lines: Box<[usize]>,
    /// The number of these that are not complete yet in this phase; one more if the round is delayed.
    left: AtomicUsize,
    /// Whether it is combined at the end of the phase only.
    delayed: bool,
}

impl Contributions {
    /// Those of a table without cycles.
    pub(crate) fn of(systems: &[SystemSignature], events: &[EventSignature]) -> Self {
        // By system and rank: the resource, whether it is a delayed event, and else the readers and writers of it that come
        // before.
        let mut adds: Vec<(usize, (usize, Option<IndexSet>))> = Vec::new();
        if systems.iter().any(|system| system.declared.contributes()) {
            let before: Vec<Vec<usize>> =
                systems.iter().map(|system| order::declared(&system.declared).concat()).collect();
            let dag = Dag::new(&before).expect("`check` admits no cycle");
            for (system, signature) in systems.iter().enumerate() {
                // What an idle query declares, it does not do.
                let idle = signature.is_idle();
                let declared = &signature.declared;
                let added = declared.add.iter().map(|&resource| (resource, false));
                let emitted = declared.emit.iter();
                let emitted = emitted.map(|&event| (event, contains(declared.delayed, event)));
                // Links are read meanwhile, and change when the phase is over.
                let linked = declared.link.iter().map(|&relation| (relation, true));
                for (resource, delayed) in added.chain(emitted).chain(linked).filter(|_| !idle) {
                    // Idle ones are ordered with nothing, so they do not part rounds.
                    let accesses = |other: &usize| {
                        let other = &systems[*other].declared;
                        let lists = [other.read_resources, other.write_resources, other.on];
                        !other.is_idle() && contains_any(&lists, resource)
                    };
                    let earlier = |other: &usize| dag.has_path(*other, system);
                    let all = (0..systems.len()).filter(accesses).filter(earlier);
                    let all = (!delayed).then(|| IndexSet::of(&all.collect::<Vec<_>>()));
                    adds.push((system, (resource, all)));
                }
            }
        }
        let mut keys: Vec<(usize, Option<IndexSet>)> = Vec::new();
        let mut rounds: Vec<Vec<usize>> = Vec::new();
        let lines = adds.into_iter().enumerate().map(|(line, (system, key))| {
            let round = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                rounds.push(Vec::new());
                rounds.len() - 1
            });
            rounds[round].push(line);
            Line { system, round, part: UnsafeCell::new(None) }
        });
        let lines = lines.collect();
        let round = |(lines, (_, earlier)): (Vec<usize>, (_, Option<IndexSet>))| Round {
            lines: lines.into(),
            left: AtomicUsize::new(0),
            delayed: earlier.is_none(),
        };
        let rounds = rounds.into_iter().zip(keys).map(round).collect();
        let active = systems.iter().enumerate().filter(|(_, system)| !system.is_idle());
        let readers = active.flat_map(|(system, signature)| {
            signature.declared.on.iter().map(move |&event| {
                let signature = events.iter().find(|signature| signature.resource == event);
                let indexing = signature.and_then(|signature| signature.indexing);
                Reader {
                    system,
                    event,
                    has_run: AtomicBool::new(false),
                    index: PhaseCell::new(indexing.map(|indexing| (indexing.new)())),
                }
            })
        });
        Self { lines, rounds, readers: readers.collect() }
    }

    /// Begins a phase, in which the systems run that `runs` accepts.
    pub(crate) fn begin_phase(&mut self, runs: impl Fn(usize) -> bool) {
        let Self { lines, rounds, .. } = self;
        for round in rounds {
            let running = round.lines.iter().filter(|&&line| runs(lines[line].system));
            *round.left.get_mut() = running.count() + usize::from(round.delayed);
        }
    }

    /// Takes over what the subtasks of the system have added. If the system is the last one of a round, combines what all
    /// of these have added with the resource.
    ///
    /// # Safety
    /// The caller executes the system, in a phase that was [begun](Self::begin_phase) with this system among those that
    /// run, and calls this once in that phase. The tables of the systems are valid.
    ///
    /// # Panics
    /// If combining does. The phase must then be [discarded](Self::discard).
    pub(crate) unsafe fn contribute<'a>(
        &self,
        system: usize,
        subtasks: impl Iterator<Item = &'a mut Parts>,
        resources: &Resources,
    ) {
        let first = self.lines.partition_point(|line| line.system < system);
        let end = self.lines.partition_point(|line| line.system <= system);
        let own = &self.lines[first..end];
        for Parts(parts) in subtasks {
            for (part, line) in parts.iter_mut().zip(own) {
                // SAFETY: the line is that of the system which the caller executes. Other systems access it only after
                // the counter of its round has been decremented for it, below.
                let there = unsafe { &mut *line.part.get() };
                match (there, part) {
                    (Some(there), Some(part)) => {
                        (there.functions.join)(&mut there.value, &mut part.value);
                    }
                    // The line takes the memory, too. That happens once.
                    (there @ None, part) => *there = part.take(),
                    (Some(_), None) => {}
                }
            }
        }
        for line in own {
            let round = &self.rounds[line.round];
            // AcqRel: the last one sees the lines of the others. Each system that runs in the phase and is in the round
            // decrements once for each of its lines, so the count is that of the lines that are not complete.
            if round.left.fetch_sub(1, AcqRel) == 1 {
                // SAFETY: each system of the round that runs in this phase has decremented the counter, so it does not
                // access its line any more; the others do not run. The caller executes a system that adds to the
                // resource, so the table orders all that read or write it before or after that system. Systems of other
                // rounds have such a reader or writer between them and this one, so they are ordered with it, too, and
                // each round is combined by one of its systems. Of this round, only this thread has seen the last
                // decrement. A round of delayed events, which other systems read meanwhile, does not come here.
                unsafe { self.combine(round, resources) };
            }
        }
    }

    /// Combines what the systems of the round have added with the resource. After a panic the rest is dropped, as a
    /// scheduler may keep the panic to itself.
    ///
    /// # Safety
    /// Nothing else accesses the lines of the round or the resource meanwhile.
    unsafe fn combine(&self, round: &Round, resources: &Resources) {
        let mut lines = round.lines.iter().map(|&line| &self.lines[line]);
        let all = || {
            for line in lines.by_ref() {
                // SAFETY: by the contract.
                if let Some(part) = unsafe { &mut *line.part.get() } {
                    // SAFETY: by the contract.
                    unsafe { (part.functions.apply)(&mut part.value, resources) };
                }
            }
        };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(all)) {
            let panics = PanicSlot::new();
            for line in lines {
                // SAFETY: by the contract.
                if let Some(part) = unsafe { &mut *line.part.get() } {
                    part.discard(&panics, line.system);
                }
            }
            resume_unwind(payload);
        }
    }

    /// Ends a phase: combines what is left: delayed events, and all where a scheduler has left out systems.
    ///
    /// # Errors
    /// The panic of an operation, as that of the first system of its round. The phase must then be
    /// [discarded](Self::discard).
    pub(crate) fn end_phase(&mut self, resources: &mut Resources) -> Result<(), Failure> {
        for round in &self.rounds {
            if round.left.load(Relaxed) > 0 {
                let panics = PanicSlot::new();
                panics.catch(self.lines[round.lines[0]].system, None, || {
                    // SAFETY: `self` and the resources are borrowed exclusively.
                    unsafe { self.combine(round, resources) };
                });
                panics.take().map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    }

    /// Notes that the system has run, and so has read its events.
    pub(crate) fn note_reader(&self, system: usize) {
        for reader in self.readers.iter().filter(|reader| reader.system == system) {
            // Relaxed: the phase ends after this.
            reader.has_run.store(true, Relaxed);
        }
    }

    /// Records what the systems have read that have run in the phase. All that emit for them have run before them.
    pub(crate) fn mark_read(&mut self, events: &[EventSignature], resources: &mut Resources) {
        for reader in &mut self.readers {
            let event = events.iter().find(|event| event.resource == reader.event);
            if core::mem::take(reader.has_run.get_mut())
                && let Some(event) = event
            {
                (event.mark_read)(resources.value_mut(reader.event), reader.system);
            }
        }
    }

    /// Prepares the events that the system has not read, on all threads of `workers`: sorts those that are addressed by
    /// receiver, and makes the index of those that have one. O(events + rows).
    ///
    /// # Safety
    /// The caller executes the system, and runs no subtask of it meanwhile. The tables of the systems are valid.
    pub(crate) unsafe fn deliver(
        &self,
        system: usize,
        events: &[EventSignature],
        resources: &Resources,
        handles: Handles<'_>,
        workers: &Workers,
    ) {
        for reader in self.readers.iter().filter(|reader| reader.system == system) {
            let event = events.iter().find(|event| event.resource == reader.event);
            let Some(indexing) = event.and_then(|event| event.indexing) else { continue };
            // SAFETY: only subtasks of the system read the index, and none runs.
            if let Some(index) = unsafe { reader.index.lend() } {
                let queue = resources.value(reader.event);
                // SAFETY: the system reads the queue, so the table orders all systems that write it before or after this
                // one. Delayed events reach the queue between steps.
                unsafe { (indexing.make)(index, queue, system, handles, workers) };
            }
        }
    }

    /// The index that the last [`deliver`](Self::deliver) for the system has made, of one of its events.
    pub(crate) fn index_of(&self, system: usize, event: usize) -> Option<&Erased> {
        let mut readers = self.readers.iter();
        let is = |reader: &&Reader| reader.system == system && reader.event == event;
        readers.find(is).and_then(|reader| reader.index.as_ref())
    }

    /// Drops everything, after a panic.
    pub(crate) fn discard(&mut self, panics: &PanicSlot) {
        for line in &mut self.lines {
            let system = line.system;
            if let Some(part) = line.part.get_mut() {
                part.discard(panics, system);
            }
        }
    }
}

impl fmt::Debug for Contributions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contributions({} rounds)", self.rounds.len())
    }
}
