//! Code 36: unordered systems that stage changes whose order is observable.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0036_influence() {
    let filters = "note: filters do not help, because `insert` and `remove` reach any entity whose \
                   handle a system has";
    let order = "help: order them: add `dependencies: [X]` to `system Y`, or the other way round: the \
                 changes of the later one count";
    fault(
        "ECS0036",
        "system X { with: [B], insert: [A] } system Y { without: [B], insert: [A] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but both insert the component `A`, so it would be undefined which change counts (Core ECS, corollary 4.8: what runs concurrently \
             influences different components)",
            order,
            "help: or let the values add up: `accumulate: [A]` in place of `insert: [A]` in both, which needs no order, and \
             `impl ecs_core::Accumulate for A`",
            "help: or let each send a message (`event Change: addressed;`), and one system, with `on: [Change]`, apply them",
            filters,
        ],
    );
    fault(
        "ECS0036",
        "system X { remove: [B, A] } system Y { insert: [A, B] }",
        "B",
        &[
            "the systems `X` and `Y` are not ordered, but `X` removes the component `B` and `Y` inserts \
             the component `B`, and `X` removes the component `A` and `Y` inserts the component `A`, so it would be undefined which change counts (Core ECS, corollary 4.8: what runs \
             concurrently influences different components)",
            order,
            filters,
        ],
    );
    fault(
        "ECS0036",
        "system X { accumulate: [A] } system Y { remove: [A] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` accumulates into the component `A` and `Y` removes the component \
             `A`, so it would be undefined which change counts (Core ECS, corollary 4.8: what runs concurrently influences \
             different components)",
            order,
            "note: what is accumulated needs no order with what others accumulate, but with every other change of the \
             component",
            filters,
        ],
    );
    fault(
        "ECS0036",
        "system X { defer } system Y { remove: [B] }",
        "B",
        &[
            "the systems `X` and `Y` are not ordered, but `X` defers functions that may change any \
             component and `Y` removes the component `B`, so it would be undefined which change counts (Core ECS, corollary 4.8: what runs concurrently influences different components)",
            order,
            "help: or declare what the functions of `X` do, in place of `defer`: `insert`, `remove`, \
             `spawn` and `despawn`",
        ],
    );
}

/// A declaration with these systems, and this rule for staged changes.
fn world(rule: &str, systems: &str) -> String {
    format!(
        "world W {{ staged_changes: {rule} }} component A: contiguous_buffer; component B: \
         contiguous_buffer; {systems}"
    )
}

/// Whether the two systems with these keys conflict, after the step and with refreshes between systems.
fn conflict(one: &str, other: &str) -> [bool; 2] {
    ["after_step", "refresh_before_dependents"].map(|rule| {
        let found = [[one, other], [other, one]].map(|[x, y]| {
            let text = world(rule, &format!("system X {{ {x} }} system Y {{ {y} }}"));
            let codes: Vec<_> = declare(&text).found.iter().map(|found| found.code).collect();
            assert!(codes.is_empty() || codes == ["ECS0036"], "{text}: {codes:?}");
            !codes.is_empty()
        });
        assert_eq!(found[0], found[1], "{one} / {other}");
        found[0]
    })
}

#[test]
fn what_commutes_needs_no_order() {
    let (always, refreshed, never) = ([true; 2], [false, true], [false; 2]);
    for (one, other, expected) in [
        ("insert: [A]", "insert: [A]", always),
        ("insert: [A]", "remove: [A]", always),
        ("insert: [A]", "insert: [B], remove: [A]", always),
        ("insert: [A]", "insert: [B]", never),
        ("insert: [A]", "write: [A]", refreshed),
        ("insert: [A]", "write_optional: [A]", refreshed),
        ("insert: [A]", "read: [A], with: [B], despawn, spawn: [A]", never),
        ("remove: [A]", "remove: [A]", never),
        ("remove: [A]", "write: [A]", never),
        ("update: [A]", "update: [A]", never),
        ("update: [A]", "remove: [A]", never),
        ("update: [A]", "read: [A], despawn, spawn: [A]", never),
        ("update: [A]", "read_any: [A]", never),
        ("update: [A]", "insert: [A]", always),
        ("update: [A], remove: [A]", "insert: [A]", always),
        ("update: [A], with: [B]", "insert: [A], without: [B]", always),
        ("update: [A], with: [B]", "write: [A], without: [B]", never),
        ("update: [A]", "defer", always),
        ("accumulate: [A]", "accumulate: [A]", never),
        ("accumulate: [A], with: [B]", "accumulate: [A, B], read: [A]", never),
        ("accumulate: [A]", "read: [A], despawn, spawn: [A]", never),
        ("accumulate: [A]", "insert: [A]", always),
        ("accumulate: [A]", "remove: [A]", always),
        ("accumulate: [A]", "update: [A]", always),
        ("accumulate: [A]", "write: [A]", refreshed),
        ("accumulate: [A]", "defer", always),
        ("despawn", "despawn", never),
        ("despawn", "insert: [A], remove: [B], spawn: [(A, B)]", never),
        ("spawn: [A]", "spawn: [A]", never),
        ("defer", "defer", always),
        ("defer", "insert: [A]", always),
        ("defer", "remove: [A]", always),
        ("defer", "write: [A]", refreshed),
        ("defer", "read: [A], despawn, spawn: [A]", never),
        // Filters exempt no system.
        ("with: [B], insert: [A]", "without: [B], insert: [A]", always),
    ] {
        assert_eq!(conflict(one, other), expected, "{one} / {other}");
    }
}

