//! *Query vectors and joins*: systems over tuples of entities, in which each position has a query of its own (Core ECS,
//! 3.3), and tuples that are not the full product (its section 8).
//!
//! A declaration names queries, and says which systems use them:
//!
//! ```text
//! query Still { read: [Position], without: [Velocity] }
//! query Cells { read: [Position], index: ByCell, parallelism: split_evenly(cores) }
//! system Collide { read: [Velocity], queries: [Still, Cells] }
//! ```
//!
//! A body visits its own entities, split over subtasks as in any system. For each of them it visits members of a
//! query, and reads what the query reads:
//!
//! | | which pairs | in which order |
//! | --- | --- | --- |
//! | [`Data::for_pairs`](crate::Data::for_pairs) | all: the *product* | own entities by row, for each of them members by row: lexicographically |
//! | [`Data::join`](crate::Data::join) | those in which the member's key is one of those that the own entity asks for | own entities by row, for each of them keys as given, for each of these members by row |
//! | [`Effects::members`](crate::proxy::Effects::members) | any: a set that can be iterated over repeatedly, for products of three and more | by row |
//! | [`Effects::lookup`](crate::proxy::Effects::lookup) | any, by key | by row |
//!
//! That order follows from the world alone. So outputs, staged changes and sums are the same on any
//! number of threads, however the system or the query is split.
//!
//! An entity that belongs to both sides is paired with itself, as in Core ECS, where the product leaves out
//! nothing. That is sound, because then neither side is written, or only one at a time. To skip such pairs, compare
//! the handles.
//!
//! A *sequential* system visits the product one pair at a time, and sees the changes that it has made at earlier pairs:
//! [`Data::roll_pairs`](crate::Data::roll_pairs).
//!
//! # What may be written
//!
//! Members are read. A system must not write, of its own entities, what it reads through a query, unless `with` and
//! `without` prove the two sides disjoint ([`E0038`](crate::errors::e0038)). Likewise a system
//! that is not ordered with a user of a query must not write what that query reads, unless `with` and `without` prove
//! its entities disjoint from the query's ([`E0032`](crate::errors::e0032)). Structural changes of members
//! are staged. A sequential system writes either side, and changes either side at once.
//!
//! # Indices
//!
//! An [`Index`] is a function from an entity to a key: a name, an owner, a team, or the cell of a [`Grid`].
//! If a query declares an index, the query is executed as a system, before all systems that use it, and builds the
//! index: its subtasks compute the keys in parallel, then the members are grouped by key, by hashing. The index is
//! valid for one execution, because rows move. Building takes O(members) and allocates nothing in steady state. A
//! lookup by key takes O(1).
//!
//! ```
//! use ecs_core::joins::{Cell, Grid, Index};
//! use ecs_core::{Data, Entity, System, World, world};
//!
//! #[derive(Clone, Copy)]
//! struct Position([f32; 2]);
//!
//! world! {
//!     world Plane;
//!     component Position: contiguous_buffer;
//!     query Cells { read: [Position], index: ByCell }
//!     system Near { read: [Position], queries: [Cells], output: Vec<(Entity, Entity)> }
//! }
//!
//! /// Cells of 2 × 2.
//! const GRID: Grid<2> = Grid::new(2.0);
//!
//! #[derive(Default)]
//! struct ByCell;
//!
//! impl Index for ByCell {
//!     type Entry<'a> = CellsEntry<'a>;
//!     type Key = Cell<2>;
//!
//!     fn key(&self, e: CellsEntry<'_>) -> Cell<2> {
//!         GRID.cell(e.position.0)
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Near;
//!
//! impl System<Plane> for Near {
//!     fn process(&self, data: &mut Data<'_, Plane, Self>) {
//!         let (own, effects) = data.split();
//!         let cells = effects.lookup::<Cells, (Entity, &Position)>();
//!         let own = own.query::<(Entity, &Position)>();
//!         own.join(cells, |(_, p)| GRID.cell(p.0).around(), |&mut (a, p), (b, q)| {
//!             let [x, y] = [p.0[0] - q.0[0], p.0[1] - q.0[1]];
//!             if a < b && x * x + y * y < 2.0 {
//!                 effects.output().push((a, b));
//!             }
//!         });
//!     }
//! }
//!
//! let mut world = World::<Plane>::new();
//! world
//!     .step(|step| {
//!         for x in [0.0, 1.0, 5.0, 5.5, 100.0] {
//!             step.spawn((Position([x, -x]),)).unwrap();
//!         }
//!     })
//!     .unwrap();
//! let mut pairs = 0;
//! world
//!     .step(|step| {
//!         step.execute_systems().run();
//!         pairs = step.outputs_of::<Near>().flatten().count();
//!     })
//!     .unwrap();
//! assert_eq!(pairs, 1);
//! ```

mod grid;
mod groups;
mod hash;
mod index;
mod lookup;
mod members;
mod system;

pub use grid::{Cell, Grid};
pub use index::{HasIndex, Index, KeyOf};
pub use lookup::{Lookup, Matches};
pub use members::Members;
pub(crate) use members::{assert_query, assert_shown, assert_uses};
pub use system::{Indexed, Keyed, Unindexed};
