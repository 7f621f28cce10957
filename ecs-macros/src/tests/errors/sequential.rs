//! Codes 27 and 37: keys that a sequential system cannot have, and unordered systems that see its immediate changes.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0027_beside_sequential() {
    fault(
        "ECS0027",
        "system X { sequential, exclusive, write: [A] }",
        "exclusive",
        &[
            "the system `X` declares `exclusive` beside `sequential`, which says that already",
            "help: remove `exclusive`",
        ],
    );
    fault(
        "ECS0027",
        "system X { defer, write: [A], sequential }",
        "defer",
        &[
            "the system `X` declares `defer` beside `sequential`, but what it does happens at once, and \
             nothing is put off",
            "help: remove `defer`, or defer functions in another system",
        ],
    );
    fault(
        "ECS0027",
        "system X { sequential, update: [A] }",
        "A",
        &[
            "the system `X` declares `update` beside `sequential`, but what it does happens at once",
            "help: list in `write` what it updates",
        ],
    );
    fault(
        "ECS0027",
        "system X { sequential, accumulate: [A] }",
        "A",
        &[
            "the system `X` declares `accumulate` beside `sequential`, but what it does happens at once",
            "help: list in `write` what it merges values into",
        ],
    );
    for [x, y, end] in [["sequential, ", "", "X"], ["", "sequential, ", "Y"]] {
        fault(
            "ECS0027",
            &format!("system X {{ {x}output: Stream<u32> }} system Y {{ {y}streams: [X] }}"),
            "X",
            &[
                &format!(
                    "the systems `X` and `Y` are the ends of a stream, but `{end}` is sequential, so it \
                     runs alone"
                ),
                "help: let `X` output a `Vec`, and declare `inputs: [X]` in place of `streams: [X]`",
            ],
        );
    }
    let shown = labels("world W; system X { defer, sequential }");
    assert_eq!(shown, [("sequential".to_owned(), "`X` is sequential here".to_owned())]);
}

/// It holds one pair at a time, so it may write what it reads through its query; other systems may not write that
/// without an order.
#[test]
fn a_sequential_system_may_have_queries() {
    for (systems, expected) in [
        ("query Q { read: [B] } system X { sequential, queries: [Q], write: [A], despawn }", &[][..]),
        ("query Q { read: [A] } system X { sequential, queries: [Q], write: [A] }", &[]),
        ("query Q { read: [A] } system X { sequential, queries: [Q], write_optional: [A] }", &[]),
        ("query Q { read: [A] } system X { exclusive, queries: [Q], write: [A] }", &["ECS0038"]),
        (
            "query Q { read: [A] } system X { sequential, queries: [Q] } system Y { write: [A] }",
            &["ECS0032"],
        ),
        (
            "query Q { read: [A], without: [B] } system X { sequential, queries: [Q] }
             system Y { write: [A], with: [B] }",
            &[],
        ),
        // It may write of members what it may write of entities.
        (
            "query Q { read: [A], without: [B] } system X { sequential, queries: [Q], write_optional: [A] }
             system Y { read: [A], with: [B] }",
            &["ECS0032"],
        ),
        // Immediate changes of another system are seen through its query.
        (
            "query Q { with: [A] } system X { sequential, queries: [Q] }
             system Y { sequential, insert: [A] }",
            &["ECS0037"],
        ),
        (
            "query Q { with: [A] } system X { sequential, queries: [Q], dependencies: [Y] }
             system Y { sequential, insert: [A], despawn }",
            &[],
        ),
    ] {
        assert_eq!(codes("after_step", systems), expected, "{systems}");
    }
    let late = "query Q { with: [A] } system X { insert: [A] }
                system Y { sequential, queries: [Q], dependencies: [X] }";
    assert_eq!(codes("deny", late), ["ECS0035"]);
}

#[test]
fn it_may_write_of_members_what_it_writes() {
    let rights = |keys: &str| {
        let text = format!("query Q {{ read: [A, B] }} system X {{ {keys} }}");
        let outcome = declare(&world("after_step", &text));
        [outcome.has("WritesMembers<A,W> for X"), outcome.has("WritesMembers<B,W> for X")]
    };
    assert_eq!(rights("sequential, queries: [Q], write: [A]"), [true, false]);
    assert_eq!(rights("sequential, queries: [Q], read: [B], write_optional: [A]"), [true, false]);
    assert_eq!(rights("sequential, write: [A]"), [false, false]);
    assert_eq!(rights("queries: [Q], update: [A]"), [false, false]);
}

/// A declaration with these systems, and this rule for staged changes.
fn world(rule: &str, systems: &str) -> String {
    format!(
        "world W {{ staged_changes: {rule} }} component A: contiguous_buffer; component B: \
         contiguous_buffer; {systems}"
    )
}

