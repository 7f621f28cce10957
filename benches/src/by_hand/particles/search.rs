//! Contacts between discs, and how they are found. `K` is the type of a disc's identifier.

use ecs_core::Output;
use ecs_examples::particles::CELL_SIZE;
use wide::{f32x4, i32x4};

use super::grid::{self, Block, Grid, LANES, Shard, cell, last_cell};

/// Two discs that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact<K> {
    /// The disc that was created later.
    pub(super) e0: K,
    /// The disc that was created earlier.
    pub(super) e1: K,
    /// Sum of the radii less the distance, in pixels.
    pub(super) overlap: f32,
}

/// The contacts that one subtask has found.
#[derive(Debug)]
pub(super) struct Contacts<K> {
    /// In ascending order of `e0`, and of `e1` for the same `e0`.
    ordered: Vec<Contact<K>>,
    /// In the order of the cells of `e0`, in which they are found, and of `e1` for the same `e0`.
    found: Vec<Contact<K>>,
    /// The discs with contacts, as a bit set of 64-bit words.
    touched: Vec<u64>,
    /// For each of these discs, where its contacts start in `found`.
    starts: Vec<u32>,
    /// The discs of all shards that the subtask tests.
    merged: Grid,
    /// Blocks with discs that are near the current one, with a mask of the four.
    near: Vec<u32>,
}

impl<K> Default for Contacts<K> {
    fn default() -> Self {
        Self {
            ordered: Vec::new(),
            found: Vec::new(),
            touched: Vec::new(),
            starts: Vec::new(),
            merged: Grid::default(),
            near: Vec::new(),
        }
    }
}

impl<K: Copy + Ord + 'static> Contacts<K> {
    /// The contacts in ascending order of `e0`, and of `e1` for the same `e0`.
    #[must_use]
    pub(super) fn as_slice(&self) -> &[Contact<K>] {
        &self.ordered
    }

    /// Finds the contacts of one subtask. All discs are ranked by cell. The subtask takes the ranks that `first` and
    /// the `count - 1` discs after it have in the order of creation, rounded to whole cells, and finds the contacts of
    /// these discs with those created before them. All subtasks together find the contacts of all discs, and the discs
    /// of each subtask are near one another.
    ///
    /// A disc is in contact with discs in the cell that contains its centre, at a distance of at most the sum
    /// of the radii. The discs of all `shards` are in the order of creation. Earlier contacts must be
    /// [reset](Output::reset). O(discs near the subtask's cells, pairs of them, and discs / 64).
    pub(super) fn find<'a>(
        &mut self,
        shards: &(impl Iterator<Item = &'a Shard<K>> + Clone),
        first: K,
        count: usize,
    ) {
        let Some(before) = ordinal_of(shards.clone(), &first) else { return };
        let cell_behind = |discs| grid::cell_behind(shards, discs);
        let cells = cell_behind(before)..cell_behind(before + count);
        if cells.is_empty() {
            return;
        }
        let largest = shards.clone().fold(0.0_f32, |largest, shard| largest.max(shard.largest));
        // The maximum number of cells by which a disc in contact starts before the centre's cell, on either axis:
        // if it starts k cells before, it ends at least k - 1 cells and the other's radius short of the centre.
        let back = (3.0 * largest / CELL_SIZE + 0.01) as usize + 1;
        let discs: usize = shards.clone().map(|shard| shard.discs.len()).sum();
        self.touched.resize(discs.div_ceil(64), 0);
        self.starts.resize(discs, 0);
        let mut all = shards.clone();
        let grid = if let (Some(only), None) = (all.next(), all.next()) {
            &only.grid
        } else {
            // A disc's centre lies a radius after its start.
            let ahead = (largest / CELL_SIZE) as usize + 1;
            self.merged.merge(shards.clone(), grid::columns_around(&cells, back, ahead));
            &self.merged
        };
        for slot in grid.slots_of(&cells) {
            let probe = Probe::new(&grid.blocks()[slot / LANES], slot % LANES);
            let start = self.found.len();
            probe.scan(grid, back, &mut self.near, |ordinal, overlap| {
                let [e0, e1] =
                    [probe.ordinal, ordinal].map(|ordinal| name_of(shards.clone(), ordinal));
                self.found.push(Contact { e0, e1, overlap });
            });
            let run = &mut self.found[start..];
            if !run.is_empty() {
                run.sort_unstable_by_key(|contact| contact.e1);
                let disc = probe.ordinal as usize;
                self.touched[disc / 64] |= 1 << (disc % 64);
                self.starts[disc] = start as u32;
            }
        }
        for (word, discs) in self.touched.iter().enumerate() {
            let mut discs = *discs;
            while discs != 0 {
                let disc = word * 64 + discs.trailing_zeros() as usize;
                discs &= discs - 1;
                let rest = &self.found[self.starts[disc] as usize..];
                let run = rest.iter().take_while(|contact| contact.e0 == rest[0].e0);
                self.ordered.extend(run);
            }
        }
    }
}

