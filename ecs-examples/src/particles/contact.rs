//! Contacts between discs, and how they are found. `K` is what names a disc.

use std::ops::Range;

use ecs_core::inner_parallelism::Strategy;
use ecs_core::{Output, Sequence};
use wide::{f32x4, i32x4};

use super::grid::{Block, LANES, Shard, cell, last_cell};

/// Two discs that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<K> {
    /// The disc that was created later.
    pub e0: K,
    /// The disc that was created earlier.
    pub e1: K,
    /// Sum of the radii less the distance, in pixels.
    pub overlap: f32,
}

/// How the search for contacts is split: finer than evenly over the cores, since later discs have
/// more discs before them to look at.
#[derive(Debug)]
pub enum Finely {}

impl Strategy for Finely {
    fn subtasks(_: usize, cores: usize) -> usize {
        if cores == 1 { 1 } else { 4 * cores }
    }
}

/// The contacts that one subtask has found.
#[derive(Debug)]
pub struct Contacts<K> {
    /// In ascending order of `e0`, and of `e1` for the same `e0`.
    ordered: Vec<Contact<K>>,
    /// In the order of the cells, in which they are found: it keeps the cells in the cache.
    found: Vec<Contact<K>>,
    /// The slots of the subtask's discs in a shard.
    slots: Vec<u32>,
    /// Blocks with discs that are near the one at hand, and which of the four.
    near: Vec<u32>,
    /// For each disc of the subtask where its contacts start in `found`, or [`NONE`].
    runs: Vec<u32>,
}

/// A disc without contacts.
const NONE: u32 = u32::MAX;

impl<K> Default for Contacts<K> {
    fn default() -> Self {
        Self {
            ordered: Vec::new(),
            found: Vec::new(),
            slots: Vec::new(),
            near: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl<K: Copy + Ord + 'static> Contacts<K> {
    /// The contacts in ascending order of `e0`, and of `e1` for the same `e0`.
    #[must_use]
    pub fn as_slice(&self) -> &[Contact<K>] {
        &self.ordered
    }

    /// Finds the contacts of `count` discs from `first` on with those created before them.
    ///
    /// A contact is with a disc in the cell that holds the centre, at a distance of at most the sum
    /// of the radii. The discs of all `shards` are in the order of creation.
    pub fn find<'a>(
        &mut self,
        shards: &(impl Iterator<Item = &'a Shard<K>> + Clone),
        first: K,
        count: usize,
    ) {
        self.runs.resize(count, NONE);
        let largest = shards.clone().fold(0.0_f32, |largest, shard| largest.max(shard.largest));
        // A disc in contact starts at most so many cells before the centre's cell, on either axis:
        // k cells before, it ends k - 1 cells and the other's radius short of the centre at least.
        let back = (3.0 * largest / super::CELL_SIZE + 0.01) as usize + 1;
        // Where our discs start, counted from the start of the shard at hand.
        let mut start = None;
        for (number, shard) in shards.clone().enumerate() {
            let position = || shard.discs.binary_search(&first);
            let Some(from) = start.or_else(|| position().ok().map(|at| at as i32)) else {
                continue;
            };
            self.find_in_shard(shards, number, shard, from..from + count as i32, back);
            start = Some(from - shard.discs.len() as i32);
        }
        for &start in self.runs.iter().filter(|&&start| start != NONE) {
            let rest = &self.found[start as usize..];
            let run = rest.iter().take_while(|contact| contact.e0 == rest[0].e0);
            self.ordered.extend(run);
        }
    }

    /// Finds the contacts of the discs of one shard with the ordinals `mine`.
    fn find_in_shard<'a>(
        &mut self,
        shards: &(impl Iterator<Item = &'a Shard<K>> + Clone),
        number: usize,
        shard: &Shard<K>,
        mine: Range<i32>,
        back: usize,
    ) {
        // Written in any case and kept only if it counts, so that nothing branches.
        self.slots.resize(shard.discs.len() + LANES, 0);
        let mut count = 0;
        for (slot, &ordinal) in (0..).zip(shard.blocks().iter().flat_map(|block| &block.ordinal)) {
            self.slots[count] = slot;
            count += usize::from(mine.contains(&ordinal));
        }
        for &slot in &self.slots[..count] {
            let (block, lane) = (&shard.blocks()[slot as usize / LANES], slot as usize % LANES);
            let ordinal = block.ordinal[lane];
            let mut probe = Probe::new(block, lane, shard.discs[ordinal as usize]);
            let start = self.found.len();
            for (other, earlier) in shards.clone().enumerate().take(number + 1) {
                // Of the own shard only the discs before this one were created before it.
                probe.below = if other == number { ordinal } else { i32::MAX };
                probe.scan(earlier, back, &mut self.near, &mut self.found);
            }
            let run = &mut self.found[start..];
            if !run.is_empty() {
                run.sort_unstable_by_key(|contact| contact.e1);
                self.runs[(ordinal - mine.start) as usize] = start as u32;
            }
        }
    }
}

/// Contacts of several subtasks follow one another, as the discs do.
impl<K: Send + Sync + 'static> Output for Contacts<K> {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {
        self.ordered.clear();
        self.found.clear();
        self.runs.clear();
    }
}

