//! The rows of the table.

use std::time::Duration;

/// A size of the world, a number of threads, and a pause after each frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) entities: u32,
    pub(crate) threads: usize,
    pub(crate) pause: Duration,
}

impl Row {
    /// All rows; smaller worlds in a test.
    pub(crate) fn all(is_test: bool) -> Vec<Self> {
        let sizes = if is_test { [500, 2_000] } else { [10_000, 100_000] };
        let mut rows = Vec::new();
        for entities in sizes {
            for threads in [1, 2] {
                for pause in [0, 1] {
                    rows.push(Self { entities, threads, pause: Duration::from_millis(pause) });
                }
            }
        }
        rows
    }

    pub(crate) fn name(self) -> String {
        let entities = if self.entities < 1_000 {
            self.entities.to_string()
        } else {
            format!("{} {:03}", self.entities / 1_000, self.entities % 1_000)
        };
        let threads = if self.threads == 1 { "1 thread" } else { "2 threads" };
        let pause = if self.pause.is_zero() { "no pause" } else { "a pause of 1 ms" };
        format!("{entities} entities, {threads}, {pause}")
    }
}
