//! The events of one type: those that were emitted and are still there, in order.

mod by_row;
#[cfg(feature = "serde")]
mod bytes;

use core::iter::FusedIterator;
use core::ops::Range;
use core::slice;
use std::collections::VecDeque;

use crate::parallel::{PanicSlot, drop_all};
use crate::types::{StateHash, StateHasher};

pub(crate) use by_row::ByRow;

/// Where an event lies: the part of its queue, and the position in it.
pub(crate) type EventPlace = (u32, u32);

/// The events of the type `T` that a world keeps: what `event T;` in a declaration stands for.
///
/// It is a resource of the world. Systems emit by [`Effects::emit`](crate::Effects::emit) and read by
/// [`Effects::events`](crate::Effects::events); a program does by [`World::emit`](crate::World::emit) and
/// [`World::events`](crate::World::events). Events have one order, that in which they were emitted: by phase, system, subtask
/// and call. It does not depend on threads, nor on how systems are split.
///
/// The first execution of systems in a step begins by dropping the events of earlier steps, except those of as many steps
/// as `keep(n)` says, and by adding what was emitted before it or is `delayed`. A step without systems leaves the events
/// alone. Memory is reused.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Ball { height: i32, speed: i32 }
/// struct Bounce(i32);
///
/// world! {
///     world Room;
///     component Ball;
///     event Bounce;
///     system Fall {
///         emit: [Bounce],
///         each: |ball: &mut Ball, effects| {
///             ball.height += ball.speed;
///             if ball.height < 0 {
///                 ball.speed = -ball.speed;
///                 effects.emit(Bounce(ball.speed));
///             }
///         },
///     }
/// }
///
/// let mut world = World::<Room>::new();
/// world.spawn((Ball { height: 3, speed: -4 },));
/// world.tick()?;
/// assert_eq!(world.events::<Bounce>().map(|bounce| bounce.0).collect::<Vec<_>>(), [4]);
/// world.tick()?;
/// assert_eq!(world.events::<Bounce>().len(), 0);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug)]
pub struct EventQueue<T> {
    /// The events, in order. No part is empty.
    parts: Vec<Vec<T>>,
    /// For each part the number of its first event.
    starts: Vec<u64>,
    /// What is added at the beginning of the next step, in order. No part is empty.
    later: Vec<Vec<T>>,
    /// Empty parts, for their memory.
    spare: Vec<Vec<T>>,
    /// The number of events that were dropped: the number of the first one that is there.
    first: u64,
    /// The number of the event after the last one.
    end: u64,
    /// For each of the last steps the number of its first event. The current step is the last one.
    steps: VecDeque<u64>,
    /// How many steps after its own an event is kept.
    keep: usize,
    /// Whether what systems emit is for the next step.
    delayed: bool,
    /// For each system that has read the events the number of the first one that it has not, by system.
    readers: Vec<(usize, u64)>,
}

impl<T> EventQueue<T> {
    /// No events. Each is kept for `keep` steps after its own; what systems emit is read in the next step if it is
    /// `delayed`.
    #[must_use]
    pub fn new(keep: usize, delayed: bool) -> Self {
        Self {
            parts: Vec::new(),
            starts: Vec::new(),
            later: Vec::new(),
            spare: Vec::new(),
            first: 0,
            end: 0,
            steps: VecDeque::new(),
            keep,
            delayed,
            readers: Vec::new(),
        }
    }