fn codes(rule: &str, systems: &str) -> Vec<&'static str> {
    declare(&world(rule, systems)).found.iter().map(|found| found.code).collect()
}

#[test]
pub(super) fn ecs0037_seen_at_once() {
    let text = "system X { sequential, read: [B], insert: [A] } system Y { without: [A] }";
    fault(
        "ECS0037",
        text,
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` is sequential: `insert: [A]` happens at \
             once, and `Y` would see it or not",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
        ],
    );
    let shown = labels(&world("after_step", text));
    let label = "`X` has `insert: [A]` here, which happens at once";
    assert_eq!(shown, [("A".to_owned(), label.to_owned())]);
    let outcome = declare(&world(
        "after_step",
        "system Y { read_any: [B] } system X { despawn, sequential }",
    ));
    assert_eq!(outcome.faults(), [("ECS0037", "B")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the systems `X` and `Y` are not ordered, but `X` is sequential: `despawn` happens at once, and \
             `Y` would see it or not",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
        ]
    );
}

#[test]
fn who_sees_what_is_done_at_once() {
    for (x, y, seen) in [
        ("insert: [A]", "with: [A]", true),
        ("insert: [A]", "read_any: [A]", true),
        ("insert: [A]", "update: [A]", true),
        ("insert: [A]", "write_optional: [A]", true),
        ("remove: [A]", "without: [A]", true),
        ("remove: [A]", "read: [B]", false),
        ("despawn", "without: [B]", true),
        ("despawn", "write_resources: []", false),
        ("despawn", "opt_in", true),
        ("spawn: [A]", "read: [A]", false),
        ("insert: [A]", "sequential, insert: [A]", true),
        ("insert: [A]", "sequential, remove: [A]", true),
        ("remove: [A]", "sequential, remove: [A]", false),
        // Staged changes are applied later, in any order.
        ("insert: [A]", "insert: [A]", false),
        ("remove: [A]", "insert: [A]", false),
        ("despawn", "defer", false),
    ] {
        for swapped in [false, true] {
            let (x, y) = (format!("system X {{ sequential, {x} }}"), format!("system Y {{ {y} }}"));
            let systems = if swapped { format!("{y} {x}") } else { format!("{x} {y}") };
            let expected = if seen { vec!["ECS0037"] } else { vec![] };
            assert_eq!(codes("after_step", &systems), expected, "{systems}");
            for order in ["order X -> Y;", "order Y -> X;"] {
                assert_eq!(
                    codes("after_step", &format!("{systems} {order}")),
                    [""; 0],
                    "{systems}"
                );
            }
        }
    }
    // A conflict of writes is reported alone.
    let written = "system X { sequential, write: [A], despawn } system Y { read: [A] }";
    assert_eq!(codes("after_step", written), ["ECS0032"]);
    let disjoint =
        "system X { sequential, write: [A], with: [B] } system Y { read: [A], without: [B] }";
    assert_eq!(codes("after_step", disjoint), ["ECS0032"], "it reaches all entities");
}

#[test]
fn beside_what_is_staged_it_counts_as_written() {
    for (x, y) in [
        ("insert: [A]", "insert: [A]"),
        ("insert: [A]", "remove: [A]"),
        ("remove: [A]", "insert: [A]"),
    ] {
        let systems = format!("system X {{ sequential, {x} }} system Y {{ {y} }}");
        assert_eq!(codes("after_step", &systems), [""; 0], "{systems}");
        assert_eq!(codes("refresh_before_dependents", &systems), ["ECS0036"], "{systems}");
    }
    let removed = "system X { sequential, remove: [A] } system Y { remove: [A] }";
    assert_eq!(codes("refresh_before_dependents", removed), [""; 0]);
}

#[test]
fn what_is_added_comes_too_late() {
    for (x, y, late) in [
        ("insert: [A]", "read: [A]", true),
        ("insert: [A]", "without: [A]", true),
        ("insert: [A]", "read_optional: [A], with: [B]", false),
        ("remove: [A]", "read: [A]", false),
        ("remove: [A]", "without: [A]", true),
        ("despawn", "read: [A]", false),
        ("spawn: [A]", "read: [A]", true),
        ("spawn: [A]", "read: [A, B]", false),
    ] {
        let systems =
            format!("system X {{ sequential, {x} }} system Y {{ dependencies: [X], {y} }}");
        let expected = if late { vec!["ECS0035"] } else { vec![] };
        assert_eq!(codes("deny", &systems), expected, "{systems}");
    }
    let text = world(
        "deny",
        "system X { sequential, insert: [A] } system Y { read: [A], dependencies: [X] }",
    );
    let message = &declare(&text).found[0].message;
    let first = "new matches by `insert: [A]` of the system `X` show after the step, too late for `Y`, which runs \
                 after `X` and sees it";
    assert_eq!(message.lines().next(), Some(first));
}
