//! A tower defence: one game in five designs, which compute the same bits.
//!
//! The game is that of *The Essence of Entity Component System* (sections 6 and 7), which compares objects, an array of
//! structs, and a structure of arrays on one thread and on several. Enemies walk along a path, towers shoot at the
//! nearest one, bullets follow their targets, and particles show hits. A frame is a fixed sequence of systems, after
//! which the entities that were staged come and go.
//!
//! | module | design |
//! | --- | --- |
//! | [`objects`] | boxes with virtual calls |
//! | [`structs`] | a vector of structs for each archetype |
//! | [`columns`] | a vector for each component of each archetype |
//! | [`parallel`] | the same, with the loops and tasks of rayon |
//! | [`library`] | a declaration of `ecs-core` |
//! | [`rules`], [`cells`] | what they share: the rules of the game, the cells of its map, and the state that they are compared by |

mod by_hand;
pub mod cells;
pub mod columns;
pub mod library;
pub mod objects;
pub mod parallel;
pub mod rules;
pub mod structs;

use std::sync::Arc;

use ecs_core::Threads;
use rayon::ThreadPool;

use rules::{Size, State};

/// A game in some design.
pub trait Design: Send {
    /// Computes the next frame.
    fn frame(&mut self);

    /// The state after the last frame.
    fn state(&self) -> State;
}

/// A design, with its name.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// Its name.
    pub name: &'static str,
    /// Whether it is one of the library, and not by hand.
    pub is_library: bool,
    /// Whether it works on the threads of a pool.
    pub is_parallel: bool,
    /// The game before its first frame.
    pub start: fn(Size, &Arc<ThreadPool>) -> Box<dyn Design>,
}

/// All designs.
pub const VERSIONS: [Version; 5] = [
    hand_written("objects", |size, _| Box::new(objects::Game::new(size))),
    hand_written("array of structs", |size, _| Box::new(structs::Game::new(size))),
    hand_written("structure of arrays", |size, _| Box::new(columns::Game::new(size))),
    Version {
        is_parallel: true,
        ..hand_written("structure of arrays, rayon", |size, pool| {
            Box::new(parallel::Game::new(size, Arc::clone(pool)))
        })
    },
    Version {
        name: "library",
        is_library: true,
        is_parallel: true,
        start: |size, pool| Box::new(library::Game::new(size, threads(pool))),
    },
];

const fn hand_written(
    name: &'static str,
    start: fn(Size, &Arc<ThreadPool>) -> Box<dyn Design>,
) -> Version {
    Version { name, is_library: false, is_parallel: false, start }
}

fn threads(pool: &Arc<ThreadPool>) -> Threads {
    match pool.current_num_threads() {
        1 => Threads::Inline,
        _ => Threads::Pool(Arc::clone(pool)),
    }
}
