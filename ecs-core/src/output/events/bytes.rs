//! Events as bytes.

use super::EventQueue;
use crate::types::bytes::{Codec, Decoder, Encoder, Fault, PLAIN};

/// No number of an event is larger, so that counting on has no end.
const MOST: u64 = u64::MAX / 2;

impl<T> EventQueue<T> {
    /// Adds the events, and which systems, by `name`, have read how many of them.
    pub(crate) fn save<'a, 'n, K: Codec<'a, T>>(
        &self,
        name: impl Fn(usize) -> &'n str,
        to: &mut Encoder<'_>,
    ) -> Result<(), Fault> {
        to.u64(self.end);
        to.len(self.steps.len());
        self.steps.iter().for_each(|step| to.u64(*step));
        to.len(self.readers.len());
        for &(system, read) in &self.readers {
            to.text(name(system));
            to.u64(read);
        }
        for parts in [&self.parts, &self.later] {
            let count = parts.iter().map(Vec::len).sum::<usize>();
            to.u64(count as u64);
            // So that a count is one of bytes, also of values that have none.
            if K::FORM != PLAIN {
                (0..count).for_each(|_| to.u8(0));
            }
            for part in parts {
                K::write_all(part, to)?;
            }
        }
        Ok(())
    }

    /// Reads the events in the place of those in `self`. What is left of an older world are the events and their numbers; how long
    /// they are kept says the declaration. Systems that `index` does not know are left out.
    pub(crate) fn load<'a, K: Codec<'a, T>>(
        &mut self,
        index: impl Fn(&str) -> Option<usize>,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        let end = from.u64()?;
        let mut steps = Vec::new();
        for _ in 0..from.len()? {
            steps.push(from.u64()?);
        }
        let mut readers = Vec::new();
        for _ in 0..from.len()? {
            let (system, read) = (index(from.text()?), from.u64()?);
            readers.extend(system.map(|system| (system, read)));
        }
        readers.sort_unstable();
        let is_sound = end <= MOST
            && steps.is_sorted()
            && steps
                .iter()
                .chain(readers.iter().map(|(_, read)| read))
                .all(|number| *number <= end)
            && readers.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !is_sound {
            return Err(Fault::new("the numbers of events contradict one another"));
        }
        *self = Self::new(self.keep, self.delayed);
        for is_later in [false, true] {
            let count = from.len()?;
            if K::FORM != PLAIN {
                from.take(count)?;
            }
            // Where they are dropped one by one, if the bytes are wrong.
            let parts = if is_later { &mut self.later } else { &mut self.parts };
            parts.push(Vec::new());
            let events = parts.last_mut().expect("it was added");
            K::read_all(from, count, |event| events.push(event))?;
            parts.pop_if(|events| events.is_empty());
            if !is_later {
                self.first = end
                    .checked_sub(count as u64)
                    .ok_or_else(|| Fault::new("there are more events than were emitted"))?;
                self.starts = vec![self.first; self.parts.len()];
            }
        }
        (self.end, self.readers) = (end, readers);
        // Of more steps than events are kept for, only the last ones count.
        let surplus = steps.len().saturating_sub(self.keep);
        self.steps = steps.split_off(surplus).into();
        Ok(())
    }
}
