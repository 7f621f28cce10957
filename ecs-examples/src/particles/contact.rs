//! Contacts between discs, and how they are found.

use std::array;
use std::ops::Range;

use ecs_core::Place;
use ecs_core::joins::{Placed, Sorted};
use wide::{f32x4, i32x4};

use super::cell::{EVERYWHERE, Shape};

/// Two discs that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The disc that was created later.
    pub e0: Place,
    /// The disc that was created earlier.
    pub e1: Place,
    /// Sum of the radii less the distance, in pixels.
    pub overlap: f32,
}

/// Discs that are tested at a time.
const LANES: usize = 4;
/// Discs whose neighbours are located before the first of them is tested. The memory is so requested early.
const BATCH: usize = 32;
/// Groups with hits that are noted before they are tested exactly.
const HITS: usize = 32;

/// A search for the contacts of discs with those created before them that share the cell of their centre.
#[derive(Debug)]
pub struct Search<'s> {
    discs: &'s Sorted<Shape>,
    /// In ascending order of `e0`, as discs are put in, and of `e1` for the same `e0`.
    contacts: &'s mut Vec<Contact>,
    /// The next discs to test, each with the positions of the discs around.
    batch: [Option<(Placed<Shape>, [Range<usize>; 3])>; BATCH],
    /// The number of discs in the batch.
    count: usize,
    /// The positions of the discs that are tested with all.
    everywhere: Range<usize>,
}

impl<'s> Search<'s> {
    /// A search among these discs.
    #[must_use]
    pub fn new(discs: &'s Sorted<Shape>, contacts: &'s mut Vec<Contact>) -> Self {
        let everywhere = discs.positions(EVERYWHERE);
        Self { discs, contacts, batch: [const { None }; BATCH], count: 0, everywhere }
    }

    /// Puts in a disc, whose contacts are found at the latest by [`finish`](Self::finish).
    #[inline]
    pub fn put(&mut self, place: Place, value: Shape) {
        let runs = value.around().map(|numbers| self.discs.positions(numbers));
        self.batch[self.count] = Some((Placed { value, place }, runs));
        self.count += 1;
        if self.count == BATCH {
            self.finish();
        }
    }

    /// Finds the contacts of the discs that were put in.
    pub fn finish(&mut self) {
        let mut hits = [(0, 0); HITS];
        for (disc, runs) in self.batch[..self.count].iter().flatten() {
            let start = self.contacts.len();
            let mut count = 0;
            for run in runs.iter().chain([&self.everywhere]) {
                for at in run.clone().step_by(LANES) {
                    if count == HITS {
                        exact(disc, self.discs.all(), &hits, self.contacts);
                        count = 0;
                    }
                    let in_run = u32::MAX >> (32 - (run.end - at).min(LANES));
                    let lanes = touching(disc, &group(self.discs.all(), at)) & in_run;
                    // Written unconditionally and kept only if a lane touches, which avoids a branch.
                    hits[count] = (at, lanes);
                    count += usize::from(lanes != 0);
                }
            }
            exact(disc, self.discs.all(), &hits[..count], self.contacts);
            self.contacts[start..].sort_unstable_by_key(|contact| contact.e1);
        }
        self.count = 0;
    }
}

/// The discs at this position and after it. Behind the last one, it is repeated.
#[inline(always)]
fn group(discs: &[Placed<Shape>], at: usize) -> [Placed<Shape>; LANES] {
    let rest = &discs[at..];
    rest.first_chunk()
        .copied()
        .unwrap_or_else(|| array::from_fn(|lane| rest[lane.min(rest.len() - 1)]))
}

/// A bit for each of the discs that was created before `disc`, and touches it or almost does.
#[inline(always)]
fn touching(disc: &Placed<Shape>, others: &[Placed<Shape>; LANES]) -> u32 {
    let lanes =
        |value: fn(&Shape) -> f32| f32x4::new(others.each_ref().map(|other| value(&other.value)));
    let rows = i32x4::new(others.map(|other| other.place.row().cast_signed()));
    let (dx, dy) = (lanes(|shape| shape.x) - disc.value.x, lanes(|shape| shape.y) - disc.value.y);
    // Slightly more than the radii, so that no contact is missed because of rounding.
    let reach = (lanes(|shape| shape.radius) + disc.value.radius) * 1.000_001;
    let touches = (dx * dx + dy * dy).simd_le(reach * reach).to_bitmask();
    let earlier = rows.simd_lt(i32x4::splat(disc.place.row().cast_signed())).to_bitmask();
    touches as u32 & earlier as u32
}

