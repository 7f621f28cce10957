//! The observer of a run: it shows the progress, keeps a state for the picture, films, and dumps the final state.

use super::failure::Failure;
use super::output::Destination;
use super::report::film::Film;
use super::report::progress::Progress;
use super::run::Observer;
use super::source::Source;
use crate::particles::{Disc, csv};
use crate::simulation::ParticleWorld;
use std::io;

/// The frame that the picture shows, if the run is that long.
const PICTURED_FRAME: u64 = 60;

/// Observes one run.
#[derive(Debug)]
pub struct Watch<'a> {
    progress: Progress,
    picture: Option<&'a mut Vec<Disc>>,
    film: Option<Film>,
    dump: Option<&'a Destination>,
}

impl<'a> Watch<'a> {
    /// An observer that only shows `progress`.
    pub fn new(progress: Progress) -> Self {
        Self { progress, picture: None, film: None, dump: None }
    }

    /// Also keeps a state for the picture in `discs`: the state after frame 60, or the last one before that in which
    /// a disc is alive.
    #[must_use]
    pub fn with_picture(self, discs: &'a mut Vec<Disc>) -> Self {
        Self { picture: Some(discs), ..self }
    }

    /// Also films the run.
    #[must_use]
    pub fn with_film(self, film: Film) -> Self {
        Self { film: Some(film), ..self }
    }

    /// Also writes the final state to a file.
    #[must_use]
    pub fn with_dump(self, dump: &'a Destination) -> Self {
        Self { dump: Some(dump), ..self }
    }
}

impl Observer for Watch<'_> {
    fn after_frame(
        &mut self,
        frame: u64,
        alive: usize,
        discs: Option<&dyn ParticleWorld>,
    ) -> Result<(), Failure> {
        self.progress.show(frame, alive);
        let Some(world) = discs else { return Ok(()) };
        if let Some(picture) = &mut self.picture
            && frame <= PICTURED_FRAME
            && alive > 0
        {
            picture.clear();
            world.for_each_disc(&mut |_, disc| picture.push(*disc));
        }
        if let Some(film) = &mut self.film
            && film.wants(frame)
        {
            let mut discs = Vec::with_capacity(alive);
            world.for_each_disc(&mut |_, disc| discs.push(*disc));
            film.add(discs)?;
        }
        Ok(())
    }

    fn at_end(
        &mut self,
        source: &Source,
        discs: Option<&dyn ParticleWorld>,
    ) -> Result<(), Failure> {
        if let Some(film) = self.film.take() {
            film.finish()?;
        }
        match (self.dump, discs) {
            (Some(dump), Some(world)) => write_state(dump, source, world),
            _ => Ok(()),
        }
    }
}

/// Writes the living discs in the order in which systems visit them, so that a run from the file continues
/// as this run would.
fn write_state(
    destination: &Destination,
    source: &Source,
    world: &dyn ParticleWorld,
) -> Result<(), Failure> {
    let mut file = destination.create()?;
    let mut written: io::Result<()> = csv::write_header(&mut file);
    world.for_each_disc(&mut |index, disc| {
        if written.is_ok() {
            written = csv::write_disc(&mut file, source.id_of(index), disc);
        }
    });
    written.map_err(|error| Failure::with_file(destination.path(), error))?;
    file.commit()
}