/// The number of discs that were created before this one.
fn ordinal_of<'a, K: Ord + 'a>(
    shards: impl Iterator<Item = &'a Shard<K>>,
    disc: &K,
) -> Option<usize> {
    let mut before = 0;
    for shard in shards {
        if let Ok(found) = shard.discs.binary_search(disc) {
            return Some(before + found);
        }
        before += shard.discs.len();
    }
    None
}

/// The disc with this position in the order of creation.
fn name_of<'a, K: Copy + 'a>(shards: impl Iterator<Item = &'a Shard<K>>, ordinal: i32) -> K {
    let mut rest = ordinal as usize;
    for shard in shards {
        if let Some(&disc) = shard.discs.get(rest) {
            return disc;
        }
        rest -= shard.discs.len();
    }
    unreachable!("a grid has the discs of the shards")
}

impl<K: Send + Sync + 'static> Output for Contacts<K> {
    fn reset(&mut self) {
        self.ordered.clear();
        self.found.clear();
        self.touched.clear();
    }
}

/// A disc whose contacts are searched.
struct Probe {
    x: f32,
    y: f32,
    radius: f32,
    /// The cell of the centre.
    column: usize,
    row: usize,
    /// Its position in the order of creation; only earlier discs count.
    ordinal: i32,
}

impl Probe {
    fn new(block: &Block, lane: usize) -> Self {
        let (x, y) = (block.x[lane], block.y[lane]);
        let (column, row) = (cell(x) as usize, cell(y) as usize);
        Self { x, y, radius: block.radius[lane], column, row, ordinal: block.ordinal[lane] }
    }