    /// All events that are there, in order. O(1).
    #[must_use]
    pub fn iter(&self) -> EventIter<'_, T> {
        EventIter { parts: self.parts.iter(), left: self.len(), ..EventIter::default() }
    }

    /// The number of events that are there. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        (self.end - self.first) as usize
    }

    /// Whether there are none. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// The events that the system has not read. O(log parts).
    pub(crate) fn unread(&self, system: usize) -> EventIter<'_, T> {
        self.unread_between(system, 0, None)
    }

    /// The number of the first event that the system has not read.
    fn first_unread(&self, system: usize) -> u64 {
        match self.readers.binary_search_by_key(&system, |reader| reader.0) {
            Ok(at) => self.readers[at].1.max(self.first),
            Err(_) => self.first,
        }
    }

    /// Those of the events that the system has not read that come from this position among them on, and before the other one.
    /// O(log parts).
    pub(crate) fn unread_between(
        &self,
        system: usize,
        from: usize,
        to: Option<usize>,
    ) -> EventIter<'_, T> {
        let first = self.first_unread(system);
        let start = first + from as u64;
        let end = to.map_or(self.end, |to| self.end.min(first + to as u64));
        if start >= end {
            return EventIter::default();
        }
        // The parts with the first and the last event.
        let part_of = |number| self.starts.partition_point(|start| *start <= number) - 1;
        let (one, other) = (part_of(start), part_of(end - 1));
        let [skip, until] = [(one, start), (other, end)]
            .map(|(part, number)| (number - self.starts[part]) as usize);
        let (current, parts, last) = if one == other {
            (&self.parts[one][skip..until], &[][..], &[][..])
        } else {
            (&self.parts[one][skip..], &self.parts[one + 1..other], &self.parts[other][..until])
        };
        let left = (end - start) as usize;
        EventIter { current: current.iter(), parts: parts.iter(), last: last.iter(), left }
    }

    /// Those of the events that the system has not read whose positions among them are in the range: as they lie in memory, with
    /// the place of the first one of each piece. O(log parts), and O(1) for each piece.
    pub(crate) fn unread_pieces(
        &self,
        system: usize,
        positions: Range<usize>,
    ) -> impl Iterator<Item = (EventPlace, &[T])> {
        let start = self.first_unread(system) + positions.start as u64;
        let part = self.starts.partition_point(|first| *first <= start).saturating_sub(1);
        let mut skip = self.starts.get(part).map_or(0, |first| (start - first) as usize);
        let mut left = positions.len();
        (part..self.parts.len()).map_while(move |number| {
            let part = &self.parts[number];
            let first = core::mem::take(&mut skip).min(part.len());
            let piece = &part[first..][..left.min(part.len() - first)];
            left -= piece.len();
            (!piece.is_empty()).then_some(((number as u32, first as u32), piece))
        })
    }

    /// The event at a place, if there is one.
    #[inline]
    pub(crate) fn at(&self, (part, position): EventPlace) -> Option<&T> {
        self.parts.get(part as usize)?.get(position as usize)
    }

    /// The system has read all events.
    pub(crate) fn mark_read(&mut self, system: usize) {
        match self.readers.binary_search_by_key(&system, |reader| reader.0) {
            Ok(at) => self.readers[at].1 = self.end,
            Err(at) => self.readers.insert(at, (system, self.end)),
        }
    }

    /// Adds an event that can be read at once. Amortized O(1).
    pub(crate) fn push(&mut self, event: T) {
        if self.parts.is_empty() {
            self.starts.push(self.end);
        }
        self.end += 1;
        Self::push_to(&mut self.parts, &mut self.spare, event);
    }

    /// Adds an event at the beginning of the next step. Amortized O(1).
    pub(crate) fn push_later(&mut self, event: T) {
        Self::push_to(&mut self.later, &mut self.spare, event);
    }

    fn push_to(parts: &mut Vec<Vec<T>>, spare: &mut Vec<Vec<T>>, event: T) {
        if parts.is_empty() {
            parts.push(spare.pop().unwrap_or_default());
        }
        parts.last_mut().expect("there is a part").push(event);
    }

    /// Adds what systems have emitted, and gives empty parts in exchange.
    pub(crate) fn append(&mut self, emitted: &mut Emitted<T>) {
        emitted.close();
        for part in emitted.full.drain(..) {
            if self.delayed {
                self.later.push(part);
            } else {
                self.starts.push(self.end);
                self.end += part.len() as u64;
                self.parts.push(part);
            }
            emitted.spare.extend(self.spare.pop());
        }
    }

    /// Adds, at the beginning of the next step, what systems have emitted, and gives empty parts in exchange.
    pub(crate) fn append_later(&mut self, emitted: &mut Emitted<T>) {
        emitted.close();
        for part in emitted.full.drain(..) {
            self.later.push(part);
            emitted.spare.extend(self.spare.pop());
        }
    }

    /// Begins a step: drops events that are not kept any longer, and adds those for this step. Panics of destructors go
    /// into `panics`.
    pub(crate) fn begin_step(&mut self, panics: &PanicSlot) {
        self.steps.push_back(self.end);
        if self.steps.len() > self.keep {
            let kept = self.steps.pop_front().expect("a step was added");
            self.drop_before(kept, panics);
        }
        for part in &self.later {
            self.starts.push(self.end);
            self.end += part.len() as u64;
        }
        self.parts.append(&mut self.later);
    }

    /// Drops the events before this number.
    fn drop_before(&mut self, number: u64, panics: &PanicSlot) {
        let mut old = 0;
        while self.first < number
            && let Some(part) = self.parts.get_mut(old)
        {
            let count = ((number - self.first) as usize).min(part.len());
            self.first += count as u64;
            drop_first(part, count, panics);
            if !part.is_empty() {
                self.starts[old] = self.first;
                break;
            }
            old += 1;
        }
        self.starts.drain(..old);
        self.spare.extend(self.parts.drain(..old));
    }
}

