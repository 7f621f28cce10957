//! Query vectors: systems over pairs of entities, each by a query of its own.
//!
//! The paper's collision system (figure 11) has the query vector ⟨incl Pos ∧ incl Vel, incl Pos ∧ excl Vel⟩: it is
//! called with each pair of a moving object and a stationary one, their product. [`Meet`] is subscribed to the moving
//! objects, and has `queries: [Still]` for the others; [`meetings`] returns the pairs that it finds in the paper's
//! figure 9.
//!
//! The paper's section 8 leaves joins other than the product to future work, such as the join of points that are near
//! each other. [`NearByCells`] is such a join: it finds by the cells of a grid the same pairs that [`NearAmongAll`]
//! finds among all pairs.

use std::fmt::Write as _;

use ecs_core::joins::{Cell, Grid, Index};
use ecs_core::{Data, Entity, Threads, World, world};

/// The position of an object on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pos(pub i64);

/// The distance that an object moves per frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vel(pub i64);

/// The position of a point in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub [f32; 2]);

world! {
    /// Objects on a line, and points in a plane.
    pub world Pairs;

    component Pos, Vel, Point;

    query Still { read: [Pos], without: [Vel] }
    query Cells { read: [Point], index: ByCell, parallelism: split_evenly(cores) }

    /// Finds the matches of the paper's collision system.
    system Meet { read: [Pos, Vel], queries: [Still], output: Vec<Meeting>, run: meet }
    /// Finds the pairs of points that are near each other, in the cells around each: O(points).
    system NearByCells {
        parallelism: split_evenly(cores),
        read: [Point],
        queries: [Cells],
        output: Vec<(Entity, Entity)>,
        run: near_by_cells,
    }
    /// Finds the same pairs by testing all pairs: O(points²).
    system NearAmongAll {
        parallelism: split_evenly(cores),
        read: [Point],
        queries: [Cells],
        output: Vec<(Entity, Entity)>,
        run: near_among_all,
    }
}

/// An entity match of the paper's figure 9: a moving object and a stationary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The moving object, its position and its velocity.
    pub moving: (Entity, Pos, Vel),
    /// The stationary object and its position.
    pub still: (Entity, Pos),
}

fn meet(data: &mut Data<'_, Pairs, Meet>) {
    let Data { own, effects, .. } = data;
    let still = effects.members::<Still, (Entity, &Pos)>();
    own.query::<(Entity, &Pos, &Vel)>().pairs(still, |&mut (a, p, v), (b, q)| {
        effects.output().push(Meeting { moving: (a, *p, *v), still: (b, *q) });
    });
}

/// The maximum distance of points that are near each other.
pub const REACH: f32 = 1.0;

/// The cells are slightly larger than [`REACH`], so that rounding misses no pair.
const GRID: Grid<2> = Grid::new(REACH * 1.001);

/// Points by the cell that they lie in.
#[derive(Debug, Default)]
pub struct ByCell;

impl Index for ByCell {
    type Entry<'a> = CellsEntry<'a>;
    type Key = Cell<2>;

    fn key(&self, member: CellsEntry<'_>) -> Cell<2> {
        GRID.cell(member.point.0)
    }
}

/// Whether the points are near each other, and the first argument is the earlier entity.
fn are_near((a, p): (Entity, &Point), (b, q): (Entity, &Point)) -> bool {
    let [x, y] = [p.0[0] - q.0[0], p.0[1] - q.0[1]];
    a < b && x * x + y * y < REACH * REACH
}

fn near_by_cells(data: &mut Data<'_, Pairs, NearByCells>) {
    let Data { own, effects, .. } = data;
    let cells = effects.lookup::<Cells, (Entity, &Point)>();
    own.query::<(Entity, &Point)>().join(
        cells,
        |(_, point)| GRID.cell(point.0).around(),
        |one, other| {
            if are_near(*one, other) {
                effects.output().push((one.0, other.0));
            }
        },
    );
}

fn near_among_all(data: &mut Data<'_, Pairs, NearAmongAll>) {
    let Data { own, effects, .. } = data;
    let all = effects.members::<Cells, (Entity, &Point)>();
    own.query::<(Entity, &Point)>().pairs(all, |one, other| {
        if are_near(*one, other) {
            effects.output().push((one.0, other.0));
        }
    });
}

/// The entity matches of the paper's figure 9, in the order of iteration.
///
/// # Panics
/// Never: the world has room for that many.
#[must_use]
pub fn meetings(threads: Threads, objects: &[(i64, Option<i64>)]) -> Vec<Meeting> {
    let mut world = World::<Pairs>::on(threads);
    let filled = world.step(|step| {
        for &(pos, vel) in objects {
            match vel {
                Some(vel) => step.spawn((Pos(pos), Vel(vel))),
                None => step.spawn((Pos(pos),)),
            };
        }
    });
    filled.expect("nothing is staged");
    let met = world.step(|step| {
        step.execute_systems();
        step.outputs_of::<Meet>().flatten().copied().collect()
    });
    met.expect("nothing is staged")
}

/// The pairs of points that are near each other, in ascending order: found by cells, and among all pairs.
///
/// # Panics
/// Never: the world has room for that many.
#[must_use]
pub fn near_pairs(threads: Threads, points: &[[f32; 2]]) -> [Vec<(Entity, Entity)>; 2] {
    let mut world = World::<Pairs>::on(threads);
    let bundles = points.iter().map(|&point| (Point(point),));
    let filled = world.step(|step| {
        step.spawn_batch(bundles);
    });
    filled.expect("nothing is staged");
    let found = world.step(|step| {
        step.execute_systems();
        [
            step.outputs_of::<NearByCells>().flatten().copied().collect(),
            step.outputs_of::<NearAmongAll>().flatten().copied().collect(),
        ]
    });
    found.expect("nothing is staged").map(|mut pairs: Vec<_>| {
        pairs.sort_unstable();
        pairs
    })
}

/// Points all over a square with the given side. The result is deterministic.
#[must_use]
pub fn points(count: u32, side: f32) -> Vec<[f32; 2]> {
    let mut state = 1_u32;
    let mut next = || {
        // A linear congruential generator; its high bits are random enough for this purpose.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 * side
    };
    (0..count).map(|_| [next(), next()]).collect()
}

/// The results of both joins, as text.
#[must_use]
pub fn report(threads: Threads) -> String {
    // The paper's figure 7 has these three.
    let objects = [(1, Some(6)), (7, None), (9, Some(-2))];
    let mut text = String::from("⟨incl Pos ∧ incl Vel, incl Pos ∧ excl Vel⟩\n");
    for Meeting { moving: (a, p, v), still: (b, q) } in meetings(threads.clone(), &objects) {
        let (a, b) = (a.index(), b.index());
        let _ = writeln!(text, "⟨e{a}, e{b}⟩ ↦ ⟨({}, {}), ({}, *)⟩", p.0, v.0, q.0);
    }
    let points = points(2000, 40.0);
    let [by_cells, among_all] = near_pairs(threads, &points);
    let _ = writeln!(
        text,
        "{} pairs of {} points are nearer than {REACH}, by cells as among all {}: {}",
        by_cells.len(),
        points.len(),
        points.len() * points.len(),
        by_cells == among_all,
    );
    text
}
