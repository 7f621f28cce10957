//! What was removed, and what the systems that name it in `removed` have read.

use super::{Being, Model};
use crate::parts::{at, text};
use crate::program::Part;

/// The components whose removals are read.
pub(super) const PARTS: [Part; 4] = [Part::Grade, Part::Label, Part::Tag, Part::Extra];

/// By component, values that were removed.
#[derive(Clone, Default)]
pub(crate) struct Removed([Log; PARTS.len()]);

#[derive(Clone, Default)]
struct Log {
    published: Vec<u64>,
    /// Those that cannot be read yet, each with its row.
    fresh: Vec<(usize, u64)>,
    /// How many `Losses` and `LateLosses` have read.
    read: [usize; 2],
}

impl Being {
    /// The value of the component, as a number.
    fn number(&self, part: Part) -> Option<u64> {
        match part {
            Part::Grade => self.grade,
            Part::Team => self.team,
            Part::Label => self.label.as_deref().map(text),
            Part::Tag => self.tag.then_some(5),
            Part::Extra => self.extra,
            Part::Load => None,
        }
    }
}

impl Removed {
    /// The entity in this row loses the component.
    pub(super) fn lose(&mut self, row: usize, being: &Being, part: Part) {
        let log = PARTS.iter().position(|one| *one == part);
        if let (Some(log), Some(value)) = (log, being.number(part)) {
            self.0[log].fresh.push((row, value));
        }
    }

    /// The entity in this row loses all components.
    pub(super) fn lose_all(&mut self, row: usize, being: &Being) {
        for part in PARTS {
            self.lose(row, being, part);
        }
    }

    /// Lets readers read it, in the order of rows.
    pub(super) fn publish(&mut self) {
        for Log { published, fresh, .. } in &mut self.0 {
            fresh.sort_by_key(|(row, _)| *row);
            published.extend(fresh.drain(..).map(|(_, value)| value));
        }
    }

    fn read(&mut self, reader: usize, part: Part) -> Vec<u64> {
        let log = PARTS.iter().position(|one| *one == part).expect("its removals are read");
        let Log { published, read, .. } = &mut self.0[log];
        let from = std::mem::replace(&mut read[reader], published.len());
        published[from..].to_vec()
    }
}

impl Model {
    /// Runs one of the readers.
    pub(super) fn read_removed(&mut self, system: usize) {
        let (reader, parts): (usize, &[Part]) = match system {
            at::LOSSES => (0, &[Part::Grade, Part::Label, Part::Tag]),
            _ => (1, &[Part::Grade, Part::Extra]),
        };
        for &part in parts {
            let read = self.removed.read(reader, part);
            self.outputs[system].extend(read);
        }
    }
}
