//! The graph of a workload's systems, as printable text.

use crate::churn::world::Churn;
use crate::particles::world::Particles;
use crate::simulation::Workload;
use clap::ValueEnum;
use ecs_core::description::Description;

/// The values of `--graph`: the language of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// A table of the declaration, with the refreshes between phases and what each holds up.
    Table,
}

/// The declaration of a workload.
///
/// The declaration of the particles is the thesis's (15.3): the same nine systems, and the edges of its figure
/// 15.1, which follow from the order that its program declares. Two edges are added. In the thesis's
/// graph, the systems that change lives, fade by lives, and draw the faded colors are unordered, so the first two
/// race on the life, and the last two on the color. Here such a
/// declaration does not compile, and `Fade` runs after `Age`, and `Render` after `Fade`.
pub fn describe(workload: Workload) -> Description {
    match workload {
        Workload::Particles => Description::of::<Particles>(),
        Workload::Churn => Description::of::<Churn>(),
    }
}

/// The graph of a workload's systems, which ends with a line break.
pub fn graph(workload: Workload, format: GraphFormat) -> String {
    let description = describe(workload);
    match format {
        GraphFormat::Dot => description.to_dot(),
        GraphFormat::Mermaid => description.to_mermaid(),
        GraphFormat::Table => description.to_string(),
    }
}
