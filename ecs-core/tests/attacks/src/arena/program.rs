//! Programs: the operations of each step, read from bytes.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arbitrary::Unstructured;

use super::BUNDLES;
use crate::random::{below, byte, chance, list, word};

/// The operations of a step, in order.
#[derive(Clone, Debug)]
pub(crate) struct StepProgram {
    pub(crate) ops: Vec<Op>,
    /// Whether the step panics at its end.
    pub(crate) panics: bool,
}

/// An operation of a step. Entities are numbers into the list of all handles that were ever seen, including those of
/// despawned entities.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Spawn { bundle: usize, value: u64 },
    Batch { bundle: usize, value: u64, count: usize },
    Despawn(usize),
    Add { at: usize, which: usize, value: u64 },
    Remove { at: usize, which: usize },
    AddBatch { at: usize, count: usize, which: usize, value: u64 },
    RemoveBatch { at: usize, count: usize, which: usize },
    Write { at: usize, which: usize, value: u64 },
    Watch { at: usize, watched: bool },
    Execute { run: Run, orders: Vec<Order> },
}

/// The systems that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    All,
    FromChange,
}

/// An order to a system, for the entities whose names have the remainder `rest` modulo `modulus`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) act: Act,
    pub(crate) modulus: u8,
    pub(crate) rest: u8,
    pub(crate) value: u64,
    /// Another entity, of all handles that were ever seen.
    pub(crate) target: usize,
}

/// The acts of systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    GrowColumn,
    GrowMapped,
    FlipColumn,
    Despawn,
    DespawnTarget,
    InsertTag,
    InsertSparse,
    InsertLeftToTarget,
    RemoveMapped,
    RemoveRight,
    RemoveTagOfTarget,
    SpawnColumn,
    SpawnPair,
    SpawnTagged,
    DeferDespawn,
    DeferAddMapped,
    DeferRemoveSparseOfTarget,
    DeferSpawnDespawned,
    DeferSpawn,
    DeferWrite,
    Update,
    Send,
    Roll,
    RollDespawn,
    RollInsert,
    RollRemove,
}

const ACTS: [Act; 26] = [
    Act::GrowColumn,
    Act::GrowMapped,
    Act::FlipColumn,
    Act::Despawn,
    Act::DespawnTarget,
    Act::InsertTag,
    Act::InsertSparse,
    Act::InsertLeftToTarget,
    Act::RemoveMapped,
    Act::RemoveRight,
    Act::RemoveTagOfTarget,
    Act::SpawnColumn,
    Act::SpawnPair,
    Act::SpawnTagged,
    Act::DeferDespawn,
    Act::DeferAddMapped,
    Act::DeferRemoveSparseOfTarget,
    Act::DeferSpawnDespawned,
    Act::DeferSpawn,
    Act::DeferWrite,
    Act::Update,
    Act::Send,
    Act::Roll,
    Act::RollDespawn,
    Act::RollInsert,
    Act::RollRemove,
];

/// Counts of operations of programs, and of acts of systems on one entity.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) ops: [AtomicUsize; 10],
    pub(crate) acts: [AtomicUsize; ACTS.len()],
}

/// The counts of all programs of this process.
pub(crate) static COUNTS: Counts = Counts {
    ops: [const { AtomicUsize::new(0) }; 10],
    acts: [const { AtomicUsize::new(0) }; ACTS.len()],
};

impl Counts {
    pub(crate) fn op(&self, op: &Op) {
        let number = match op {
            Op::Spawn { .. } => 0,
            Op::Batch { .. } => 1,
            Op::Despawn(_) => 2,
            Op::Add { .. } => 3,
            Op::Remove { .. } => 4,
            Op::AddBatch { .. } => 5,
            Op::RemoveBatch { .. } => 6,
            Op::Write { .. } => 7,
            Op::Watch { .. } => 8,
            Op::Execute { .. } => 9,
        };
        self.ops[number].fetch_add(1, Relaxed);
    }

    pub(crate) fn act(&self, act: Act) {
        self.acts[act as usize].fetch_add(1, Relaxed);
    }

    /// The names of what happened fewer than `least` times. It resets the counts.
    pub(crate) fn rare(&self, least: usize) -> Vec<String> {
        let ops = self.ops.iter().enumerate().filter(|(_, n)| n.swap(0, Relaxed) < least);
        let acts = self.acts.iter().zip(ACTS).filter(|(n, _)| n.swap(0, Relaxed) < least);
        let ops = ops.map(|(op, _)| format!("operation {op}"));
        ops.chain(acts.map(|(_, act)| format!("{act:?}"))).collect()
    }
}

/// The steps that the bytes encode, at most `most`.
pub(crate) fn steps(u: &mut Unstructured<'_>, most: usize) -> Vec<StepProgram> {
    list(u, most, step)
}

pub(crate) fn step(u: &mut Unstructured<'_>) -> StepProgram {
    let panics = chance(u, 20);
    let ops = list(u, 9, op);
    StepProgram { ops, panics }
}

fn value(u: &mut Unstructured<'_>) -> u64 {
    u64::from(word(u))
}

/// A component that is inserted and removed.
fn which(u: &mut Unstructured<'_>) -> usize {
    1 + below(u, 6)
}

fn at(u: &mut Unstructured<'_>) -> usize {
    usize::from(byte(u))
}

fn op(u: &mut Unstructured<'_>) -> Op {
    match below(u, 16) {
        0 => Op::Spawn { bundle: below(u, BUNDLES.len()), value: value(u) },
        1..=3 => {
            Op::Batch { bundle: below(u, BUNDLES.len()), value: value(u), count: below(u, 20) }
        }
        4 => Op::Despawn(at(u)),
        5 => Op::Add { at: at(u), which: which(u), value: value(u) },
        6 => Op::Remove { at: at(u), which: which(u) },
        7 => Op::AddBatch { at: at(u), count: below(u, 20), which: which(u), value: value(u) },
        8 => Op::RemoveBatch { at: at(u), count: below(u, 20), which: which(u) },
        9 => Op::Write { at: at(u), which: which(u), value: value(u) },
        10 => Op::Watch { at: at(u), watched: !byte(u).is_multiple_of(4) },
        _ => Op::Execute {
            run: if chance(u, 50) { Run::FromChange } else { Run::All },
            orders: list(u, 10, order),
        },
    }
}

fn order(u: &mut Unstructured<'_>) -> Order {
    let modulus = 1 + byte(u) % 5;
    Order {
        act: ACTS[below(u, ACTS.len())],
        modulus,
        rest: byte(u) % modulus,
        value: value(u),
        target: at(u),
    }
}
