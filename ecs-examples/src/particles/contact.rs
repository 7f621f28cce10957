//! Contacts between discs, and how they are found.

use std::ops::Range;

use ecs_core::Place;
use ecs_core::joins::{Items, Placed, Sorted};
use wide::{bytemuck, f32x4, i32x4};

use super::cell::{LARGER, Shape};

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
/// Groups of discs with hits that are noted before the hits are tested exactly.
const NOTED: usize = 32;
/// Slightly more than 1: discs are found by wider radii, so that no contact is missed because of rounding.
const WIDER: f32 = 1.000_001;

/// A search for contacts.
#[derive(Debug, Default)]
pub struct Search {
    /// Where groups with hits start, and a bit for each of the group's discs: whether it is a hit.
    hits: [(u32, u32); NOTED],
}

impl Search {
    /// Adds the contacts of `disc` with discs that were created before it and belong to the cell of its centre, in the
    /// order of creation.
    #[inline]
    pub fn find(
        &mut self,
        disc: &Placed<Shape>,
        discs: &Sorted<Shape>,
        contacts: &mut Items<'_, Contact>,
    ) {
        let (all, hits, mut count) = (discs.all(), &mut self.hits, 0);
        let mut visit = |run: Range<usize>| {
            let mut at = run.start;
            while at < run.end {
                if count == NOTED {
                    exact(disc, all, hits, contacts);
                    count = 0;
                }
                // In a build that is not optimised, each operator of a vector is a call, and several more inside.
                let lanes = if cfg!(debug_assertions) {
                    touching_each(disc, all, at, run.end)
                } else {
                    touching_group(disc, all, at, run.end)
                };
                #[cfg(test)]
                tests::both_find(lanes, disc, all, at..run.end);
                // Written unconditionally and kept only if a lane touches, which avoids a branch.
                hits[count] = (at as u32, lanes);
                count += usize::from(lanes != 0);
                at += LANES;
            }
        };
        let [column, before] = disc.value.around();
        visit(discs.positions(column));
        visit(discs.positions(before));
        if !discs.positions(LARGER).is_empty() {
            disc.value.around_larger().for_each(|numbers| visit(discs.positions(numbers)));
        }
        if disc.value.is_large() {
            disc.value.further().into_iter().for_each(|numbers| visit(discs.positions(numbers)));
        }
        exact(disc, all, &hits[..count], contacts);
        if contacts.len() > 1 {
            contacts.sort_unstable_by_key(|contact| contact.e1);
        }
    }
}

/// A bit for each of the next discs from position `at` on, at most [`LANES`], and before `end`: whether it was created
/// before `disc`, and touches it or almost does.
fn touching_each(disc: &Placed<Shape>, discs: &[Placed<Shape>], mut at: usize, end: usize) -> u32 {
    let (Shape { x, y, radius }, row) = (disc.value, disc.place.row());
    let (mut lanes, mut lane) = (0, 1);
    while at < end && lane < 1 << LANES {
        let other = &discs[at];
        let (dx, dy) = (other.value.x - x, other.value.y - y);
        let reach = (other.value.radius + radius) * WIDER;
        if dx * dx + dy * dy <= reach * reach && other.place.row() < row {
            lanes |= lane;
        }
        at += 1;
        lane <<= 1;
    }
    lanes
}

/// The same, all of these discs at a time.
#[inline(always)]
fn touching_group(disc: &Placed<Shape>, discs: &[Placed<Shape>], at: usize, end: usize) -> u32 {
    let group = &discs[at..];
    let lanes = match group.first_chunk() {
        Some(group) => touching(disc, group),
        None => last_touching(disc, group),
    };
    // Discs behind the run belong to other runs.
    lanes & (u32::MAX >> (32 - (end - at).min(LANES)))
}

/// A bit for each of the discs that was created before `disc`, and touches it or almost does.
#[inline(always)]
fn touching(disc: &Placed<Shape>, [a, b, c, d]: &[Placed<Shape>; LANES]) -> u32 {
    let vector = |other: &Placed<Shape>| {
        let (Shape { x, y, radius }, row) = (other.value, other.place.row());
        f32x4::new([x, y, radius, f32::from_bits(row)])
    };
    let [x, y, radius, rows] = f32x4::transpose([a, b, c, d].map(vector));
    let (dx, dy) = (x - disc.value.x, y - disc.value.y);
    let reach = (radius + disc.value.radius) * WIDER;
    let touches = (dx * dx + dy * dy).simd_le(reach * reach).to_bitmask();
    let rows: i32x4 = bytemuck::cast(rows);
    let earlier = rows.simd_lt(i32x4::splat(disc.place.row().cast_signed())).to_bitmask();
    touches & earlier
}

/// The same for the last discs, which do not fill a group.
#[cold]
fn last_touching(disc: &Placed<Shape>, others: &[Placed<Shape>]) -> u32 {
    let mut group = [*disc; LANES];
    group[..others.len()].copy_from_slice(others);
    touching(disc, &group)
}

/// Adds the contacts of `disc` with those of the discs at these positions that touch it exactly, and belong to the cell
/// of its centre.
#[inline]
fn exact(
    disc: &Placed<Shape>,
    discs: &[Placed<Shape>],
    hits: &[(u32, u32)],
    contacts: &mut Items<'_, Contact>,
) {
    for &(at, mut lanes) in hits {
        while lanes != 0 {
            let other = &discs[at as usize + lanes.trailing_zeros() as usize];
            lanes &= lanes - 1;
            let (dx, dy) = (other.value.x - disc.value.x, other.value.y - disc.value.y);
            let reach = disc.value.radius + other.value.radius;
            let distance = (dx * dx + dy * dy).sqrt();
            if distance <= reach && other.value.is_in(disc.value.cell()) {
                let overlap = reach - distance;
                contacts.push(Contact { e0: disc.place, e1: other.place, overlap });
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
    use crate::particles::world::{Collide, Particles};
    use crate::particles::{BOX_HEIGHT, BOX_WIDTH, Disc, MAX_RADIUS, random_discs};

    type Settings = Config<Dynamic<50_000>, Allow, AtomicCounter>;

    /// Asserts that discs are tested to the same effect one after the other and all at a time.
    pub(super) fn both_find(
        lanes: u32,
        disc: &Placed<Shape>,
        discs: &[Placed<Shape>],
        at: Range<usize>,
    ) {
        let both = [touching_each, touching_group].map(|f| f(disc, discs, at.start, at.end));
        assert_eq!(both, [lanes; 2]);
    }

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
                    disc.radius = [0.0, 2.6, 2.7, 5.2, 9.0, 60.0, 200.0, MAX_RADIUS][n / 10 % 8];
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
                let mut world = World::<Particles, Settings>::on(Threads::Eager(pool));
                let bundles = discs.iter().map(|disc| {
                    let (position, circle) = (Position(disc.position), Circle(disc.radius));
                    let (rest, weightless) = (Velocity([0.0; 2]), Acceleration([0.0; 2]));
                    (position, circle, rest, weightless, Life(1.0), Color([0; 4]))
                });
                let made = world.step(|step| {
                    step.spawn_batch(bundles);
                });
                made.expect("a step");
                let found: Vec<_> = world
                    .step(|step| {
                        step.execute_systems();
                        let all = step.outputs_of::<Collide>().flatten();
                        all.map(|c| (c.e0.row(), c.e1.row(), c.overlap)).collect()
                    })
                    .expect("a step");
                assert!(found == expected, "{count} discs, {threads} threads");
            }
        }
    }
}
