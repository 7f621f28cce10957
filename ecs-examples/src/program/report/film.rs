//! An animated gif of a run.

use super::picture;
use crate::particles::{BOX_HEIGHT, BOX_WIDTH, Disc};
use crate::program::failure::Failure;
use crate::program::output::{Destination, Pending};
use gif::{Encoder, EncodingError, Frame, Repeat};
use std::fmt;
use std::path::{Path, PathBuf};

/// Pixels of the film per pixel of the box.
const SCALE: f32 = 0.3;

/// The approximate maximum number of pictures in a film.
const PICTURES: u64 = 60;

/// Duration of each picture, in hundredths of a second.
const SHOWN: u16 = 10;

/// The speed of the choice of colours, from 1 (best quality) to 30 (fastest).
const HURRY: i32 = 10;

/// A film in progress. Its file is deleted unless the film is finished.
pub struct Film {
    encoder: Encoder<Pending>,
    path: PathBuf,
    every: u64,
}

impl Film {
    /// Starts a film of a run of about `expected_frames` frames.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn new(destination: &Destination, expected_frames: u64) -> Result<Self, Failure> {
        let path = destination.path().to_owned();
        let failure = |error| failure(&path, &error);
        let (width, height) = ((BOX_WIDTH * SCALE) as u16, (BOX_HEIGHT * SCALE) as u16);
        let encoder = Encoder::new(destination.create()?, width, height, &[]);
        let mut encoder = encoder.map_err(failure)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failure)?;
        let every = expected_frames.div_ceil(PICTURES).max(1);
        Ok(Self { encoder, path, every })
    }

    /// Whether a picture is to be taken after this frame.
    pub fn wants(&self, frame: u64) -> bool {
        frame.is_multiple_of(self.every)
    }

    /// Adds a picture.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, discs: impl IntoIterator<Item = Disc>) -> Result<(), Failure> {
        let picture = picture::draw(discs, SCALE);
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        let mut frame = Frame::from_rgb_speed(width, height, picture.as_raw(), HURRY);
        frame.delay = SHOWN;
        self.encoder.write_frame(&frame).map_err(|error| failure(&self.path, &error))
    }

    /// Moves the film to its destination.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { encoder, path, .. } = self;
        encoder.into_inner().map_err(|error| failure(&path, &error))?.commit()
    }
}

impl fmt::Debug for Film {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Film").field("path", &self.path).finish_non_exhaustive()
    }
}

fn failure(path: &Path, error: &EncodingError) -> Failure {
    Failure::with_file(path, error)
}