/// Drops the first events of a part, one by one, and moves the others to its beginning.
fn drop_first<T>(part: &mut Vec<T>, count: usize, panics: &PanicSlot) {
    let first = part.drain(..count);
    if const { core::mem::needs_drop::<T>() } {
        panics.drop_each(0, None, first);
    }
}

impl<T> Drop for EventQueue<T> {
    fn drop(&mut self) {
        drop_all(|panics| {
            let parts = self.parts.iter_mut().chain(&mut self.later);
            parts.for_each(|part| drop_first(part, part.len(), panics));
        });
    }
}

impl<'a, T> IntoIterator for &'a EventQueue<T> {
    type Item = &'a T;
    type IntoIter = EventIter<'a, T>;

    fn into_iter(self) -> EventIter<'a, T> {
        self.iter()
    }
}

impl<T: Clone> Clone for EventQueue<T> {
    fn clone(&self) -> Self {
        Self {
            parts: self.parts.clone(),
            starts: self.starts.clone(),
            later: self.later.clone(),
            spare: Vec::new(),
            first: self.first,
            end: self.end,
            steps: self.steps.clone(),
            keep: self.keep,
            delayed: self.delayed,
            readers: self.readers.clone(),
        }
    }
}

impl<T: StateHash> StateHash for EventQueue<T> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        // The events, not their parts: these depend on how systems were split.
        for events in [self.iter(), EventIter::of_all(&self.later)] {
            (events.len() as u64).state_hash(hasher);
            events.for_each(|event| event.state_hash(hasher));
        }
        self.end.state_hash(hasher);
        self.steps.iter().for_each(|step| step.state_hash(hasher));
        for &(system, read) in &self.readers {
            (system as u64, read).state_hash(hasher);
        }
    }
}

/// Events, in order.
///
/// ```
/// # use ecs_core::{EventIter, World, world};
/// struct Rang(u32);
///
/// world! {
///     world House;
///     event Rang;
///     system Ring { emit: [Rang], run: |data| data.effects.emit(Rang(7)) }
/// }
///
/// let mut world = World::<House>::new();
/// world.tick()?;
/// let rang: EventIter<'_, Rang> = world.events();
/// assert_eq!((rang.len(), rang.last().map(|rang| rang.0)), (1, Some(7)));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug)]
pub struct EventIter<'a, T> {
    current: slice::Iter<'a, T>,
    /// The parts that follow.
    parts: slice::Iter<'a, Vec<T>>,
    /// The first events of the part after these.
    last: slice::Iter<'a, T>,
    /// The number of all.
    left: usize,
}

impl<'a, T> EventIter<'a, T> {
    fn of_all(parts: &'a [Vec<T>]) -> Self {
        let left = parts.iter().map(Vec::len).sum();
        Self { parts: parts.iter(), left, ..Self::default() }
    }
}

/// No events.
impl<T> Default for EventIter<'_, T> {
    fn default() -> Self {
        let (parts, none) = (slice::Iter::default(), slice::Iter::default());
        Self { current: none.clone(), parts, last: none, left: 0 }
    }
}

impl<T> Clone for EventIter<'_, T> {
    fn clone(&self) -> Self {
        let Self { current, parts, last, left } = self;
        Self { current: current.clone(), parts: parts.clone(), last: last.clone(), left: *left }
    }
}

