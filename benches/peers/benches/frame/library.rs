//! The library, on the calling thread alone or on a pool of which the calling thread is one.

use std::sync::Arc;

use ecs_core::{Threads, World};
use rayon::ThreadPoolBuilder;

use crate::frame::library::{self, Game as Declaration};
use crate::frame::summary::Summary;
use crate::measure::Game;

struct Library(World<Declaration>);

impl Game for Library {
    fn frame(&mut self) {
        library::frame(&mut self.0).expect("there is room");
    }

    fn summary(&mut self) -> Summary {
        library::summary(&self.0)
    }
}

pub(crate) fn new(entities: u32, threads: usize) -> Box<dyn Game> {
    let threads = if threads == 1 {
        Threads::Inline
    } else {
        let pool = ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build();
        Threads::Pool(Arc::new(pool.expect("threads can be started")))
    };
    Box::new(Library(library::new(entities, threads)))
}