    /// Calls `found` with the ordinal and the overlap of each disc in contact that starts at most `back` cells
    /// before the centre's cell, on either axis. `near` is scratch space.
    #[inline]
    fn scan(&self, grid: &Grid, back: usize, near: &mut Vec<u32>, mut found: impl FnMut(i32, f32)) {
        let (x, y) = (f32x4::splat(self.x), f32x4::splat(self.y));
        let radius = f32x4::splat(self.radius);
        let below = i32x4::splat(self.ordinal);
        let (mut count, mut next) = (0, 0);
        for column in self.column.saturating_sub(back)..=self.column {
            let slots = grid.slots(column, self.row, back);
            // A block may contain discs of several cells. The exact test excludes discs of other cells, and each
            // block is tested once.
            let (first, end) = (next.max(slots.start / LANES), slots.end.div_ceil(LANES));
            if slots.is_empty() || end <= first {
                continue;
            }
            next = end;
            if near.len() < count + end - first {
                near.resize(count + end - first, 0);
            }
            for (at, block) in (first..end).zip(&grid.blocks()[first..end]) {
                let (dx, dy) = (f32x4::new(block.x) - x, f32x4::new(block.y) - y);
                // Slightly more than the radii, so that no contact is missed because of rounding.
                let reach = (f32x4::new(block.radius) + radius) * f32x4::splat(1.000_001);
                let touches = (dx * dx + dy * dy).simd_le(reach * reach).to_bitmask();
                let earlier = i32x4::new(block.ordinal).simd_lt(below).to_bitmask();
                let lanes = touches & earlier;
                // Written unconditionally and kept only if a lane touches, which avoids a branch.
                near[count] = (at as u32) << LANES | lanes;
                count += usize::from(lanes != 0);
            }
        }
        for &hit in &near[..count] {
            let block = &grid.blocks()[hit as usize >> LANES];
            let mut lanes = hit & ((1 << LANES) - 1);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                lanes &= lanes - 1;
                if let Some(overlap) = self.overlap(block, lane) {
                    found(block.ordinal[lane], overlap);
                }
            }
        }
    }

    /// The exact test: the overlap of the two, if they are in contact.
    #[inline]
    fn overlap(&self, block: &Block, lane: usize) -> Option<f32> {
        let (x, y, radius) = (block.x[lane], block.y[lane], block.radius[lane]);
        let (dx, dy) = (x - self.x, y - self.y);
        let reach = self.radius + radius;
        let distance = (dx * dx + dy * dy).sqrt();
        let (column, row) = (self.column as i32, self.row as i32);
        let in_cell = (cell(x - radius)..=last_cell(x, radius)).contains(&column)
            && (cell(y - radius)..=last_cell(y, radius)).contains(&row);
        (distance <= reach && in_cell).then_some(reach - distance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::merge::Merge;
    use super::*;
    use ecs_examples::particles::{BOX_HEIGHT, BOX_WIDTH, Disc, MAX_RADIUS, random_discs};

    /// All contacts, found by testing all pairs.
    fn naive(discs: &[Disc]) -> Vec<Contact<u32>> {
        let mut contacts = Vec::new();
        for (n, disc) in discs.iter().enumerate() {
            for (earlier, other) in discs[..n].iter().enumerate() {
                let [dx, dy] = [0, 1].map(|axis| other.position[axis] - disc.position[axis]);
                let reach = disc.radius + other.radius;
                let distance = (dx * dx + dy * dy).sqrt();
                let shares_the_cell = (0..2).all(|axis| {
                    let (centre, radius) = (other.position[axis], other.radius);
                    (cell(centre - radius)..=last_cell(centre, radius))
                        .contains(&cell(disc.position[axis]))
                });
                if distance <= reach && shares_the_cell {
                    let (e0, e1) = (n as u32, earlier as u32);
                    contacts.push(Contact { e0, e1, overlap: reach - distance });
                }
            }
        }
        contacts
    }

    /// `count` discs within the box: all over it, or with `corners` close together in two corners, where some are
    /// points and some have the maximum radius.
    fn discs(count: usize, corners: bool) -> Vec<Disc> {
        let mut discs: Vec<Disc> = random_discs(count, 7).collect();
        for (n, disc) in discs.iter_mut().enumerate() {
            if corners {
                let [x, y] = disc.position.map(|coordinate| coordinate / 20.0);
                disc.position = if n % 2 == 0 { [x, y] } else { [BOX_WIDTH - x, BOX_HEIGHT - y] };
                if n % 10 == 0 {
                    disc.radius = [0.0, 60.0, 300.0, MAX_RADIUS][n / 10 % 4];
                }
            }
            let inside = |p: f32, limit: f32| p.clamp(disc.radius, limit - disc.radius);
            let [x, y] = disc.position;
            disc.position = [inside(x, BOX_WIDTH), inside(y, BOX_HEIGHT)];
        }
        discs
    }

    #[test]
    fn found_as_by_looking_at_all_pairs_in_whatever_pieces() {
        for (count, corners) in [(3_000, false), (1_000, true), (3, true), (1, false)] {
            let discs = discs(count, corners);
            let expected = naive(&discs);
            assert_eq!(expected.len() > 10, count >= 1_000, "there are some");
            for (shards, pieces) in [(1, 1), (1, 3), (2, 2), (3, 7), (5, 1), (7, 5)] {
                let bound = |part: usize, parts: usize| count * part / parts;
                let shards: Vec<Shard<u32>> = (0..shards)
                    .map(|part| {
                        let rows = bound(part, shards)..bound(part + 1, shards);
                        let mut shard = Shard::default();
                        for (row, disc) in rows.clone().zip(&discs[rows.clone()]) {
                            shard.measure(row as u32, disc.position, disc.radius);
                        }
                        shard.reserve();
                        for (ordinal, disc) in discs[rows].iter().enumerate() {
                            shard.fill(ordinal, disc.position, disc.radius);
                        }
                        shard
                    })
                    .collect();
                let all: Vec<Contacts<u32>> = (0..pieces)
                    .map(|piece| {
                        let (first, end) = (bound(piece, pieces), bound(piece + 1, pieces));
                        let mut contacts = Contacts::default();
                        contacts.find(&shards.iter(), first as u32, end - first);
                        contacts
                    })
                    .collect();
                let mut merged = Vec::new();
                Merge::default().for_each(&all.iter(), |contact| merged.push(*contact));
                assert!(merged == expected, "{} shards, {pieces} pieces", shards.len());
            }
        }
    }
}
