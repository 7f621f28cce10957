//! Why states differ: a machine computes the past again, and tells the others what it has found.

use ecs_core::Snapshot;
use ecs_core::settings::Settings;
use ggrs::{Frame, InputStatus};
use serde::{Deserialize, Serialize};

use crate::check::{self, Check, Hashes};
use crate::error::Divergence;
use crate::inputs::Input;
use crate::replica::{Playable, Replica};

/// What a machine finds that computes the past again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replay {
    /// The frames are too long ago, or the peer has another program.
    Impossible,
    /// Each replay gives the same states as the first time. So what this machine computes is a function of state and
    /// inputs, and the cause is another machine, or a difference between the machines: of compilers, floating-point
    /// functions, numbers of pointers, or of files that are read.
    Same {
        /// The first frame that was computed again.
        from: Frame,
        /// The frame before which the replay ended.
        to: Frame,
    },
    /// A replay gives other states. The cause is in this machine's program: a clock, randomness of the system's, an
    /// address, the order of a hash table, or state outside of the world.
    Differs(Divergence),
}

/// Whose program computes differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The peer's: from the same state and inputs, it computes now this and now that.
    Peer,
    /// Both compute always the same, and not the same as each other.
    Machines,
}

/// How often the past is computed again. A system that reads a clock may read the same twice.
const REPLAYS: usize = 3;

/// The bytes that hashes of frames take in a packet, about.
const TRAIL_BYTES: usize = 40_000;

/// The past that was computed again, and what is found in it.
pub(crate) struct Investigation<D: Playable<I>, I: Input> {
    /// The state before the first frame.
    start: Snapshot<D>,
    from: Frame,
    /// Of the frames from there on.
    inputs: Vec<Vec<(I, InputStatus)>>,
    /// The states after the start, frame by frame: the last ones, if there are many.
    trail: Vec<Check>,
    /// What differs on this machine.
    own: Option<Divergence>,
    /// The step that differs between the machines, and the hashes after its systems.
    systems: Option<(Frame, Vec<Option<u64>>)>,
}

/// What a machine tells others about an investigation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Finding {
    /// The last frame that was the same on both machines, as far as the sender knows, and the states after each frame.
    Trail(Option<Frame>, Vec<Check>),
    /// The hashes after one system of a step, after two, and so on.
    Systems(Frame, Vec<Option<u64>>),
    /// The machine's own program is the cause: from which frame to which one, and the numbers of systems and parts.
    Own(Frame, Frame, Vec<u16>, Vec<u16>),
}

/// What was heard from a peer.
#[derive(Default)]
pub(crate) struct Heard {
    agreed: Option<Frame>,
    trail: Vec<Check>,
    systems: Option<(Frame, Vec<Option<u64>>)>,
    own: Option<(Frame, Frame, Vec<u16>, Vec<u16>)>,
    is_news: bool,
}

impl Heard {
    /// Whether something was heard since the last call.
    pub(crate) fn take_news(&mut self) -> bool {
        core::mem::take(&mut self.is_news)
    }

    pub(crate) fn enter(&mut self, finding: Finding) {
        self.is_news = true;
        match finding {
            Finding::Trail(agreed, trail) => (self.agreed, self.trail) = (agreed, trail),
            Finding::Systems(frame, hashes) => self.systems = Some((frame, hashes)),
            Finding::Own(after, frame, systems, parts) => {
                self.own = Some((after, frame, systems, parts));
            }
        }
    }
}

impl<D: Playable<I>, S: Settings, I: Input> Replica<D, S, I> {
    /// Computes the frames before `to` again, from a state before `good`, the last frame known to be the same, several times.
    /// The world is as before afterwards.
    pub(crate) fn replay(&mut self, good: Option<Frame>, to: Frame) -> Replay {
        // It was found before, when another peer's state was seen to differ.
        if let Some(own) = self.investigation.as_ref().and_then(|it| it.own.as_ref()) {
            return Replay::Differs(own.clone());
        }
        self.aside(|this| this.investigate(good, to)).unwrap_or(Replay::Impossible)
    }

    /// Does something with the world, which is as before afterwards.
    fn aside<R>(&mut self, work: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let (now, steps) = (self.world.snapshot(), self.steps);
        let result = work(self);
        self.steps = steps;
        // It was this world's state just now, so it fits.
        self.world.restore(&now).ok()?;
        result
    }

    fn investigate(&mut self, good: Option<Frame>, to: Frame) -> Option<Replay> {
        let from = self.ring.anchor(good.unwrap_or(0))?;
        if from >= to || from < self.log_start || to > self.frame {
            return None;
        }
        self.world.restore(self.ring.get(from)?).ok()?;
        let inputs: Option<Vec<_>> = (from..to).map(|frame| self.inputs_of(frame)).collect();
        let mut found = Investigation {
            start: self.world.snapshot(),
            from,
            inputs: inputs?,
            trail: Vec::new(),
            own: None,
            systems: None,
        };
        let replays: Vec<_> = (0..REPLAYS).map_while(|_| self.compute(&found, to)).collect();
        let mut own = self.first_difference(from, to, replays.first()?, &replays);
        if let Some(own) = &mut own
            && own.after == own.frame
            && self.compute(&found, own.frame).is_some()
        {
            let before = self.world.snapshot();
            self.find_system(own, &before, &found.inputs[index(own.frame - from)?]);
        }
        found.own = own;
        let replay = found.own.clone().map_or(Replay::Same { from, to }, Replay::Differs);
        let trail = ((from + 1)..=to).zip(replays.into_iter().next()?);
        let trail: Vec<_> = trail.map(|(frame, hashes)| Check { frame, hashes }).collect();
        let room = 1 + TRAIL_BYTES / (16 + 10 * self.part_count());
        found.trail = trail[trail.len().saturating_sub(room)..].to_vec();
        self.investigation = Some(found);
        Some(replay)
    }

