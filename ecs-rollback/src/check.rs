//! Hashes of states, which peers exchange and compare.

use std::collections::BTreeMap;

use ecs_core::Declaration;
use ecs_core::description::{Description, Flag, List, Spawns, SystemDescription};
use ggrs::Frame;
use serde::{Deserialize, Serialize};

use crate::error::Suspects;
use crate::investigation::Finding;

/// For how many compared frames hashes are kept.
pub(crate) const KEPT: usize = 64;

/// The most parts that are compared: those of three checks fit into one packet.
const PARTS: usize = 2_000;

/// The hashes of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hashes {
    /// Of the whole state.
    pub(crate) hash: u64,
    /// Of its parts, as the session names them.
    pub(crate) parts: Vec<u64>,
}

/// The hashes of the state at the start of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) frame: Frame,
    pub(crate) hashes: Hashes,
}

/// What a peer sends: its latest checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// A hash of what the checks are of: the declaration, and the names of the parts.
    pub(crate) layout: u64,
    pub(crate) checks: Vec<Check>,
    /// What it has found about a desync with the receiver.
    pub(crate) findings: Vec<Finding>,
}

/// The checks of the latest frames, by frame.
#[derive(Default)]
pub(crate) struct Checks(BTreeMap<Frame, Check>);

impl Checks {
    /// Enters a check, in the place of one of the same frame, and forgets the oldest.
    pub(crate) fn enter(&mut self, mut check: Check) {
        check.hashes.parts.truncate(PARTS);
        self.0.insert(check.frame, check);
        while self.0.len() > KEPT {
            self.0.pop_first();
        }
    }

    pub(crate) fn get(&self, frame: Frame) -> Option<&Check> {
        self.0.get(&frame)
    }

    /// The latest checks up to a frame, at most `count`, newest first.
    pub(crate) fn latest(&self, frame: Frame, count: usize) -> impl Iterator<Item = &Check> {
        self.0.range(..=frame).rev().take(count).map(|(_, check)| check)
    }

    /// The frame of the latest check before `frame`.
    pub(crate) fn before(&self, frame: Frame) -> Option<Frame> {
        self.0.range(..frame).next_back().map(|(&frame, _)| frame)
    }

    /// Takes out the checks up to a frame.
    pub(crate) fn take_until(&mut self, frame: Frame) -> Vec<Check> {
        let later = self.0.split_off(&(frame + 1));
        core::mem::replace(&mut self.0, later).into_values().collect()
    }
}

/// The numbers of the parts in which two checks differ.
pub(crate) fn differing<'a>(one: &'a [u64], other: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
    one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other).map(|(at, _)| at)
}

/// The systems that can have changed a part, by their declarations.
pub(crate) fn suspects<D: Declaration>(part: &'static str) -> Suspects {
    const CHANGES: [List; 10] = [
        List::Write,
        List::WriteOptional,
        List::Insert,
        List::Remove,
        List::Update,
        List::Accumulate,
        List::WriteResources,
        List::Add,
        List::Emit,
        List::Link,
    ];
    let description = Description::of::<D>();
    let is_component = description.components().iter().any(|component| component.name() == part);
    let changes = |system: &&SystemDescription| {
        let spawns = match system.spawns() {
            Spawns::Nothing => false,
            Spawns::Anything => is_component,
            Spawns::Bundles(bundles) => bundles.iter().any(|bundle| bundle.contains(&part)),
        };
        let despawns = is_component && system.has(Flag::Despawn);
        system.name() == part
            || spawns
            || despawns
            || system.has(Flag::Defer)
            || CHANGES.iter().any(|&list| system.list(list).contains(&part))
    };
    let systems = description.systems().iter().filter(changes).map(|system| system.name());
    Suspects { part, systems: systems.collect() }
}

/// The names of the systems that are executed, each after all that it waits for.
pub(crate) fn systems_in_order<D: Declaration>() -> Vec<&'static str> {
    let description = Description::of::<D>();
    let is_executed = |system: &&SystemDescription| !system.is_query() || system.is_indexed();
    let mut systems: Vec<_> = description.systems().iter().filter(is_executed).collect();
    systems.sort_by_key(|system| (system.phase(), system.level(), system.index()));
    systems.into_iter().map(|system| system.name()).collect()
}

/// The system after which the hashes of two machines differ, of those in the order of [`systems_in_order`]. Several, if some
/// could not be executed without others.
pub(crate) fn first_differing_system<D: Declaration>(
    ours: &[Option<u64>],
    theirs: &[Option<u64>],
) -> Vec<&'static str> {
    let names = systems_in_order::<D>();
    let mut complete = 0;
    for (at, hashes) in ours.iter().zip(theirs).enumerate().take(names.len()) {
        match hashes {
            (Some(ours), Some(theirs)) if ours != theirs => return names[complete..=at].to_vec(),
            (Some(_), Some(_)) => complete = at + 1,
            _ => {}
        }
    }
    Vec::new()
}

/// The number of a system in the declaration.
pub(crate) fn number_of_system<D: Declaration>(name: &str) -> Option<u16> {
    u16::try_from(Description::of::<D>().system(name)?.index()).ok()
}

/// The name of a system.
pub(crate) fn name_of_system<D: Declaration>(number: usize) -> Option<&'static str> {
    Some(Description::of::<D>().systems().get(number)?.name())
}