impl<'a, T> Iterator for EventIter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        loop {
            if let Some(event) = self.current.next() {
                self.left -= 1;
                return Some(event);
            }
            self.current = match self.parts.next() {
                Some(part) => part.iter(),
                None if self.last.as_slice().is_empty() => return None,
                None => core::mem::take(&mut self.last),
            };
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn fold<B, F: FnMut(B, &'a T) -> B>(self, init: B, mut f: F) -> B {
        let first = self.current.fold(init, &mut f);
        let parts = self.parts.fold(first, |all, part| part.iter().fold(all, &mut f));
        self.last.fold(parts, f)
    }
}

impl<T> ExactSizeIterator for EventIter<'_, T> {}

impl<T> FusedIterator for EventIter<'_, T> {}

/// What a subtask has emitted of one event, or what a whole system has. Two of them share no cache line, as two threads write to
/// them.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Emitted<T> {
    /// The last events.
    open: Vec<T>,
    /// Those before, in order. No part is empty.
    full: Vec<Vec<T>>,
    /// Empty parts, for their memory.
    spare: Vec<Vec<T>>,
}

impl<T> Default for Emitted<T> {
    fn default() -> Self {
        Self { open: Vec::new(), full: Vec::new(), spare: Vec::new() }
    }
}

impl<T> Emitted<T> {
    #[inline]
    pub(crate) fn push(&mut self, event: T) {
        self.open.push(event);
    }

    /// Adds what another subtask has emitted, and gives an empty part in exchange.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.close();
        self.full.append(&mut other.full);
        if !other.open.is_empty() {
            let empty = self.spare.pop().unwrap_or_default();
            self.full.push(core::mem::replace(&mut other.open, empty));
        }
    }

    /// Moves the last events to the parts.
    fn close(&mut self) {
        if !self.open.is_empty() {
            let empty = self.spare.pop().unwrap_or_default();
            self.full.push(core::mem::replace(&mut self.open, empty));
        }
    }

    /// Drops all events.
    ///
    /// # Panics
    /// With the first panic of a destructor, after all drops.
    pub(crate) fn clear(&mut self) {
        drop_all(|panics| {
            for part in self.full.iter_mut().chain([&mut self.open]) {
                drop_first(part, part.len(), panics);
            }
        });
        self.spare.append(&mut self.full);
    }
}

impl<T> Drop for Emitted<T> {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hash<T: StateHash>(queue: &EventQueue<T>) -> u64 {
        let mut hasher = StateHasher::new();
        queue.state_hash(&mut hasher);
        hasher.finish()
    }

    /// What can be done with a queue.
    #[derive(Clone, Debug)]
    enum Action {
        Step,
        Push(u8),
        Later(u8),
        Emit(Vec<u8>),
        Read(usize),
        Clone,
    }

    fn action() -> impl Strategy<Value = Action> {
        prop_oneof![
            Just(Action::Step),
            any::<u8>().prop_map(Action::Push),
            any::<u8>().prop_map(Action::Later),
            proptest::collection::vec(any::<u8>(), 0..4).prop_map(Action::Emit),
            (0..3_usize).prop_map(Action::Read),
            Just(Action::Clone),
        ]
    }

    /// An event with the step that it belongs to, and its readers.
    #[derive(Clone, Debug)]
    struct Model {
        event: u8,
        step: i64,
        read: [bool; 3],
    }

