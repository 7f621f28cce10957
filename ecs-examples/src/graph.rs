//! The graph of a workload's systems, as a picture to print.

use crate::churn::world::Churn;
use crate::particles::world::Particles;
use crate::simulation::Workload;
use clap::ValueEnum;
use ecs_core::description::Description;

/// What `--graph` takes: the language of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
}

/// The declaration behind a workload.
///
/// That of the particles is the thesis's (15.3): the same nine systems, and the edges of its figure
/// 15.1, which follow from the order that its program declares. Two edges are added. In the thesis's
/// graph nothing orders the system that changes lives, the one that fades by them, and the one that
/// draws the faded colors; so the first two race on the life, and the last two on the color. Here such a
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
    }
}
