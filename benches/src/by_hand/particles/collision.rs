//! Finding the contacts, cell by cell, and solving them in ascending order of disc.


use super::grid::{Block, COLUMN, LANES, Shard};
use wide::{CmpLe, CmpLt, f32x4, i32x4};

/// Two discs that touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    row: u32,
    other: u32,
    /// Sum of the radii less the distance.
    depth: f32,
}

/// The contacts that one subtask found.
#[derive(Debug, Default)]
pub(super) struct Finder {
    contacts: Vec<Contact>,
    hits: Vec<u32>,
}

impl Finder {
    pub(super) fn found(&self) -> u64 {
        self.contacts.len() as u64
    }

    pub(super) fn find(
        &mut self,
        shards: &[Shard],
        positions: &[[f32; 2]],
        looks: &[super::columns::Look],
        first_row: usize,
        number: usize,
    ) {
        self.contacts.clear();
        for at in 0..positions.len() {
            let (block, lane) = (&shards[number].blocks[at / LANES], at % LANES);
            let disc = Probe {
                x: block.x[lane],
                y: block.y[lane],
                radius: block.radius[lane],
                row: block.row[lane],
            };
            let before = self.contacts.len();
            for earlier in &shards[..=number] {
                disc.scan(earlier, &mut self.hits, &mut self.contacts);
            }
            let found = &mut self.contacts[before..];
            if found.len() > 1 {
                insertion_sort(found);
            }
        }
    }
}

fn insertion_sort(found: &mut [Contact]) {
    for at in 1..found.len() {
        let mut place = at;
        while place > 0 && found[place - 1].other > found[place].other {
            found.swap(place - 1, place);
            place -= 1;
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
    fn scan(self, shard: &Shard, hits: &mut Vec<u32>, contacts: &mut Vec<Contact>) {
        let (column, line) = ((self.x * 0.125) as i32, (self.y * 0.125) as i32);
        let cell = (column * COLUMN as i32 + line) as usize;
        // Entries up to and including those of `cell`, and of the cell to its left.
        let runs: [(usize, usize); 2] = [COLUMN, 0].map(|back| {
            let end = (cell + 2).saturating_sub(back);
            let start = end.saturating_sub(2);
            (shard.starts[start] as usize / LANES, (shard.starts[end] as usize).div_ceil(LANES))
        });
        let left = runs[0].0..runs[0].1;
        let here = runs[1].0.max(left.end)..runs[1].1.max(left.end);
        let blocks = left.len() + here.len();
        if hits.len() < blocks {
            hits.resize(blocks, 0);
        }
        let hits = &mut hits[..blocks];
        let mut count = 0;
        let gap = here.start - left.end;
        let (x, y) = (f32x4::splat(self.x), f32x4::splat(self.y));
        let radius = f32x4::splat(self.radius + 1e-5);
        let row = i32x4::splat(self.row);
        for step in 0..blocks {
            let at = left.start + step + if step >= left.len() { gap } else { 0 };
            let block = &shard.blocks[at];
            let dx = f32x4::from(block.x) - x;
            let dy = f32x4::from(block.y) - y;
            let reach = f32x4::from(block.radius) + radius;
            let touches = (dx * dx + dy * dy).simd_le(reach * reach);
            let earlier = i32x4::from(block.row).simd_lt(row);
            let near = touches.to_bitmask() & earlier.to_bitmask();
            hits[count] = (at as u32) << LANES | near;
            count += usize::from(near != 0);
        }
        for &hit in &hits[..count] {
            let block = &shard.blocks[hit as usize >> LANES];
            let mut near = hit & 15;
            while near != 0 {
                let lane = near.trailing_zeros() as usize % LANES;
                near &= near - 1;
                let (x, y, radius) = (block.x[lane], block.y[lane], block.radius[lane]);
                let (dx, dy) = (x - self.x, y - self.y);
                let reach = self.radius + radius;
                let distance = (dx * dx + dy * dy).sqrt();
                let in_cell = ((x - radius) * 0.125 < (column + 1) as f32)
                    & ((y - radius) * 0.125 < (line + 1) as f32);
                if (distance <= reach) & in_cell {
                    contacts.push(Contact {
                        row: self.row as u32,
                        other: block.row[lane] as u32,
                        depth: reach - distance,
                    });
                }
            }
        }
    }
}

/// Solves all contacts in order.
pub(super) fn solve(
    finders: &[Finder],
    positions: &mut [[f32; 2]],
    velocities: &mut [[f32; 2]],
) {
    for contact in finders.iter().flat_map(|finder| &finder.contacts) {
        let (one, other) = (contact.row as usize, contact.other as usize);
        velocities.swap(one, other);
        let (p0, p1) = (positions[one], positions[other]);
        let (dx, dy) = (p1[0] - p0[0], p1[1] - p0[1]);
        let distance = (dx * dx + dy * dy).sqrt();
        let normal =
            if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
        let push = normal.map(|n| n * contact.depth * 0.6);
        positions[one] = [p0[0] - push[0], p0[1] - push[1]];
        positions[other] = [p1[0] + push[0], p1[1] + push[1]];
    }
}
