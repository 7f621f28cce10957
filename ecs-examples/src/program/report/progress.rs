//! The progress bar: on the standard error stream, and only if that is a terminal.

use crate::churn::{DECAY_PER_FRAME, SPAWNS};
use crate::program::run::describe;
use crate::program::source::Source;
use crate::simulation::{RunConfig, Workload};
use indicatif::{ProgressBar, ProgressStyle};

/// The bar of one run. It is cleared when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// The bar of run `number` (from 1) of `runs`.
    pub fn new(config: &RunConfig, source: &Source, number: usize, runs: usize) -> Self {
        let prefix = format!("[{number}/{runs}] {}", describe(config));
        Self::with_prefix(prefix, expected_frames(config, source).unwrap_or(0))
    }

    /// A bar of this number of frames, after a text.
    pub fn with_prefix(prefix: String, frames: u64) -> Self {
        let bar = ProgressBar::new(frames);
        let template = "{prefix} {wide_bar:.cyan/blue} frame {pos}/{len} {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        bar.set_prefix(prefix);
        Self { bar }
    }

    /// Shows that `frame` frames are done and `alive` entities are alive.
    pub fn show(&self, frame: u64, alive: usize) {
        self.show_frame(frame);
        if frame.is_multiple_of(16) && !self.bar.is_hidden() {
            self.bar.set_message(format!("{alive} alive"));
        }
    }

    /// Shows that `frame` frames are done.
    pub fn show_frame(&self, frame: u64) {
        if self.bar.is_hidden() {
            return;
        }
        if self.bar.length().is_some_and(|length| length < frame) {
            self.bar.set_length(frame);
        }
        self.bar.set_position(frame);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The approximate number of frames of a run; `None` if it does not end.
pub fn expected_frames(config: &RunConfig, source: &Source) -> Option<u64> {
    let to_live = match config.workload {
        Workload::Particles => source.frames_to_live(),
        // The mean life of an entity for each of its successors, plus half a frame each, because
        // entities are despawned at the end of a frame.
        Workload::Churn => {
            Some((f64::from(SPAWNS + 1) * f64::from(3.0 / DECAY_PER_FRAME + 0.5)) as u64)
        }
    };
    match (to_live, config.frames) {
        (Some(to_live), Some(frames)) => Some(to_live.min(frames)),
        (to_live, frames) => to_live.or(frames),
    }
}
