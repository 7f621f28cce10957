//! Codes 20 to 29: one system by itself.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0020_listed_twice() {
    fault(
        "ECS0020",
        "system S { remove: [A, B, A] }",
        "A",
        &["the system `S` names `A` twice in `remove`", "help: remove one of the two"],
    );
}

#[test]
pub(super) fn ecs0020_bundle_listed_twice() {
    fault(
        "ECS0020",
        "system S { spawn: [(A, B), (B,), (A, B)] }",
        "(A, B)",
        &["the system `S` names `(A, B)` twice in `spawn`", "help: remove one of the two"],
    );
    // The components count, in any order, and by any name.
    for (list, second, label) in [
        ("(A, B), (B,), (B, A)", "(B, A)", "`(A, B)` is listed here first: the same components"),
        ("A, (A,)", "(A,)", "`A` is listed here first: the same components"),
        ("(B, A), Both", "Both", "`(B, A)` is listed here first: the same components"),
    ] {
        let text = format!("bundle Both {{ A, B }} system S {{ spawn: [{list}] }}");
        let message = format!("the system `S` names `{second}` twice in `spawn`");
        fault("ECS0020", &text, second, &[&message, "help: remove one of the two"]);
        let world = format!("world W; component A, B; {text}");
        assert_eq!(labels(&world)[0].1, label);
    }
}

#[test]
pub(super) fn ecs0020_bundle_twice() {
    fault(
        "ECS0020",
        "system S { spawn: [(A, B, A)] }",
        "A",
        &["the system `S` names `A` twice in `spawn`", "help: remove one of the two"],
    );
}

#[test]
pub(super) fn ecs0021_contradiction() {
    fault(
        "ECS0021",
        "system S { read: [B, A], write: [A] }",
        "A",
        &[
            "the system `S` names `A` in `read` and in `write`",
            "help: what a system writes it can read, too: remove it from the list that reads",
        ],
    );
    for (lists, contradicts) in [
        ("write: [A], read: [A]", true),
        ("read: [A], read_optional: [A]", true),
        ("write_optional: [A], read: [A]", true),
        ("read_optional: [A], write_optional: [A]", true),
        ("write: [A], read_any: [A]", true),
        ("read_any: [A], write_optional: [A]", true),
        ("read: [A], read_any: [A]", false),
        ("with: [A], read: [A]", false),
        ("with: [A], without: [A]", true),
        ("without: [A], write: [A]", true),
        ("without: [A], read_optional: [A]", true),
        ("without: [A], insert: [A]", false),
        ("without: [A], read_any: [A]", false),
        ("insert: [A], remove: [A]", false),
        ("read_resources: [R], write_resources: [R]", true),
        ("read: [A], update: [A]", true),
        ("update: [A], read_optional: [A]", true),
        ("update: [A], write: [A]", true),
        ("write_optional: [A], update: [A]", true),
        ("update: [A], insert: [A]", true),
        ("without: [A], update: [A]", true),
        ("accumulate: [A], insert: [A]", true),
        ("remove: [A], accumulate: [A]", true),
        ("accumulate: [A], update: [A]", true),
        ("accumulate: [A], write: [A]", false),
        ("read: [A], accumulate: [A], without: [B]", false),
        ("update: [A], remove: [A], read_any: [A], with: [A]", false),
    ] {
        let outcome = declare(&format!(
            "world W; component A, B: contiguous_buffer; resource R; system S {{ {lists} }}"
        ));
        let codes: Vec<&str> = outcome.found.iter().map(|found| found.code).collect();
        assert_eq!(codes, if contradicts { vec!["ECS0021"] } else { vec![] }, "{lists}");
    }
}

#[test]
pub(super) fn ecs0022_shared_resource() {
    fault(
        "ECS0022",
        "system S { write_resources: [R], parallelism: none_below_threshold(9, split_evenly(2)) }",
        "R",
        &[
            "the system `S` writes the resource `R` from several subtasks",
            "help: declare `parallelism: none` for `S`, or put the result into its `output` and \
             let a system with `inputs: [S]` write the resource",
        ],
    );
    let outcome = declare(
        "world W; resource R;
         system S { write_resources: [R], parallelism: none_below_threshold(9, none) }
         system T { read_resources: [R], parallelism: split_evenly(cores), dependencies: [S] }",
    );
    assert_eq!(outcome.faults(), []);
}

#[test]
pub(super) fn ecs0023_parallel_exclusive() {
    fault(
        "ECS0023",
        "system S { exclusive, write: [A], parallelism: split_evenly(cores) }",
        "parallelism",
        &[
            "the system `S` is exclusive, so it reaches any entity, and its subtasks could meet at one \
             (Core ECS, corollary 4.9: what runs concurrently with itself influences one entity at a \
             time, its own)",
            "help: one subtask: remove `parallelism`",
            "help: or own entities only: remove `exclusive`",
        ],
    );
    let outcome = declare(
        "world W; component A: contiguous_buffer; system S { sequential, write: [A], parallelism: \
         split_every(64) }",
    );
    assert_eq!(outcome.faults(), [("ECS0023", "parallelism")]);
    assert!(outcome.found[0].message.starts_with("the system `S` is sequential, so it reaches"));
}

