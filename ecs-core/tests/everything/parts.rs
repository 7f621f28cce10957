//! What all worlds and the model have in common: components, events, resources, and the names of systems.

use ecs_core::{Accumulate, Combine, Entity, StateHash};
use serde::{Deserialize, Serialize};

use super::program::Rule;
use super::support::mix;

/// Identifies an entity by how it came into being: unlike its handle, a model without rows knows it at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Id(pub(crate) u64);

/// Written in place by several systems.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Heat(pub(crate) u64);

/// Tracked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Grade(pub(crate) u64);

/// The key of an index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Team(pub(crate) u64);

/// A random number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Luck(pub(crate) u64);

/// Owns memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Label(pub(crate) String);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Tag;

/// In a storage of the user's in some of the worlds. It expires.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Extra(pub(crate) u64);

/// Accumulated into: what has come, in order. It owns memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Load(pub(crate) Vec<u64>);

impl Accumulate for Load {
    fn accumulate(&mut self, later: Self) {
        self.0.extend(later.0);
        if self.0.len() > 5 {
            let mut all = 0;
            self.0.drain(..).for_each(|one| fold(&mut all, one));
            self.0.push(all);
        }
    }
}

impl Accumulate for Heat {
    fn accumulate(&mut self, later: Self) {
        fold(&mut self.0, later.0);
    }
}

impl Accumulate for Grade {
    fn accumulate(&mut self, later: Self) {
        fold(&mut self.0, later.0);
    }
}

impl Accumulate for Extra {
    fn accumulate(&mut self, later: Self) {
        prolong(&mut self.0, later.0);
    }
}

/// Another number in each execution that begins with `Beat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Clock(pub(crate) u64);

/// Bits that the conditions read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Mode(pub(crate) u64);

/// What has come through the stream, folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Sunk(pub(crate) u64);

/// All outputs that the last system has read, folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Log(pub(crate) u64);

#[derive(Clone, Combine, Copy, Debug, Default, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Total(pub(crate) u64);

#[derive(Clone, Combine, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Low(pub(crate) u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Ping(pub(crate) u64);

/// Kept for two steps more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Kept(pub(crate) u64);

/// Delayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Echo(pub(crate) u64);

/// Transient.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Whisper(pub(crate) u64);

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Hit(pub(crate) u64);

/// A message, delayed. Readers get copies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Reply(pub(crate) u64);

/// A relation of one to many.
pub(crate) struct ChildOf;

/// A relation of many to many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, StateHash)]
pub(crate) struct Likes(pub(crate) u64);

/// The program that the systems interpret, by system.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) rules: Vec<Vec<Rule>>,
    /// The system that panics.
    pub(crate) panics: Option<usize>,
}

impl Script {
    /// What the system is to do with the entity at this time, each with a random number.
    pub(crate) fn fired(
        &self,
        system: usize,
        id: u64,
        clock: u64,
    ) -> impl Iterator<Item = (super::program::Does, u64)> + '_ {
        let rules = self.rules.get(system).into_iter().flatten();
        rules.filter_map(move |rule| rule.fires(id, clock))
    }

    /// Panics if the system is to panic.
    pub(crate) fn fuse(&self, system: usize) {
        if self.panics == Some(system) {
            super::support::fail("as the program says");
        }
    }
}

/// Entities that others are chosen from, alive and despawned ones, with their ids.
#[derive(Default)]
pub(crate) struct Roster(pub(crate) Vec<(u64, Entity)>);

impl Roster {
    /// One of them, chosen by a random number.
    pub(crate) fn pick(&self, y: u64) -> Option<(u64, Entity)> {
        picked(&self.0, y).copied()
    }
}

/// The older one of two, by their keys, and the other one.
pub(crate) fn by_age<T: Ord>(one: T, other: T) -> [T; 2] {
    if one < other { [one, other] } else { [other, one] }
}

/// One element, chosen by a random number.
pub(crate) fn picked<T>(all: &[T], y: u64) -> Option<&T> {
    all.get((y >> 7) as usize % all.len().max(1))
}

/// The id of an entity that another one spawns.
pub(crate) fn born(parent: u64, y: u64) -> u64 {
    mix(parent ^ mix(y ^ 0xB0))
}

/// The value with which an entity gets a component.
pub(crate) fn value_of(id: u64, part: u64) -> u64 {
    mix(id ^ part << 56)
}

/// For how many runs of `Wear` an entity gets an `Extra`.
pub(crate) fn lasting(id: u64) -> u64 {
    value_of(id, 4) % 5
}

/// For how many it is there, after more of it has come.
pub(crate) fn prolong(left: &mut u64, more: u64) {
    fold(left, more);
    *left %= 5;
}

pub(crate) fn label_of(id: u64) -> Label {
    Label(format!("{}", id % 1000))
}

pub(crate) fn load_of(id: u64) -> Load {
    Load(vec![value_of(id, 5)])
}

/// Writes a label.
pub(crate) fn relabel(label: &mut Label, y: u64) {
    if label.0.len() > 9 {
        label.0.truncate(1);
    }
    label.0.push((b'a' + (y % 26) as u8) as char);
}

/// A text as a number.
pub(crate) fn text(text: &str) -> u64 {
    text.bytes().fold(0, |number, byte| mix(number ^ u64::from(byte)))
}

pub(crate) fn fold(into: &mut u64, value: u64) {
    *into = mix(*into ^ value);
}

/// The names of the systems, in the order of the declaration.
pub(crate) const NAMES: [&str; SYSTEMS] = [
    "Beat",
    "Write",
    "Gauge",
    "Probe",
    "Source",
    "Sink",
    "Back",
    "Answer",
    "Hear",
    "Watch",
    "Receive",
    "Replies",
    "Fresh",
    "Stale",
    "Losses",
    "Same",
    "Meet",
    "Wear",
    "Alter",
    "Shift",
    "Bind",
    "Renew",
    "Meddle",
    "Roll",
    "Chosen",
    "Late",
    "LateLosses",
    "Report",
];

pub(crate) const SYSTEMS: usize = 28;

/// The index of each system.
pub(crate) mod at {
    macro_rules! number {
        ($($name:ident)+) => { number! { 0; $($name)+ } };
        ($n:expr; $name:ident $($more:ident)*) => {
            pub(crate) const $name: usize = $n;
            number! { $n + 1; $($more)* }
        };
        ($n:expr;) => {};
    }
    number! {
        BEAT WRITE GAUGE PROBE SOURCE SINK BACK ANSWER HEAR WATCH RECEIVE REPLIES FRESH STALE LOSSES
        SAME MEET WEAR ALTER SHIFT BIND RENEW MEDDLE ROLL CHOSEN LATE LATE_LOSSES REPORT
    }
}
