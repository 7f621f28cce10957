//! The events of one type, each with its step and the readers that have read it.

/// A queue.
#[derive(Clone, Default)]
pub(crate) struct Queue<T> {
    events: Vec<(T, i64, Vec<usize>)>,
    /// What is added at the beginning of the next step.
    later: Vec<T>,
    now: i64,
}

impl<T: Copy> Queue<T> {
    /// Begins a step: drops what is older than `keep` steps.
    pub(crate) fn begin(&mut self, keep: i64) {
        self.now += 1;
        let now = self.now;
        self.events.retain(|(_, step, _)| step + keep >= now);
        self.events.extend(self.later.drain(..).map(|event| (event, now, Vec::new())));
    }

    pub(crate) fn push(&mut self, event: T) {
        self.events.push((event, self.now, Vec::new()));
    }

    pub(crate) fn push_later(&mut self, event: T) {
        self.later.push(event);
    }

    /// What the program emits: for this step if it has begun.
    pub(crate) fn emit(&mut self, event: T, begun: bool) {
        if begun { self.push(event) } else { self.push_later(event) }
    }

    /// What the reader has not read. It has read it then.
    pub(crate) fn read(&mut self, reader: usize) -> Vec<T> {
        let mut read = Vec::new();
        for (event, _, readers) in &mut self.events {
            if !readers.contains(&reader) {
                readers.push(reader);
                read.push(*event);
            }
        }
        read
    }

    /// What is there.
    pub(crate) fn all(&self) -> impl Iterator<Item = T> + '_ {
        self.events.iter().map(|(event, ..)| *event)
    }
}