    proptest! {
            #[test]
            fn behaves_like_a_list(
                actions in proptest::collection::vec(action(), 0..60),
                keep in 0..3_usize,
                delayed in any::<bool>(),
            ) {
                let mut queue = EventQueue::new(keep, delayed);
                let (mut model, mut later) = (Vec::<Model>::new(), Vec::new());
                let (mut line, mut now) = (Emitted::default(), 0_i64);
                let of = |event, step| Model { event, step, read: [false; 3] };
                for action in actions {
                    match action {
                        Action::Step => {
                            queue.begin_step(&PanicSlot::new());
                            now += 1;
                            model.retain(|one| one.step + keep as i64 >= now);
                            model.extend(later.drain(..).map(|event| of(event, now)));
                        }
                        Action::Push(event) => {
                            queue.push(event);
                            model.push(of(event, now));
                        }
                        Action::Later(event) => {
                            queue.push_later(event);
                            later.push(event);
                        }
                        Action::Emit(events) => {
                            let (first, second) = events.split_at(events.len() / 2);
                            for part in [first, second] {
                                let mut subtask = Emitted::default();
                                for event in part {
     subtask.push(*event);
    }
                                line.append(&mut subtask);
                            }
                            queue.append(&mut line);
                            if delayed {
                                later.extend(events);
                            } else {
                                model.extend(events.into_iter().map(|event| of(event, now)));
                            }
                        }
                        Action::Read(system) => {
                            let unread = queue.unread(7 * system);
                            let expected = model.iter().filter(|one| !one.read[system]);
                            prop_assert!(unread.clone().eq(expected.clone().map(|one| &one.event)));
                            prop_assert_eq!(unread.len(), expected.clone().count());
                            for (from, to) in [(0, unread.len()), (1, 4), (2, 3), (5, 99)] {
                                let pieces = queue.unread_pieces(7 * system, from..to);
                                let events = pieces.flat_map(|((part, first), events)| {
                                    (first..).zip(events).map(move |(at, event)| ((part, at), event))
                                });
                                let events: Vec<_> = events.collect();
                                let there = events.iter().all(|(at, event)| queue.at(*at) == Some(event));
                                let expected = expected.clone().skip(from).take(to - from);
                                prop_assert!(there);
                                let expected: Vec<_> = expected.map(|one| &one.event).collect();
                                prop_assert!(events.iter().map(|one| one.1).eq(expected.iter().copied()));
                                let part = queue.unread_between(7 * system, from, Some(to));
                                prop_assert_eq!(part.len(), expected.len());
                                prop_assert!(part.clone().eq(expected.iter().copied()));
                                let mut folded = Vec::new();
                                part.for_each(|event| folded.push(event));
                                prop_assert_eq!(folded, expected);
                            }
                            queue.mark_read(7 * system);
                            for one in &mut model {
     one.read[system] = true;
    }
                        }
                        Action::Clone => {
                            let copy = queue.clone();
                            prop_assert_eq!(hash(&copy), hash(&queue));
                            queue = copy;
                        }
                    }
                    prop_assert!(queue.iter().eq(model.iter().map(|one| &one.event)));
                    prop_assert_eq!((queue.len(), queue.is_empty()), (model.len(), model.is_empty()));
                    let sum = queue.iter().fold(0, |sum, event| sum + u32::from(*event));
                    prop_assert_eq!(sum, model.iter().map(|one| u32::from(one.event)).sum::<u32>());
                }
            }
        }

    #[test]
    fn the_hash_depends_on_events_and_not_on_parts() {
        let with = |parts: &[&[u32]]| {
            let (mut queue, mut line) = (EventQueue::new(0, false), Emitted::default());
            for part in parts {
                let mut subtask = Emitted::default();
                for event in *part {
                    subtask.push(*event);
                }
                line.append(&mut subtask);
            }
            queue.append(&mut line);
            hash(&queue)
        };
        assert_eq!(with(&[&[1, 2], &[3]]), with(&[&[1], &[2, 3]]));
        assert_ne!(with(&[&[1, 2], &[3]]), with(&[&[1, 2], &[4]]));
        assert_ne!(with(&[&[1, 2]]), with(&[&[1]]));
    }

    #[test]
    fn memory_goes_round() {
        let (mut queue, mut line) = (EventQueue::new(0, false), Emitted::default());
        let mut subtasks = [Emitted::default(), Emitted::default()];
        let mut step = |queue: &mut EventQueue<u32>| {
            queue.begin_step(&PanicSlot::new());
            for subtask in &mut subtasks {
                (0..9).for_each(|n| subtask.push(n));
                line.append(subtask);
            }
            queue.append(&mut line);
            let parts = queue.parts.iter().map(Vec::as_ptr);
            parts.collect::<Vec<_>>()
        };
        let mut seen: Vec<*const u32> = Vec::new();
        for n in 0..20 {
            let parts = step(&mut queue);
            if n > 8 {
                assert!(parts.iter().all(|part| seen.contains(part)), "new memory in step {n}");
            }
            seen.extend(parts);
        }
    }
}
