//! The two programs of ECST, declared with the orders of the originals. Both have data races. Each compiles
//! after the lines that the messages propose are added.

use super::declare;

/// The thesis's simulation (chapter 15). The original lacks the orders `Live` before `Fade`, and
/// `Fade` before `Render`.
const SIMULATION: &str = "
    world Particles { entity_limit: dynamic(50_000) }

    component Acceleration: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Position: contiguous_buffer;
    component Life: contiguous_buffer;
    component (Color, Circle): contiguous_buffer;

    system Accelerate { read: [Acceleration], write: [Velocity] }
    system Move { dependencies: [Accelerate], read: [Velocity], write: [Position] }
    system KeepInBounds { dependencies: [Move], read: [Circle], write: [Position, Velocity] }
    system Partition { dependencies: [KeepInBounds], read: [Position, Circle], output: Vec<Cell> }
    system Collide { inputs: [Partition], read: [Position, Circle], output: Vec<Contact> }
    system Solve { exclusive, inputs: [Collide], read: [Circle], write: [Position, Velocity] }
    system Live { write: [Life], despawn }
    system Fade { read: [Life], write: [Color] }
    system Render { dependencies: [Solve], read: [Circle, Position, Color], output: Vec<Vertex> }
";

/// The sample of the library: two chains, whose last systems both write the circle.
const SAMPLE: &str = "
    world Sample { entity_limit: dynamic(50_000) }

    component Acceleration: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Position: contiguous_buffer;
    component Curve: contiguous_buffer;
    component Color: contiguous_buffer;
    component Circle: contiguous_buffer;
    component Life: contiguous_buffer;

    system Accelerate { read: [Acceleration], write: [Velocity] }
    system Bend { dependencies: [Accelerate], read: [Curve], write: [Velocity] }
    system Move { dependencies: [Bend], read: [Velocity], write: [Position] }
    system Render { dependencies: [Move], read: [Position, Color], write: [Circle] }
    system Live { write: [Life], despawn }
    system Fade { dependencies: [Live], read: [Life], write: [Circle, Color] }
";

/// Adds the line that the first help proposes: ``add `dependencies: [A]` to `system B` ``.
fn follow(program: &str, message: &str) -> String {
    let help = message.lines().find(|line| line.starts_with("help: order them")).expect("help");
    let mut quoted = help.split('`').skip(1).step_by(2);
    let (line, system) = (quoted.next().expect("a line"), quoted.next().expect("a system"));
    let head = format!("{system} {{ ");
    assert!(program.contains(&head), "{head}");
    let name = line.strip_prefix("dependencies: [").and_then(|rest| rest.strip_suffix(']'));
    let list = format!("{head}dependencies: [");
    if program.contains(&list) {
        program.replace(&list, &format!("{list}{}, ", name.expect("a dependency")))
    } else {
        program.replace(&head, &format!("{head}{line}, "))
    }
}

/// The conflicts: the first line of each message, and the program with all proposals applied.
fn conflicts(program: &str) -> (Vec<String>, String) {
    let outcome = declare(program);
    assert!(outcome.found.iter().all(|found| found.code == "ECS0032"), "{:?}", outcome.found);
    let mended = outcome
        .found
        .iter()
        .fold(program.to_owned(), |program, found| follow(&program, &found.message));
    let first = |found: &super::Found| found.message.lines().next().unwrap_or_default().to_owned();
    (outcome.found.iter().map(first).collect(), mended)
}

#[test]
fn the_simulation_of_the_thesis_races_twice() {
    let (conflicts, mended) = conflicts(SIMULATION);
    assert_eq!(
        conflicts,
        [
            "the systems `Live` and `Fade` are not ordered, but `Live` writes and `Fade` reads the \
             component `Life`",
            "the systems `Fade` and `Render` are not ordered, but `Fade` writes and `Render` reads \
             the component `Color`",
        ]
    );
    assert!(mended.contains("system Fade { dependencies: [Live], read"), "{mended}");
    assert!(mended.contains("system Render { dependencies: [Fade, Solve], read"), "{mended}");
    assert_eq!(declare(&mended).faults(), []);
}

#[test]
fn the_sample_of_the_library_races() {
    let (conflicts, mended) = conflicts(SAMPLE);
    assert_eq!(
        conflicts,
        [
            "the systems `Render` and `Fade` are not ordered, but `Render` reads and `Fade` writes the \
          component `Color`, and both write the component `Circle`"
        ]
    );
    assert!(mended.contains("system Fade { dependencies: [Render, Live], read"), "{mended}");
    assert_eq!(declare(&mended).faults(), []);
}