    /// The hashes after each frame before `to`, computed from the start. The world is at `to` then.
    fn compute(&mut self, found: &Investigation<D, I>, to: Frame) -> Option<Vec<Hashes>> {
        self.world.restore(&found.start).ok()?;
        let count = index(to - found.from)?;
        let frames = found.inputs.get(..count)?.iter();
        Some(
            frames
                .map(|inputs| {
                    self.assign(inputs);
                    // The same error was reported the first time.
                    let _ = self.advance();
                    self.hashes()
                })
                .collect(),
        )
    }

    /// The first frame after which two of the replays, or a replay and what was recorded, differ.
    fn first_difference(
        &self,
        from: Frame,
        to: Frame,
        first: &[Hashes],
        replays: &[Vec<Hashes>],
    ) -> Option<Divergence> {
        for (number, frame) in (from..to).enumerate() {
            let same = |other: &&Hashes| other.hash == first[number].hash;
            let mut among_replays = replays.iter().map(|replay| &replay[number]);
            let among_replays = among_replays.find(|it| !same(it)).map(|other| (frame, other));
            let recorded = self.checks.get(frame + 1).map(|check| &check.hashes);
            let recorded = recorded.filter(|it| !same(it)).map(|recorded| {
                (self.checks.before(frame + 1).unwrap_or(from).max(from), recorded)
            });
            if let Some((after, other)) = among_replays.or(recorded) {
                let parts = self.differing(&first[number].parts, &other.parts);
                return Some(Divergence { after, frame, systems: Vec::new(), parts });
            }
        }
        None
    }

    /// What a peer is told with which this machine has agreed on a frame.
    pub(crate) fn findings(&self, agreed: Option<Frame>) -> Vec<Finding> {
        let Some(found) = &self.investigation else { return Vec::new() };
        if let Some(Divergence { after, frame, systems, parts }) = &found.own {
            let systems = systems.iter().filter_map(|name| check::number_of_system::<D>(name));
            let parts = parts.iter().filter_map(|part| self.number_of_part(part.part));
            return vec![Finding::Own(*after, *frame, systems.collect(), parts.collect())];
        }
        let mut findings = vec![Finding::Trail(agreed, found.trail.clone())];
        findings.extend(
            found.systems.as_ref().map(|(frame, hashes)| Finding::Systems(*frame, hashes.clone())),
        );
        findings
    }

    /// What follows from what a peer has told, and from what this machine has found itself.
    pub(crate) fn locate(
        &mut self,
        agreed: Option<Frame>,
        heard: &Heard,
    ) -> Option<(Cause, Divergence)> {
        if let Some((after, frame, systems, parts)) = &heard.own {
            let systems = systems.iter().filter_map(|&it| check::name_of_system::<D>(it.into()));
            let parts = self.names(parts.iter().map(|&part| part.into()));
            let divergence = Divergence {
                after: *after,
                frame: *frame,
                systems: systems.collect(),
                parts: parts.map(|name| check::suspects::<D>(name)).collect(),
            };
            return Some((Cause::Peer, divergence));
        }
        let mut found = self.investigation.take()?;
        let located = self.locate_between(&mut found, agreed, heard);
        self.investigation = Some(found);
        Some((Cause::Machines, located?))
    }

    fn locate_between(
        &mut self,
        found: &mut Investigation<D, I>,
        agreed: Option<Frame>,
        heard: &Heard,
    ) -> Option<Divergence> {
        if found.own.is_some() {
            return None;
        }
        let mut after = agreed.max(heard.agreed).unwrap_or(0);
        let pairs = found.trail.iter().filter_map(|ours| {
            let theirs = heard.trail.iter().find(|theirs| theirs.frame == ours.frame)?;
            Some((ours, theirs))
        });
        let mut differs = None;
        for (ours, theirs) in pairs {
            if ours.hashes.hash != theirs.hashes.hash {
                differs = Some((ours, theirs));
                break;
            }
            after = after.max(ours.frame);
        }
        let (ours, theirs) = differs?;
        let frame = ours.frame - 1;
        let after = after.min(frame);
        let parts = self.differing(&ours.hashes.parts, &theirs.hashes.parts);
        let mut located = Divergence { after, frame, systems: Vec::new(), parts };
        // A step of the program's own, and one that is not known, are not looked into.
        if !self.ticks || after != frame {
            return Some(located);
        }
        if found.systems.is_none() {
            found.systems = Some((frame, self.aside(|this| this.after_systems(found, frame))?));
        }
        let (_, ours) = found.systems.as_ref()?;
        let (_, theirs) = heard.systems.as_ref().filter(|(theirs, _)| *theirs == frame)?;
        located.systems = check::first_differing_system::<D>(ours, theirs);
        Some(located)
    }

    /// The hashes after one system of a frame, after two, and so on.
    fn after_systems(
        &mut self,
        found: &Investigation<D, I>,
        frame: Frame,
    ) -> Option<Vec<Option<u64>>> {
        self.compute(found, frame)?;
        let before = self.world.snapshot();
        let inputs = found.inputs.get(index(frame - found.from)?)?;
        Some(self.hashes_after_systems(&before, inputs))
    }
}

/// A number of frames as an index.
fn index(frames: Frame) -> Option<usize> {
    usize::try_from(frames).ok()
}
