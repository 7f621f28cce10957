//! The snapshots that a session can go back to.

use ecs_core::settings::Settings;
use ecs_core::{Cloneable, Snapshot, World};
use ggrs::Frame;

/// How many anchors are kept.
const ANCHORS: usize = 4;

/// A snapshot of the state at the start of a frame.
struct Slot<D: Cloneable> {
    frame: Frame,
    snapshot: Snapshot<D>,
}

/// Snapshots of the frames that the session can go back to, and of some older ones, the *anchors*, from which the past is
/// replayed when peers differ. Memory of snapshots that are no longer needed is reused, so that a save allocates
/// nothing in steady state.
pub(crate) struct Ring<D: Cloneable> {
    /// At most `window + 1 + ANCHORS`, and the pinned one.
    slots: Vec<Slot<D>>,
    /// How many frames the session can go back.
    window: Frame,
    /// Every frame whose number is a multiple of it is an anchor.
    distance: Frame,
    /// An older anchor that is kept, too.
    pinned: Option<Frame>,
}

impl<D: Cloneable> Ring<D> {
    pub(crate) fn new(window: usize, distance: u32) -> Self {
        let window = Frame::try_from(window).expect("the builder bounds the window");
        let distance = Frame::try_from(distance).expect("the builder bounds the distance");
        Self { slots: Vec::new(), window, distance, pinned: None }
    }

    /// Whether the frame is an anchor.
    pub(crate) fn is_anchor(&self, frame: Frame) -> bool {
        frame % self.distance == 0
    }

    /// Saves the state of the world at the start of a frame. A snapshot of the same frame is replaced.
    pub(crate) fn save<S: Settings>(&mut self, frame: Frame, world: &World<D, S>) {
        if let Some(at) = self.slots.iter().position(|slot| slot.frame == frame) {
            world.snapshot_into(&mut self.slots[at].snapshot);
        } else if let Some(at) = self.unneeded(frame) {
            self.slots[at].frame = frame;
            world.snapshot_into(&mut self.slots[at].snapshot);
        } else {
            self.slots.push(Slot { frame, snapshot: world.snapshot() });
        }
    }

    /// The state at the start of a frame.
    pub(crate) fn get(&self, frame: Frame) -> Option<&Snapshot<D>> {
        self.slots.iter().find(|slot| slot.frame == frame).map(|slot| &slot.snapshot)
    }

    /// The latest anchor up to a frame, or the oldest one after it.
    pub(crate) fn anchor(&self, frame: Frame) -> Option<Frame> {
        let anchors =
            || self.slots.iter().map(|slot| slot.frame).filter(|&frame| self.is_anchor(frame));
        anchors().filter(|&anchor| anchor <= frame).max().or_else(|| anchors().min())
    }

    /// Keeps the latest anchor up to a frame, in the place of the one that was kept so.
    pub(crate) fn pin(&mut self, frame: Option<Frame>) {
        self.pinned = frame.and_then(|frame| self.anchor(frame));
    }

    /// The frame of the oldest snapshot.
    pub(crate) fn oldest(&self) -> Option<Frame> {
        self.slots.iter().map(|slot| slot.frame).min()
    }

    /// The place of a snapshot that is not needed any more when the current frame is `now`.
    fn unneeded(&self, now: Frame) -> Option<usize> {
        let newer_anchors = |frame: Frame| {
            let newer = |slot: &&Slot<D>| self.is_anchor(slot.frame) && slot.frame > frame;
            self.slots.iter().filter(newer).count() + usize::from(self.is_anchor(now))
        };
        let unneeded = |slot: &Slot<D>| {
            let in_window = (now - self.window..=now).contains(&slot.frame);
            let is_pinned = self.pinned == Some(slot.frame);
            let is_kept = is_pinned
                || self.is_anchor(slot.frame)
                    && slot.frame < now
                    && newer_anchors(slot.frame) < ANCHORS;
            !in_window && !is_kept
        };
        let candidates = self.slots.iter().enumerate().filter(|(_, slot)| unneeded(slot));
        candidates.min_by_key(|(_, slot)| slot.frame).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ecs_core::world;

    #[derive(Clone, Default)]
    struct Count(Frame);

    world! {
        world Counter;
        resource Count;
    }

    /// Saves a frame whose state is its number.
    fn save(ring: &mut Ring<Counter>, world: &mut World<Counter>, frame: Frame) {
        world.resource_mut::<Count>().0 = frame;
        ring.save(frame, world);
    }

    #[test]
    fn the_window_and_some_anchors_are_kept() {
        let mut world = World::<Counter>::new();
        for (window, distance) in [(0, 1), (0, 16), (1, 1), (8, 3), (8, 16), (8, 100), (30, 7)] {
            let mut ring = Ring::new(window, distance);
            for frame in 0..250 {
                save(&mut ring, &mut world, frame);
                let (window, distance) = (ring.window, ring.distance);
                let anchors = (0..=frame).rev().filter(|frame| frame % distance == 0).take(ANCHORS);
                for kept in ((frame - window).max(0)..=frame).chain(anchors) {
                    let snapshot = ring.get(kept).unwrap_or_else(|| {
                        panic!(
                            "frame {kept} is gone at {frame}, window {window}, anchors {distance}"
                        )
                    });
                    let mut back = World::<Counter>::new();
                    back.restore(snapshot).expect("there are no entities");
                    assert_eq!(back.resource::<Count>().0, kept);
                }
            }
            let most = window + 1 + ANCHORS;
            assert!(ring.slots.len() <= most, "{} slots, not {most}", ring.slots.len());
        }
    }

    #[test]
    fn frames_are_saved_again_after_going_back() {
        let mut world = World::<Counter>::new();
        let mut ring = Ring::new(3, 16);
        for frame in 0..40 {
            save(&mut ring, &mut world, frame);
        }
        let slots = ring.slots.len();
        for frame in 37..43 {
            save(&mut ring, &mut world, frame);
        }
        assert_eq!(ring.slots.len(), slots);
        assert!((39..43).all(|frame| ring.get(frame).is_some()));
        assert_eq!(
            (ring.anchor(31), ring.anchor(32), ring.anchor(-1)),
            (Some(16), Some(32), Some(0))
        );
    }

    #[test]
    fn a_pinned_anchor_stays() {
        let mut world = World::<Counter>::new();
        let mut ring = Ring::new(2, 8);
        for frame in 0..100 {
            save(&mut ring, &mut world, frame);
            ring.pin(Some(20.min(frame)));
        }
        assert!(ring.get(16).is_some() && ring.get(8).is_none() && ring.get(24).is_none());
        assert!(ring.slots.len() <= 2 + 1 + ANCHORS + 1);
        ring.pin(None);
        for frame in 100..120 {
            save(&mut ring, &mut world, frame);
        }
        assert!(ring.get(16).is_none());
    }
}
