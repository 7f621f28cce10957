//! Random snapshots and restorations, between steps of two worlds with different settings.
//!
//! Each snapshot is saved with its model. A restoration must restore the model of the snapshot, the hash, and the known
//! handles. Snapshots are restored any number of times, into either world, and replace older
//! ones. Some clones panic: a failed snapshot leaves the world unchanged, and a failed restoration can be
//! repeated.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arbitrary::Unstructured;
use ecs_core::settings::{Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Settings};
use ecs_core::{Snapshot, Threads};

use crate::arena::{Playing, ROOM, StepProgram, mixed::Ring, step};
use crate::faults::{Fault, Mode};
use crate::operations::{Model, Pair};
use crate::random::{below, byte, list};
use crate::support::four;

/// The maximum number of actions of a program.
const ACTIONS: usize = 16;
/// The maximum number of snapshots at a time.
const SNAPSHOTS: usize = 4;

/// An action of a program on one of the two worlds.
#[derive(Debug)]
enum Action {
    Step(StepProgram),
    /// Takes a snapshot, which replaces an older one if there are [`SNAPSHOTS`].
    Take(usize),
    /// Takes a snapshot while the clone with this number panics.
    FailToTake(usize, usize),
    Restore(usize),
    /// Restores while the clone with this number panics, and then once more.
    FailToRestore(usize, usize),
    /// Continues with a clone of the world.
    Clone,
}

static COUNTS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

/// How many snapshots of this process were taken, failed, were restored, and failed to be restored.
#[must_use]
pub fn counts() -> [usize; 4] {
    COUNTS.each_ref().map(|count| count.load(Relaxed))
}

fn count(what: usize) {
    COUNTS[what].fetch_add(1, Relaxed);
}

/// A snapshot, and the model of the world at that time.
struct Saved {
    snapshot: Snapshot<Ring>,
    model: Model,
    playing: Playing,
    hash: u64,
}

impl Saved {
    /// Updates the model after the snapshot is retaken.
    fn update<S: Settings>(&mut self, pair: &Pair<Ring, S>) {
        count(0);
        self.model = pair.model.clone();
        self.playing = pair.playing.clone();
        self.hash = pair.world.state_hash();
    }
}

/// Runs the program that the bytes encode.
///
/// # Panics
/// If a world differs from its model, or a value is lost.
pub fn run(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let actions = list(&mut u, ACTIONS, |u| (byte(u).is_multiple_of(2), action(u)));
    let fault = Fault::new();
    {
        let fault = &fault;
        let mut one =
            Pair::<Ring, Config<Dynamic<4>, Allow, AtomicCounter>>::new(four(), fault, None);
        let mut other = Pair::<Ring, Config<Fixed<ROOM>, Disallow, AtomicCounter>>::new(
            Threads::Inline,
            fault,
            None,
        );
        let mut saved = Vec::new();
        for (first, action) in actions {
            if first {
                act(&mut one, &action, &mut saved);
            } else {
                act(&mut other, &action, &mut saved);
            }
            let held = saved.iter().map(|saved: &Saved| saved.model.tracked()).sum::<usize>();
            let expected = one.model.tracked() + other.model.tracked() + held;
            assert_eq!(fault.living(), expected, "values are missing, or were not dropped");
        }
    }
    assert_eq!(fault.living(), 0, "leaked");
}

fn action(u: &mut Unstructured<'_>) -> Action {
    match below(u, 12) {
        0..6 => Action::Step(step(u)),
        6..8 => Action::Take(below(u, SNAPSHOTS)),
        8 => Action::FailToTake(below(u, SNAPSHOTS), 1 + below(u, 40)),
        9 => Action::FailToRestore(below(u, SNAPSHOTS), 1 + below(u, 40)),
        10 => Action::Restore(below(u, SNAPSHOTS)),
        _ => Action::Clone,
    }
}

fn act<S: Settings>(pair: &mut Pair<Ring, S>, action: &Action, saved: &mut Vec<Saved>) {
    match *action {
        Action::Step(ref step) => return pair.step(step),
        Action::Take(slot) => match saved.get_mut(slot) {
            Some(saved) => {
                pair.world.snapshot_into(&mut saved.snapshot);
                saved.update(pair);
            }
            None => saved.push(save(pair, pair.world.snapshot())),
        },
        Action::FailToTake(slot, chosen) => {
            let mut taken = None;
            let fired = pair.fault.during(Mode::Once, chosen, || match saved.get_mut(slot) {
                Some(saved) => pair.world.snapshot_into(&mut saved.snapshot),
                None => taken = Some(pair.world.snapshot()),
            });
            if fired.caught.is_some() {
                count(1);
            }
            if fired.caught.is_some() && slot < saved.len() {
                // The failed snapshot is dropped.
                saved.swap_remove(slot);
            } else if let Some(saved) = saved.get_mut(slot) {
                saved.update(pair);
            } else {
                saved.extend(taken.map(|snapshot| save(pair, snapshot)));
            }
        }
        Action::Restore(slot) => {
            let Some(saved) = saved.get(slot) else { return };
            restore(pair, saved);
        }
        Action::FailToRestore(slot, chosen) => {
            let Some(saved) = saved.get(slot) else { return };
            let fault = pair.fault.clone();
            let fired = fault.during(Mode::Once, chosen, || {
                pair.world.restore(&saved.snapshot).expect("there is room");
            });
            if fired.caught.is_some() {
                count(3);
                // The world can still be stepped.
                pair.world.tick().expect("a step without errors");
            }
            restore(pair, saved);
        }
        Action::Clone => {
            let clone = pair.world.clone();
            assert_eq!(clone.state_hash(), pair.world.state_hash());
            pair.world = clone;
        }
    }
    pair.compare();
}

fn save<S: Settings>(pair: &Pair<Ring, S>, snapshot: Snapshot<Ring>) -> Saved {
    count(0);
    let hash = pair.world.state_hash();
    Saved { snapshot, model: pair.model.clone(), playing: pair.playing.clone(), hash }
}

fn restore<S: Settings>(pair: &mut Pair<Ring, S>, saved: &Saved) {
    count(2);
    pair.world.restore(&saved.snapshot).expect("there is room");
    assert_eq!(pair.world.state_hash(), saved.hash);
    pair.model = saved.model.clone();
    pair.playing = saved.playing.clone();
}