#[test]
pub(super) fn ecs0036_parted_updates() {
    let parted = |x: &str, y: &str| {
        world(
            "refresh_before_dependents",
            &format!(
                "system X {{ update: [A]{x} }} system S {{ read: [B], insert: [B] }}
                 system Y {{ update: [A], read: [B], dependencies: [S]{y} }}"
            ),
        )
    };
    let text = parted("", "");
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0036", "A")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the systems `X` and `Y` are not ordered, but both update the component `A`, with a refresh \
             between them, so it would be undefined which of them sees the other's changes (Core ECS, \
             corollary 4.8: what runs concurrently influences different components)",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "help: or tell their entities apart: require a component in `with: [..]` of the one, and \
             exclude it in `without: [..]` of the other",
        ]
    );
    let label = "here `X` updates the component `A`, and `Y` in another phase";
    assert_eq!(labels(&text), [("A".to_owned(), label.to_owned())]);
    for accepted in [
        text.replace("refresh_before_dependents", "after_step"),
        parted(", dependencies: [Y]", ""),
        parted("", ", inputs: [X]"),
        parted(", without: [B]", ""),
        // In one phase.
        parted(", dependencies: [S], with: [B]", ""),
        text.replace(", insert: [B]", ""),
    ] {
        assert_eq!(declare(&accepted).faults(), [], "{accepted}");
    }
}

#[test]
fn ordered_changes_and_unknown_names_are_no_further_fault() {
    for systems in [
        "system X { insert: [A] } system Y { insert: [A], dependencies: [X] }",
        "system X { insert: [A], dependencies: [Y] } system Y { insert: [A] }",
        "system X { insert: [A] } system Z { inputs: [X] } system Y { defer, inputs: [Z] }",
        "system X { insert: [A] } system Y { remove: [A] } order Y -> X;",
    ] {
        assert_eq!(declare(&world("after_step", systems)).faults(), [], "{systems}");
    }
    let systems = "system X { insert: [A] } system Y { insert: [A], dependencies: [Unknown] }";
    assert_eq!(declare(&world("after_step", systems)).faults(), [("ECS0012", "Unknown")]);
    let systems = "system X { insert: [Unknown] } system Y { insert: [Unknown] }";
    let outcome = declare(&world("after_step", systems));
    assert_eq!(outcome.faults(), [("ECS0011", "Unknown"), ("ECS0011", "Unknown")]);
}

#[test]
fn a_fault_points_at_each_change() {
    let text =
        world("after_step", "system X { insert: [A, B] } system Y { remove: [B], insert: [A] }");
    let found = labels(&text);
    assert_eq!(
        found,
        [
            ("A", "here `X` inserts the component `A`, and `Y` inserts the component `A`"),
            ("B", "here `X` inserts the component `B`, and `Y` removes the component `B`"),
            ("B", "here `Y` removes the component `B`, and `X` inserts the component `B`"),
        ]
        .map(|(at, text)| (at.to_owned(), text.to_owned()))
    );
    let text = world("after_step", "system X { insert: [A] } system Y { defer }");
    assert_eq!(labels(&text).len(), 1);
    assert_eq!(declare(&text).faults(), [("ECS0036", "defer")]);
}

#[test]
fn the_ends_of_a_stream_run_at_the_same_time() {
    let text = world(
        "after_step",
        "system X { output: Stream<u32>, insert: [A] } system Y { streams: [X], insert: [A] }",
    );
    let message = &declare(&text).found[0].message;
    assert!(message.contains("run at the same time, as the ends of a stream"), "{message}");
    assert!(message.contains("`inputs: [X]` in place of `streams: [X]`"), "{message}");
}
