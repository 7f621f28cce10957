//! What an entity does in a step: a list that follows from its label.

use super::support::mix;

#[derive(Clone, Copy, Debug)]
pub(super) enum Bundled {
    /// Two components in columns.
    Small,
    /// One that acts.
    Full,
    /// Of a type of its own.
    Custom,
}

/// Entities are named by numbers: 0 is the entity itself, others those that it has spawned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Spawn(Bundled, u64),
    /// A spawn that is not named.
    Plain(u64),
    Batch(u64, u64),
    SpawnWith(usize, u64),
    SpawnPeers(usize, u64),
    Insert(usize, u64),
    Remove(usize),
    RemoveMany(usize),
    InsertWith(usize, usize),
    InsertOwner(usize),
    Update(usize, u64),
    UpdateWith(usize, usize),
    Despawn(usize),
    Send(usize, u64),
    SendWith(usize, usize, u64),
    Emit(usize, u64),
    Subscribe(usize),
}

impl Op {
    /// What it is done to.
    pub(super) fn target(self) -> Option<usize> {
        match self {
            Self::SpawnWith(at, _)
            | Self::SpawnPeers(at, _)
            | Self::Insert(at, _)
            | Self::Remove(at)
            | Self::RemoveMany(at)
            | Self::InsertWith(at, _)
            | Self::InsertOwner(at)
            | Self::Update(at, _)
            | Self::UpdateWith(at, _)
            | Self::Despawn(at)
            | Self::Send(at, _)
            | Self::SendWith(at, _, _)
            | Self::Subscribe(at) => Some(at),
            _ => None,
        }
    }

    /// What is put into the value.
    pub(super) fn source(self) -> Option<usize> {
        match self {
            Self::InsertWith(_, at)
            | Self::UpdateWith(_, at)
            | Self::SendWith(_, at, _)
            | Self::Emit(at, _) => Some(at),
            _ => None,
        }
    }
}

/// What the entity does in the system with this number.
pub(super) fn plan(label: u64, step: u64, system: u64) -> Vec<Op> {
    let key = mix(label ^ mix(step << 8 | system));
    if !key.is_multiple_of(3) {
        return Vec::new();
    }
    let mut plan = Vec::new();
    for n in 0..key >> 8 & 7 {
        let r = mix(key ^ mix(n));
        // Different for all, and never 0. Batches use the lowest bits.
        let fresh = mix(r) & !15 | 1 << 63;
        let (one, other) = ((r >> 8 & 3) as usize, (r >> 12 & 3) as usize);
        plan.push(match r % 19 {
            0 => Op::Spawn(Bundled::Small, fresh),
            1 => Op::Spawn(Bundled::Full, fresh),
            2 => Op::Spawn(Bundled::Custom, fresh | r >> 16 & 1),
            3 => Op::Plain(fresh),
            4 => Op::Batch(fresh, r >> 16 & 3),
            5 => Op::SpawnWith(one, fresh),
            6 => Op::SpawnPeers(one, fresh),
            7 => Op::Insert(one, r >> 20),
            8 => Op::Remove(one),
            9 => Op::RemoveMany(one),
            10 => Op::InsertWith(one, other),
            11 => Op::InsertOwner(one),
            12 => Op::Update(one, r >> 20),
            13 => Op::UpdateWith(one, other),
            14 => Op::Despawn(one),
            15 => Op::Send(one, r >> 20),
            16 => Op::SendWith(one, other, r >> 20),
            17 => Op::Emit(other, r >> 20),
            _ => Op::Subscribe(one),
        });
    }
    plan
}
