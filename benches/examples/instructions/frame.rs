//! A frame of a game.

use benches::frame::library;
use ecs_core::Threads;

use super::steadily;

/// The game of `benches/src/frame` with 10 000 entities, when its units have begun to fight.
pub(super) fn game() {
    let mut world = library::new(10_000, Threads::Inline);
    let mut frame = || library::frame(&mut world).expect("there is room");
    (0..100).for_each(|_| frame());
    steadily(frame);
}
