//! The spatial partition, second half, and collision: strip by strip.

use super::grid::{Record, STRIP, STRIPS, Sorter};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use wide::f32x4;

/// Two discs that touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contact {
    pub(super) row: u32,
    pub(super) other: u32,
    /// Sum of the radii less the distance.
    pub(super) depth: f32,
}

/// Rows whose contacts are put in order together.
pub(super) const ROWS: usize = 4096;
/// Discs in a block.
const LANES: usize = 4;
/// Cells of a column, rounded up to a power of two.
const COLUMN: usize = 128;
/// Cells of a strip, with the columns that its discs reach into on both sides.
const CELLS: usize = (STRIP + 2) * COLUMN;
/// Discs between two checks.
const CHUNK: usize = 512;

/// Four discs of one cell: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Block {
    x: [f32; LANES],
    y: [f32; LANES],
    radius: [f32; LANES],
    row: [u32; LANES],
}

/// A disc and a block of others that may touch it.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    at: u32,
    near: u32,
}

/// Finds the contacts of one strip after the other.
#[derive(Debug)]
pub(super) struct Finder {
    cells: Vec<u16>,
    tally: Vec<u32>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    blocks: Vec<Block>,
    hits: Vec<Hit>,
    contacts: Vec<Contact>,
    /// Where the contacts of every [`ROWS`] rows begin, strip by strip.
    marks: Vec<u32>,
    batches: usize,
}

impl Finder {
    pub(super) fn new() -> Self {
        Self {
            cells: Vec::new(),
            tally: vec![0; CELLS],
            starts: vec![0; CELLS],
            ends: vec![0; CELLS],
            blocks: Vec::new(),
            hits: Vec::new(),
            contacts: Vec::new(),
            marks: Vec::new(),
            batches: 0,
        }
    }

    pub(super) fn contacts(&self, batch: usize) -> impl Iterator<Item = &[Contact]> {
        self.marks
            .chunks_exact(self.batches + 1)
            .map(move |marks| &self.contacts[marks[batch] as usize..marks[batch + 1] as usize])
    }

    pub(super) fn found(&self) -> u64 {
        self.contacts.len() as u64
    }

    pub(super) fn find(&mut self, sorters: &[Sorter], next_strip: &AtomicUsize, discs: usize) {
        self.contacts.clear();
        self.marks.clear();
        self.batches = discs.div_ceil(ROWS);
        loop {
            let strip = next_strip.fetch_add(1, Relaxed);
            if strip >= STRIPS {
                break;
            }
            let first_mark = self.marks.len();
            self.marks.push(self.contacts.len() as u32);
            self.reserve(sorters, strip);
            let mut done = 0;
            for sorter in sorters {
                for records in sorter.strips[strip].chunks(CHUNK) {
                    let hits = self.scan(records, done, strip);
                    self.check(records, hits, first_mark);
                    done += records.len();
                }
            }
            self.marks.resize(first_mark + self.batches + 1, self.contacts.len() as u32);
        }
    }

    /// Makes room for every disc in the four cells that it may matter to.
    #[inline(never)]
    fn reserve(&mut self, sorters: &[Sorter], strip: usize) {
        let shift = (strip * STRIP) as i32 - 1;
        self.cells.clear();
        self.tally.fill(0);
        for sorter in sorters {
            self.cells.extend(sorter.strips[strip].iter().map(|record| {
                let column = ((record.x - record.radius) * 0.125) as i32 - shift;
                let line = ((record.y - record.radius) * 0.125) as i32;
                (column * COLUMN as i32 + line) as u16
            }));
        }
        for &cell in &self.cells {
            self.tally[cell as usize] += 1;
        }
        let mut next = 0;
        let at = |cell: usize, back: usize| {
            if cell < back { 0 } else { self.tally[cell - back] }
        };
        for (cell, (start, end)) in self.starts.iter_mut().zip(&mut self.ends).enumerate() {
            *start = next;
            *end = next;
            let count = at(cell, 0) + at(cell, 1) + at(cell, COLUMN) + at(cell, COLUMN + 1);
            next += count.next_multiple_of(LANES as u32);
        }
        let needed = next as usize / LANES;
        if self.blocks.len() < needed {
            self.blocks.resize(needed, Block::default());
        }
    }

    #[inline(never)]
    fn scan(&mut self, records: &[Record], done: usize, strip: usize) -> usize {
        let mut count = 0;
        let cells = &self.cells[done..done + records.len()];
        for (at, (record, &cell)) in (0..).zip(records.iter().zip(cells)) {
            let cell = cell as usize;
            let (x, y, radius) = (record.x, record.y, record.radius);
            let centre = (f32x4::new([x, y, 0.0, 0.0]) * f32x4::splat(0.125)).fast_trunc_int();
            let [column, line, ..] = centre.to_array();
            let column = (column as usize + 1).wrapping_sub(strip * STRIP);
            if (1..=STRIP).contains(&column) {
                let centre = column * COLUMN + line as usize;
                let (start, end) = (self.starts[centre] as usize, self.ends[centre] as usize);
                let blocks = &self.blocks[start / LANES..end.div_ceil(LANES)];
                if self.hits.len() < count + blocks.len() {
                    self.hits.resize(count + blocks.len() + CHUNK, Hit::default());
                }
                let hits = &mut self.hits[..];
                let (xs, ys, radii) =
                    (f32x4::splat(x), f32x4::splat(y), f32x4::splat(radius + 1e-5));
                for (index, block) in ((start / LANES) as u32..).zip(blocks) {
                    let dx = f32x4::from(block.x) - xs;
                    let dy = f32x4::from(block.y) - ys;
                    let sum = f32x4::from(block.radius) + radii;
                    let near = (dx * dx + dy * dy).simd_le(sum * sum).to_bitmask();
                    hits[count] = Hit { at, near: index << LANES | near };
                    count += usize::from(near != 0);
                }
                // The last block may be partly filled.
                if !end.is_multiple_of(LANES)
                    && count > 0
                    && hits[count - 1].at == at
                    && hits[count - 1].near as usize >> LANES == end / LANES
                {
                    let near = hits[count - 1].near & !(15 << (end % LANES) & 15);
                    hits[count - 1].near = near;
                    count -= usize::from(near & 15 == 0);
                }
            }
            for target in [cell, cell + 1, cell + COLUMN, cell + COLUMN + 1] {
                let slot = self.ends[target] as usize;
                self.ends[target] += 1;
                let block = &mut self.blocks[slot / LANES];
                block.x[slot % LANES] = x;
                block.y[slot % LANES] = y;
                block.radius[slot % LANES] = radius;
                block.row[slot % LANES] = record.row;
            }
        }
        count
    }

    #[inline(never)]
    fn check(&mut self, records: &[Record], hits: usize, first_mark: usize) {
        for hit in &self.hits[..hits] {
            let record = &records[hit.at as usize];
            let others = &self.blocks[hit.near as usize >> LANES];
            while self.marks.len() - first_mark <= record.row as usize / ROWS {
                self.marks.push(self.contacts.len() as u32);
            }
            let mut near = hit.near & 15;
            while near != 0 {
                let lane = near.trailing_zeros() as usize % LANES;
                near &= near - 1;
                let (dx, dy) = (others.x[lane] - record.x, others.y[lane] - record.y);
                let reach = record.radius + others.radius[lane];
                let distance = (dx * dx + dy * dy).sqrt();
                if distance <= reach {
                    self.contacts.push(Contact {
                        row: record.row,
                        other: others.row[lane],
                        depth: reach - distance,
                    });
                }
            }
        }
    }
}
