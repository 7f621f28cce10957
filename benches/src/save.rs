//! Worlds to save and to load, and the same values as vectors.

use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable};
use ecs_core::{Entity, Threads, World, world};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Plain old data.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Position(pub [f32; 3]);

/// Plain old data.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Velocity(pub [f32; 3]);

/// Plain old data, of which not all bytes are values.
#[derive(Clone, Copy, Debug, NoUninit, CheckedBitPattern)]
#[repr(C)]
pub struct Target(pub Entity);

/// By `serde`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Place(pub [f32; 3]);

/// By `serde`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Speed(pub [f32; 3]);

/// By `serde`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Aim(pub u32, pub u32);

world! {
    /// Of plain old data.
    pub world Plain;
    component Position, Velocity, Target;
}

world! {
    /// Of values that `serde` writes.
    pub world Serial;
    component Place, Speed, Aim;
}

/// A world of plain old data.
///
/// # Panics
/// Never: the limit is dynamic.
#[must_use]
pub fn plain(entities: usize) -> World<Plain> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        let first = step.spawn(());
        let _ = step.spawn_batch((0..entities).map(|n| {
            let value = n as f32;
            (Position([value; 3]), Velocity([value / 2.0; 3]), Target(first))
        }));
    });
    filled.expect("nothing is staged");
    world
}

/// The same with `serde`.
#[must_use]
pub fn serial(entities: usize) -> World<Serial> {
    let mut world = World::on(Threads::Inline);
    let _ = world.spawn_batch((0..entities).map(|n| {
        let (value, n) = (n as f32, n as u32);
        (Place([value; 3]), Speed([value / 2.0; 3]), Aim(n, 1))
    }));
    world
}

/// The values by hand, with a handle for each entity.
#[derive(Clone, Debug)]
pub struct ByHand {
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
    targets: Vec<[u32; 2]>,
    entities: Vec<[u32; 2]>,
}

impl ByHand {
    /// Of this many entities.
    #[must_use]
    pub fn new(entities: usize) -> Self {
        Self {
            positions: vec![Position([1.0; 3]); entities],
            velocities: vec![Velocity([2.0; 3]); entities],
            targets: vec![[1; 2]; entities],
            entities: vec![[1; 2]; entities],
        }
    }

    fn columns(&self) -> [&[u8]; 4] {
        [
            bytemuck::cast_slice(&self.positions),
            bytemuck::cast_slice(&self.velocities),
            bytemuck::cast_slice(&self.targets),
            bytemuck::cast_slice(&self.entities),
        ]
    }

    /// Copies all to `to`, with a checksum at the end.
    pub fn save(&self, to: &mut Vec<u8>) {
        self.columns().into_iter().for_each(|column| to.extend_from_slice(column));
        let hash = xxh3_64(to);
        to.extend_from_slice(&hash.to_le_bytes());
    }

    /// Copies what was saved into the columns.
    ///
    /// # Panics
    /// If the bytes are not those of as many entities.
    pub fn load(&mut self, from: &[u8]) {
        let (mut rest, hash) = from.split_at(from.len() - 8);
        assert_eq!(xxh3_64(rest).to_le_bytes(), hash, "the checksum");
        for column in [
            bytemuck::cast_slice_mut(&mut self.positions),
            bytemuck::cast_slice_mut(&mut self.velocities),
            bytemuck::cast_slice_mut(&mut self.targets),
            bytemuck::cast_slice_mut(&mut self.entities),
        ] {
            let (this, others): (&[u8], _) = rest.split_at(size_of_val::<[u8]>(column));
            column.copy_from_slice(this);
            rest = others;
        }
    }
}

/// The memory of this process in bytes, as it is, and at its highest since the last call of [`forget_peak`]. `None` where the
/// system does not say.
#[must_use]
pub fn memory() -> Option<[f64; 2]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
    };
    Some([of("VmRSS:")?, of("VmHWM:")?])
}

/// Makes the highest memory of this process that which it has now, where the system can do that.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The values of [`serial`] as vectors, with a handle for each entity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vectors {
    places: Vec<Place>,
    speeds: Vec<Speed>,
    aims: Vec<Aim>,
    entities: Vec<[u32; 2]>,
}

impl Vectors {
    /// Of this many entities.
    #[must_use]
    pub fn new(entities: usize) -> Self {
        let of = |n: usize| n as f32;
        Self {
            places: (0..entities).map(|n| Place([of(n); 3])).collect(),
            speeds: (0..entities).map(|n| Speed([of(n) / 2.0; 3])).collect(),
            aims: (0..entities).map(|n| Aim(n as u32, 1)).collect(),
            entities: (0..entities).map(|n| [n as u32, 1]).collect(),
        }
    }

    /// By `postcard`.
    ///
    /// # Panics
    /// Never: memory takes the bytes.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory takes it")
    }

    /// By `postcard`.
    ///
    /// # Panics
    /// If the bytes are not those of vectors.
    #[must_use]
    pub fn load(from: &[u8]) -> Self {
        postcard::from_bytes(from).expect("vectors")
    }
}
