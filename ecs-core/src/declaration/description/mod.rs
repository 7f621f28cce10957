//! *Descriptions*: a declaration as data to print, draw and measure.
//!
//! A [`Description`] is made on demand from a declaration's constant tables
//! ([`signature`]), the same ones that drive the accesses at run time. It needs no world, and adds no cost to
//! worlds.
//!
//! ```
//! use ecs_core::description::{Description, List};
//! # use ecs_core::world;
//! # struct Position(f32);
//! # struct Velocity(f32);
//! # struct Color(u8);
//! world! {
//!     world Discs;
//!     component Position, Velocity, Color;
//!     system Move {
//!         each: |position: &mut Position, velocity: &Velocity| position.0 += velocity.0,
//!     }
//!     system Fade { each: |color: &mut Color| color.0 /= 2 }
//!     system Draw {
//!         read: [Position],
//!         dependencies: [Move, Fade],
//!         output: Vec<u8>,
//!         each: |color: &Color, effects| effects.output().push(color.0),
//!     }
//! }
//!
//! let discs = Description::of::<Discs>();
//! let draw = discs.system("Draw").unwrap();
//! assert_eq!(draw.list(List::Read), ["Position", "Color"]);
//! assert_eq!((draw.level(), draw.output()), (1, Some("Vec<u8>")));
//! assert_eq!(discs.critical_path().systems(), [0, 2]);
//!
//! println!("{discs}"); // a table
//! println!("{}", discs.to_dot()); // a picture, by Graphviz
//! # assert!(discs.to_string().starts_with("world Discs"));
//! # assert!(discs.to_dot().contains("Fade"));
//! ```

/// Generates a method for each line, which returns a field: a copy of it, or a reference to it.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = $(&$reference:ident)? $($copy:ident)?;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> $ty {
            $(&self.$reference)? $(self.$copy)?
        }
    )*};
}

mod barrier;
mod critical_path;
mod data;
mod edge;
mod picture;
mod short_name;
mod system;
mod table;

pub use barrier::{Barrier, Cause, HeldUp};
pub use critical_path::CriticalPath;
pub use data::{ComponentDescription, ResourceDescription, Storage};
pub use ecs_rules::{Flag, List};
pub use edge::{Edge, EdgeKind};
pub use system::{Spawns, SystemDescription};

use crate::scheduling::scheduler::Dag;
use crate::signature::{self, Declaration, Phases, StagedChanges};

/// A declaration as data: its components, resources and systems, the accesses, and the order.
///
/// All lists are in the order of declaration, so a position in one is the index that the tables use.
/// [`Display`](core::fmt::Display) prints it as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    name: &'static str,
    staged_changes: StagedChanges,
    components: Vec<ComponentDescription>,
    resources: Vec<ResourceDescription>,
    systems: Vec<SystemDescription>,
    edges: Vec<Edge>,
    phase_count: usize,
    barriers: Vec<Barrier>,
}

impl Description {
    /// Describes the declaration `D`. Time and memory grow with its tables.
    ///
    /// # Panics
    /// If `D` is implemented by hand and its `dispatch` does not visit every system. Any other fault of a declaration
    /// is a compile error ([`check`](signature::check())).
    #[must_use]
    pub fn of<D: Declaration>() -> Self {
        const { signature::check::<D>() };
        let phases = const { &Phases::of::<D>() };
        let edges = edge::edges(D::SYSTEMS);
        let pairs = edges.iter().map(|edge| (edge.from(), edge.to()));
        let dag = Dag::from_edges(D::SYSTEMS.len(), pairs).expect("checked: it has no cycle");
        let schedule: Vec<_> = (0..D::SYSTEMS.len())
            .map(|index| signature::stream_dependencies(D::SYSTEMS, index))
            .collect();
        let levels = Dag::new(&schedule).expect("checked: it has no cycle").levels();
        let system = |index| system::describe::<D>(index, levels[index], phases.phase(index));
        Self {
            name: D::NAME,
            staged_changes: D::STAGED_CHANGES,
            components: data::components(D::COMPONENTS),
            resources: data::resources(D::RESOURCES),
            systems: (0..D::SYSTEMS.len()).map(system).collect(),
            edges: edge::mark_implied(edges, &dag),
            phase_count: phases.count(),
            barriers: barrier::describe::<D>(phases),
        }
    }

    getters! {
        /// The declaration's name.
        name: &'static str = name;
        /// When systems see staged changes.
        staged_changes: StagedChanges = staged_changes;
        /// The components.
        components: &[ComponentDescription] = &components;
        /// The resources.
        resources: &[ResourceDescription] = &resources;
        /// The systems: the nodes of the graph.
        systems: &[SystemDescription] = &systems;
        /// The edges of the graph as declared, sorted by the waiting system, then by the one that it waits for. There is
        /// one for each pair of systems.
        edges: &[Edge] = &edges;
        /// The number of [phases](Phases) of an execution: at least 1.
        phase_count: usize = phase_count;
        /// The refreshes between phases, in order: what forces each, which systems go on over it, and which it holds up.
        barriers: &[Barrier] = &barriers;
    }

    /// The system with that name, if there is one. O(systems).
    pub fn system(&self, name: &str) -> Option<&SystemDescription> {
        self.systems.iter().find(|system| system.name() == name)
    }

    /// The edges without those that follow from others: the smallest set that gives the same order (the
    /// *transitive reduction*).
    pub fn reduced_edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| !edge.is_implied())
    }

    /// The maximal number of systems on a path through the graph: one more than the highest
    /// [level](SystemDescription::level). 0 if there are no systems.
    pub fn level_count(&self) -> usize {
        self.systems.iter().map(|system| system.level() + 1).max().unwrap_or(0)
    }
}