#[test]
pub(super) fn ecs0023_parallel_consumer() {
    fault(
        "ECS0023",
        "system P { read: [A], output: Stream<u32> }
         system S { streams: [P], parallelism: split_evenly(cores), write_resources: [R] }",
        "parallelism",
        &[
            "the system `S` takes a stream, so it is one subtask, and `parallelism` splits nothing",
            "help: remove `parallelism`",
        ],
    );
    let outcome = declare(
        "world W; component A: contiguous_buffer; resource R;
         system P { read: [A], output: Stream<u32>, parallelism: split_evenly(cores) }
         system S { streams: [P], parallelism: none, write_resources: [R] }",
    );
    assert_eq!(outcome.faults(), []);
}

#[test]
pub(super) fn ecs0023_shared_events() {
    fault(
        "ECS0023",
        "event E, F; system P { emit: [E, F], with: [A], run: |_| {} }
         system S { on: [E, F], parallelism: split_evenly(cores), run: |_| {} }",
        "parallelism",
        &[
            "the system `S` has no entities, so its subtasks share the events `E`, and it also reads `F`",
            "help: move `on: [F]` to a system of its own",
            "help: or one subtask: remove `parallelism`",
        ],
    );
    fault(
        "ECS0023",
        "event E; system P { emit: [E], with: [A], run: |_| {} }
         system S { removed: [A], on: [E], parallelism: split_evenly(cores), run: |_| {} }",
        "parallelism",
        &[
            "the system `S` has no entities, so its subtasks share the events `E`, and it also reads `A`",
            "help: move `removed: [A]` to a system of its own",
            "help: or one subtask: remove `parallelism`",
        ],
    );
    for others in ["with: [A],", "parallelism: none,"] {
        let outcome = declare(&format!(
            "world W; component A; event E, F; system P {{ emit: [E, F], with: [A], run: |_| {{}} }}
             system S {{ {others} on: [E, F], run: |_| {{}} }}"
        ));
        assert_eq!(outcome.faults(), []);
    }
}

#[test]
pub(super) fn ecs0024_idle_threshold() {
    fault(
        "ECS0024",
        "system S { read: [A], parallelism: none_below_threshold(1, split_evenly(cores)) }",
        "1",
        &[
            "the threshold 1 has no effect: below it `S` has nothing to split",
            "help: write only the strategy that is meant, or a threshold of at least 2",
        ],
    );
    fault(
        "ECS0024",
        "system S { read: [A],
             parallelism: none_below_threshold(9, none_below_threshold(9, split_evenly(2))) }",
        "9",
        &[
            "the threshold 9 has no effect: here `S` has at least 9 entities",
            "help: write only the strategy that is meant, or a threshold of at least 10",
        ],
    );
    fault(
        "ECS0024",
        "system S { read: [A],
             parallelism: fixed_threshold(9, none_below_threshold(9, split_evenly(2)), none) }",
        "9",
        &[
            "the threshold 9 has no effect: here `S` has at most 8 entities",
            "help: write only the strategy that is meant, or a threshold of 2 to 8",
        ],
    );
    for strategy in [
        "none_below_threshold(2, split_evenly(2))",
        "none_below_threshold(9, none_below_threshold(10, split_evenly(2)))",
        "fixed_threshold(9, none_below_threshold(8, split_evenly(2)), split_every(4))",
        "none_below_threshold(N, none_below_threshold(2, split_evenly(2)))",
    ] {
        let outcome = declare(&format!("world W; system S {{ parallelism: {strategy} }}"));
        assert_eq!(outcome.faults(), [], "{strategy}");
    }
}

#[test]
pub(super) fn ecs0025_mixed_effects() {
    fault(
        "ECS0025",
        "system S { exclusive, write: [A], insert: [B, A] }",
        "A",
        &[
            "the exclusive system `S` changes `A` both at once (`write`) and at the refresh \
             (`insert`), so what it writes after staging is lost",
            "help: do one of the two in another system: put the entities into the `output` of \
             `S`, and let a system with `inputs: [S]` have `insert: [A]`",
        ],
    );
    for (keys, mixed) in [
        ("exclusive, write_optional: [A], remove: [A]", true),
        ("exclusive, read: [A], insert: [A]", false),
        ("exclusive, write: [A], insert: [B], despawn", false),
        // A system that visits each of its entities once may count down and then remove.
        ("write: [A], remove: [A]", false),
        ("write: [A], insert: [A]", false),
    ] {
        let outcome = declare(&format!(
            "world W; component A: contiguous_buffer; component B: contiguous_buffer;
             system S {{ {keys} }}"
        ));
        let codes: Vec<&str> = outcome.found.iter().map(|found| found.code).collect();
        assert_eq!(codes, if mixed { vec!["ECS0025"] } else { vec![] }, "{keys}");
    }
}

#[test]
fn every_token_that_has_a_part_in_a_fault_is_shown() {
    for (keys, label) in [
        ("read: [A, A]", ("A", "`A` is listed here first")),
        ("spawn: [A, A]", ("A", "`A` is listed here first")),
        ("read: [A], write: [A]", ("A", "`A` is in `read` here")),
        ("read: [A], read: []", ("read", "`read` is here first")),
        (
            "write_resources: [R], parallelism: split_evenly(2)",
            ("parallelism", "`S` is split into subtasks here"),
        ),
        ("parallelism: split_evenly(2), exclusive", ("exclusive", "`S` is exclusive here")),
        ("exclusive, write: [A], remove: [A]", ("A", "`A` is written at once here")),
    ] {
        let found = labels(&format!(
            "world W; component A: contiguous_buffer; resource R; system S {{ {keys} }}"
        ));
        assert_eq!(found, [(label.0.to_owned(), label.1.to_owned())], "{keys}");
    }
}
