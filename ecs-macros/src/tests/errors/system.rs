//! Codes 20 to 29: one system by itself.

use super::super::declare;
use super::fault;

#[test]
fn e0020_listed_twice() {
    fault(
        "E0020",
        "system S { remove: [A, B, A] }",
        "A",
        &["the system `S` names `A` twice in `remove`", "help: remove one of the two"],
    );
    fault(
        "E0020",
        "system S { spawn: [(A, B), (B,), (A, B)] }",
        "(A, B)",
        &["the system `S` names `(A , B)` twice in `spawn`", "help: remove one of the two"],
    );
    fault(
        "E0020",
        "system S { spawn: [(A, B, A)] }",
        "A",
        &["the system `S` names `A` twice in `spawn`", "help: remove one of the two"],
    );
}

#[test]
fn e0021_contradiction() {
    fault(
        "E0021",
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
    ] {
        let outcome = declare(&format!(
            "world W; component A: contiguous_buffer; resource R; system S {{ {lists} }}"
        ));
        let codes: Vec<&str> = outcome.found.iter().map(|found| found.code).collect();
        assert_eq!(codes, if contradicts { vec!["E0021"] } else { vec![] }, "{lists}");
    }
}

#[test]
fn e0022_shared_resource() {
    fault(
        "E0022",
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
fn e0023_parallel_exclusive() {
    fault(
        "E0023",
        "system S { exclusive, write: [A], parallelism: split_evenly(cores) }",
        "parallelism",
        &[
            "the system `S` is exclusive, so it runs as one subtask",
            "help: remove `parallelism`, or remove `exclusive`",
        ],
    );
}