impl<K: Copy + Ord + Send + Sync + 'static> Sequence for Contacts<K> {
    type Item<'a> = &'a Contact<K>;

    fn items(&self) -> impl Iterator<Item = &Contact<K>> {
        self.ordered.iter()
    }
}

/// A disc that looks for contacts.
struct Probe<K> {
    disc: K,
    x: f32,
    y: f32,
    radius: f32,
    /// The cell of the centre.
    column: usize,
    row: usize,
    /// Only discs with ordinals below this one count.
    below: i32,
}

impl<K: Copy> Probe<K> {
    fn new(block: &Block, lane: usize, disc: K) -> Self {
        let (x, y) = (block.x[lane], block.y[lane]);
        let (column, row) = (cell(x) as usize, cell(y) as usize);
        Self { disc, x, y, radius: block.radius[lane], column, row, below: 0 }
    }

    /// Finds contacts among the discs of a shard that start at most `back` cells before the
    /// centre's cell, on either axis. `near` is scratch space.
    #[inline]
    fn scan(
        &self,
        shard: &Shard<K>,
        back: usize,
        near: &mut Vec<u32>,
        found: &mut Vec<Contact<K>>,
    ) {
        let (x, y) = (f32x4::splat(self.x), f32x4::splat(self.y));
        // A little more than the radius, so that rounding leaves no contact out.
        let radius = f32x4::splat(self.radius * 1.000_001 + 1e-5);
        let below = i32x4::splat(self.below);
        let (mut count, mut next) = (0, 0);
        for column in self.column.saturating_sub(back)..=self.column {
            let slots = shard.slots(column, self.row, back);
            // Blocks may straddle cells: the exact test takes care of discs of other cells, and no
            // block is looked at twice.
            let (first, end) = (next.max(slots.start / LANES), slots.end.div_ceil(LANES));
            if slots.is_empty() || end <= first {
                continue;
            }
            next = end;
            if near.len() < count + end - first {
                near.resize(count + end - first, 0);
            }
            for (at, block) in (first..end).zip(&shard.blocks()[first..end]) {
                let (dx, dy) = (f32x4::new(block.x) - x, f32x4::new(block.y) - y);
                let reach = f32x4::new(block.radius) + radius;
                let touches = (dx * dx + dy * dy).simd_le(reach * reach).to_bitmask();
                let earlier = i32x4::new(block.ordinal).simd_lt(below).to_bitmask();
                let lanes = touches & earlier;
                // Written in any case and kept only if it counts, so that nothing branches.
                near[count] = (at as u32) << LANES | lanes;
                count += usize::from(lanes != 0);
            }
        }
        for &hit in &near[..count] {
            let block = &shard.blocks()[hit as usize >> LANES];
            let mut lanes = hit & ((1 << LANES) - 1);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                lanes &= lanes - 1;
                self.touch(shard, block, lane, found);
            }
        }
    }

    /// The exact test.
    #[inline]
    fn touch(&self, shard: &Shard<K>, block: &Block, lane: usize, found: &mut Vec<Contact<K>>) {
        let (x, y, radius) = (block.x[lane], block.y[lane], block.radius[lane]);
        let (dx, dy) = (x - self.x, y - self.y);
        let reach = self.radius + radius;
        let distance = (dx * dx + dy * dy).sqrt();
        let (column, row) = (self.column as i32, self.row as i32);
        let in_cell = (cell(x - radius)..=last_cell(x, radius)).contains(&column)
            && (cell(y - radius)..=last_cell(y, radius)).contains(&row);
        if distance <= reach && in_cell {
            let e1 = shard.discs[block.ordinal[lane] as usize];
            found.push(Contact { e0: self.disc, e1, overlap: reach - distance });
        }
    }
}
