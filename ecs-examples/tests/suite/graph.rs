//! `--graph`: the thesis's figure 15.1, printed.

use ecs_core::description::Description;
use ecs_examples::program::graph::{GraphFormat, describe, graph};
use ecs_examples::simulation::Workload;
use std::process::Command;

/// The output of the program; asserts that it writes nothing else.
fn shipped(flags: &str) -> String {
    let directory = tempfile::tempdir().expect("there is room for it");
    let output = Command::new(env!("CARGO_BIN_EXE_particles"))
        .args(flags.split_whitespace())
        .current_dir(directory.path())
        .output()
        .expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{flags}");
    let written = std::fs::read_dir(directory.path()).expect("it is there").count();
    assert_eq!(written, 0, "{flags} wrote something");
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn the_program_prints_the_graph_and_nothing_else() {
    for (flags, workload, format) in [
        ("--graph dot", Workload::Particles, GraphFormat::Dot),
        ("--graph mermaid", Workload::Particles, GraphFormat::Mermaid),
        ("--graph table", Workload::Particles, GraphFormat::Table),
        ("--graph dot --workload churn", Workload::Churn, GraphFormat::Dot),
    ] {
        assert_eq!(shipped(flags), graph(workload, format));
    }
}

#[test]
fn it_is_the_picture_of_figure_15_1() {
    insta::assert_snapshot!("particles_dot", graph(Workload::Particles, GraphFormat::Dot));
    insta::assert_snapshot!("particles_mermaid", graph(Workload::Particles, GraphFormat::Mermaid));
}

fn edges(description: &Description) -> Vec<(&'static str, &'static str)> {
    let name = |index: usize| description.systems()[index].name();
    description.edges().iter().map(|edge| (name(edge.from()), name(edge.to()))).collect()
}

#[test]
fn the_edges_are_those_of_the_thesis_and_two_that_end_its_races() {
    let of_the_thesis = [
        ("Accelerate", "Move"),
        ("Move", "KeepInBounds"),
        ("KeepInBounds", "SpatialPartition"),
        ("SpatialPartition", "Collide"),
        ("Collide", "SolveContacts"),
        ("SolveContacts", "Render"),
    ];
    let particles = describe(Workload::Particles);
    let mut ours = edges(&particles);
    let added = [("Age", "Fade"), ("Fade", "Render")];
    for edge in added.iter().chain(&of_the_thesis) {
        let at = ours.iter().position(|other| other == edge);
        ours.remove(at.unwrap_or_else(|| panic!("{edge:?} is missing")));
    }
    assert!(ours.is_empty(), "{ours:?}");
    assert_eq!(particles.systems().len(), 9);
    assert!(particles.edges().iter().all(|edge| !edge.is_implied()));
    let path = particles.critical_path();
    assert_eq!(path.systems(), [0, 1, 2, 3, 4, 5, 8]);
}
