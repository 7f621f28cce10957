//! Finding the contacts, cell by cell, and solving them in ascending order of disc.


use super::grid::{Block, COLUMN, LANES, Shard};
use std::ops::Range;
use wide::{CmpLe, CmpLt, f32x4, i32x4};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A disc that another one touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Row of the other disc; the last one of a run has [`LAST`] set.
    other: u32,
    /// Sum of the radii less the distance.
    depth: f32,
}

/// Marks the last contact of a disc.
const LAST: u32 = 1 << 31;
/// Marks a disc without contacts.
const NONE: u32 = u32::MAX;

/// The contacts that one subtask found.
#[derive(Debug, Default)]
pub(super) struct Finder {
    contacts: Vec<Contact>,
}

impl Finder {
    pub(super) fn found(&self) -> u64 {
        self.contacts.len() as u64
    }

    pub(super) fn find(
        &mut self,
        shards: &[Shard],
        cells: Range<usize>,
        tag: u32,
        runs: &[AtomicU32],
    ) {
        self.contacts.clear();
        for (number, shard) in shards.iter().enumerate() {
            let discs =
                shard.starts[cells.start + 1] as usize..shard.starts[cells.end + 1] as usize;
            for at in discs {
                let (block, lane) = (&shard.blocks[at / LANES], at % LANES);
                let disc = Probe {
                    x: block.x[lane],
                    y: block.y[lane],
                    radius: block.radius[lane],
                    row: block.row[lane],
                };
                let cell = (disc.x * 0.125) as usize * COLUMN + (disc.y * 0.125) as usize;
                let before = self.contacts.len();
                for earlier in &shards[..=number] {
                    for back in 0..2 {
                        let last = (cell + 2).saturating_sub(back * COLUMN);
                        let range =
                            earlier.starts[last.saturating_sub(2)] as usize..earlier.starts[last] as usize;
                        disc.scan(&earlier.blocks, range, &mut self.contacts);
                    }
                }
                let run = match &mut self.contacts[before..] {
                    [] => NONE,
                    found => {
                        if found.len() > 1 {
                            found.sort_unstable_by_key(|contact| contact.other);
                        }
                        found[found.len() - 1].other |= LAST;
                        before as u32 | tag
                    }
                };
                runs[disc.row as usize].store(run, Relaxed);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Probe {
    x: f32,
    y: f32,
    radius: f32,
    row: i32,
}

impl Probe {
    #[inline]
    fn scan(self, blocks: &[Block], range: Range<usize>, contacts: &mut Vec<Contact>) {
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / LANES, range.end.div_ceil(LANES));
        let mut keep = u32::MAX << (range.start % LANES);
        let mut left = range.end - first * LANES;
        for block in &blocks[first..last] {
            let mut near = self.near(block) & keep;
            keep = u32::MAX;
            if left < LANES {
                near &= (1 << left) - 1;
            }
            left = left.wrapping_sub(LANES);
            if near != 0 {
                self.push(block, near, contacts);
            }
        }
    }

    #[inline]
    fn near(self, block: &Block) -> u32 {
        let dx = f32x4::from(block.x) - f32x4::splat(self.x);
        let dy = f32x4::from(block.y) - f32x4::splat(self.y);
        let reach = f32x4::from(block.radius) + f32x4::splat(self.radius);
        let touches = (dx * dx + dy * dy).simd_le(reach * reach * f32x4::splat(1.000_001));
        let earlier = i32x4::from(block.row).simd_lt(i32x4::splat(self.row));
        touches.to_bitmask() & earlier.to_bitmask()
    }

    #[inline]
    fn push(self, block: &Block, mut near: u32, contacts: &mut Vec<Contact>) {
        while near != 0 {
            let lane = near.trailing_zeros() as usize % LANES;
            near &= near - 1;
            let (dx, dy) = (block.x[lane] - self.x, block.y[lane] - self.y);
            let reach = self.radius + block.radius[lane];
            let distance = (dx * dx + dy * dy).sqrt();
            if distance <= reach {
                contacts.push(Contact { other: block.row[lane] as u32, depth: reach - distance });
            }
        }
    }
}

/// Solves all contacts in order.
pub(super) fn solve(
    finders: &[Finder],
    tag_bits: u32,
    runs: &[AtomicU32],
    positions: &mut [[f32; 2]],
    velocities: &mut [[f32; 2]],
) {
    for row in 0..runs.len() {
        let run = runs[row].load(Relaxed);
        if run == NONE {
            continue;
        }
        let (finder, start) = if tag_bits == 0 {
            (0, run as usize)
        } else {
            ((run >> (32 - tag_bits)) as usize, (run << tag_bits >> tag_bits) as usize)
        };
        let (mut p0, mut v0) = (positions[row], velocities[row]);
        for contact in &finders[finder].contacts[start..] {
            let other = (contact.other & !LAST) as usize;
            let (p1, v1) = (&mut positions[other], &mut velocities[other]);
            std::mem::swap(&mut v0, v1);
            let (dx, dy) = (p1[0] - p0[0], p1[1] - p0[1]);
            let distance = (dx * dx + dy * dy).sqrt();
            let normal =
                if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
            for axis in 0..2 {
                let push = normal[axis] * contact.depth * 0.6;
                p0[axis] -= push;
                p1[axis] += push;
            }
            if contact.other & LAST != 0 {
                break;
            }
        }
        positions[row] = p0;
        velocities[row] = v0;
    }
}
