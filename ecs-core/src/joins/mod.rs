//! *Query vectors and joins*: systems over tuples of entities, each by a query of its own (Core ECS, 3.3), and
//! tuples that are not the full product (its section 8).
//!
//! A declaration names queries, and says which systems use them:
//!
//! ```text
//! query Still { read: [Position], without: [Velocity] }
//! query Cells { read: [Position], index: ByCell, parallelism: split_evenly(cores) }
//! system Collide { read: [Velocity], queries: [Still, Cells] }
//! ```
//!
//! A body goes over its own entities, split over subtasks as ever, and for each of them over members of a
//! query, to read what the query reads:
//!
//! | | which pairs | in which order |
//! | --- | --- | --- |
//! | [`Data::for_pairs`](crate::Data::for_pairs) | all: the *product* | own entities by row, for each of them members by row: lexicographically |
//! | [`Data::join`](crate::Data::join) | those in which the member's key is one of those that the own entity asks for | own entities by row, for each of them keys as given, for each of these members by row |
//! | [`Effects::members`](crate::proxy::Effects::members) | as one likes: a set to iterate over again and again, for products of three and more | by row |
//! | [`Effects::lookup`](crate::proxy::Effects::lookup) | as one likes, by key | by row |
//!
//! That order follows from the world alone. So what is put out, staged, or added up is the same on any
//! number of threads, however the system, or the query, is split.
//!
//! An entity that belongs to both sides meets itself, as in Core ECS, where the product leaves out
//! nothing. That is sound, since then neither side is written, or one at a time; who does not want it compares
//! handles.
//!
//! A *sequential* system goes over the product one pair at a time, and sees what it has done to those before:
//! [`Data::roll_pairs`](crate::Data::roll_pairs).
//!
//! # What may be written
//!
//! Members are read. What a system writes of its own entities must not be what it reads through a query,
//! unless `with` and `without` tell the two sides apart ([`E0038`](crate::errors::e0038)). Likewise a system
//! that no order separates from the user of a query must not write what that query reads, unless its
//! entities are told apart from the query's ([`E0032`](crate::errors::e0032)). What becomes of members
//! is staged. A sequential system writes either side, and changes either at once.
//!
//! # Indices
//!
//! An [`Index`] is a function from an entity to a key: a name, an owner, a team, or the cell of a [`Grid`].
//! Where a query declares one, an index is made when the query is executed, as a system before all that use
//! it: keys side by side over subtasks, then groups of one key, by hashing. The index serves one execution, as
//! rows move. It takes O(members) to make, allocates nothing in steady state, and finds the members with a key
//! in O(1).
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