/// Adds the contacts of `disc` with those of the discs at these positions that touch it exactly, and belong to the cell
/// of its centre.
#[inline]
fn exact(
    disc: &Placed<Shape>,
    discs: &[Placed<Shape>],
    hits: &[(usize, u32)],
    contacts: &mut Vec<Contact>,
) {
    for &(at, mut lanes) in hits {
        while lanes != 0 {
            let other = &discs[at + lanes.trailing_zeros() as usize];
            lanes &= lanes - 1;
            let (dx, dy) = (other.value.x - disc.value.x, other.value.y - disc.value.y);
            let reach = disc.value.radius + other.value.radius;
            let distance = (dx * dx + dy * dy).sqrt();
            if distance <= reach && other.value.is_in(disc.value.cell()) {
                contacts.push(Contact {
                    e0: disc.place,
                    e1: other.place,
                    overlap: reach - distance,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
    use ecs_core::{Threads, World};

    use super::*;
    use crate::particles::components::{Acceleration, Circle, Color, Life, Position, Velocity};
    use crate::particles::systems::Collide;
    use crate::particles::world::Particles;
    use crate::particles::{BOX_HEIGHT, BOX_WIDTH, Disc, MAX_RADIUS, random_discs};

    /// All contacts, found by testing all pairs: the positions of the two discs, and their overlap.
    fn naive(discs: &[Disc]) -> Vec<(u32, u32, f32)> {
        let mut contacts = Vec::new();
        for (n, disc) in discs.iter().enumerate() {
            for (earlier, other) in discs[..n].iter().enumerate() {
                let [x, y] = other.position;
                let other = Shape { x, y, radius: other.radius };
                let (dx, dy) = (x - disc.position[0], y - disc.position[1]);
                let reach = disc.radius + other.radius;
                let distance = (dx * dx + dy * dy).sqrt();
                if distance <= reach && other.is_in(disc.position.map(super::super::cell::cell)) {
                    contacts.push((n as u32, earlier as u32, reach - distance));
                }
            }
        }
        contacts
    }

    /// `count` discs at rest within the box: all over it, or with `corners` close together in two corners, where some
    /// are points and some have the maximum radius.
    fn discs(count: usize, corners: bool) -> Vec<Disc> {
        let mut discs: Vec<Disc> = random_discs(count, 7).collect();
        for (n, disc) in discs.iter_mut().enumerate() {
            if corners {
                let [x, y] = disc.position.map(|coordinate| coordinate / 20.0);
                disc.position = if n % 2 == 0 { [x, y] } else { [BOX_WIDTH - x, BOX_HEIGHT - y] };
                if n % 10 == 0 {
                    disc.radius = [0.0, 2.6, 2.7, 4.0, 60.0, MAX_RADIUS][n / 10 % 6];
                }
            }
            let inside = |p: f32, limit: f32| p.clamp(disc.radius, limit - disc.radius);
            let [x, y] = disc.position;
            disc.position = [inside(x, BOX_WIDTH), inside(y, BOX_HEIGHT)];
        }
        discs
    }

    #[test]
    fn found_as_by_looking_at_all_pairs_on_any_threads() {
        for (count, corners) in [(3_000, false), (1_000, true), (3, true), (1, false)] {
            let discs = discs(count, corners);
            let expected = naive(&discs);
            assert_eq!(expected.len() > 10, count >= 1_000, "there are some");
            for threads in [1, 2, 3, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = Arc::new(pool.expect("threads can be started"));
                type Settings = Config<Dynamic<50_000>, Allow, AtomicCounter>;
                let mut world = World::<Particles, Settings>::on(Threads::Eager(pool));
                let bundles = discs.iter().map(|disc| {
                    let (position, circle) = (Position(disc.position), Circle(disc.radius));
                    let (rest, weightless) = (Velocity([0.0; 2]), Acceleration([0.0; 2]));
                    (position, circle, rest, weightless, Life(1.0), Color([0; 4]))
                });
                let made = world.step(|step| step.spawn_batch(bundles).map(drop));
                made.expect("a step").expect("there is room");
                let found: Vec<_> = world
                    .step(|step| {
                        step.execute_systems().run();
                        let all = step.outputs_of::<Collide>().flatten();
                        all.map(|c| (c.e0.row(), c.e1.row(), c.overlap)).collect()
                    })
                    .expect("a step");
                assert!(found == expected, "{count} discs, {threads} threads");
            }
        }
    }
}
