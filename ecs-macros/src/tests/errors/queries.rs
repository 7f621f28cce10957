//! Queries: which systems are queries, what is read through them, and when an index is valid.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0012_not_a_query() {
    fault(
        "ECS0012",
        "system X { read: [A] } system Y { queries: [X] }",
        "X",
        &[
            "the system `Y` names `X` in `queries`, which is a system, not a query",
            "help: declare what is read of its members: `query XMembers { read: [..] }`",
        ],
    );
    fault(
        "ECS0012",
        "system Y { queries: [Absent] }",
        "Absent",
        &[
            "the system `Y` names an unknown query `Absent` in `queries`",
            "help: declare it: `query Absent { read: [..] }`",
        ],
    );
}

#[test]
pub(super) fn ecs0038_meets_itself() {
    fault(
        "ECS0038",
        "query Q { read: [A] } system Y { write: [A], queries: [Q] }",
        "Q",
        &[
            "the system `Y` writes `A`, which it reads through the query `Q`, and an entity could belong to \
             both",
            "help: tell them apart: require a component in `with: [..]` of the one, and exclude it in \
             `without: [..]` of the other",
            "help: or change it at the refresh: `insert: [A]` in place of `write`, and read it",
            "help: or put the pairs into the `output` of `Y`, and let a system with `inputs: [Y]` write",
        ],
    );
}

#[test]
pub(super) fn ecs0039_refresh_before_use() {
    let text = |query: &str| {
        format!(
            "world W {{ staged_changes: refresh_before_dependents }} component A: contiguous_buffer;
             component B: contiguous_buffer; query Q {{ read: [A], index: I {query} }}
             system X {{ insert: [B] }}
             system Y {{ read: [A], with: [B], dependencies: [X], queries: [Q] }}"
        )
    };
    let outcome = declare(&text(""));
    assert_eq!(outcome.faults(), [("ECS0039", "Q")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the system `Y` uses the index of the query `Q`, but a refresh comes between them: before it `X` \
             stages what `Y` sees after it",
            "help: build the index after it, too: add `dependencies: [X]` to `query Q`",
            "help: or let changes be seen after the step: `staged_changes: after_step`",
        ]
    );
    let label = ("B".to_owned(), "`X` stages `insert: [B]` here".to_owned());
    assert_eq!(labels(&text("")), [label]);
    // As the message proposes. The original order is then redundant.
    assert_eq!(declare(&text(", with: [B], dependencies: [X]")).faults(), [("ECS0034", "X")]);
    // Without an index, nothing becomes stale.
    assert_eq!(declare(&text("").replace("index: I", "")).faults(), []);
}

/// The faults of a query and two systems.
fn faults(query: &str, x: &str, y: &str) -> Vec<&'static str> {
    let text = format!(
        "world W; component A: contiguous_buffer; component B: contiguous_buffer;
         query Q {{ {query} }} system X {{ {x} }} system Y {{ {y} }}"
    );
    declare(&text).found.iter().map(|found| found.code).collect()
}

#[test]
fn what_is_read_through_a_query_is_read() {
    let (none, conflict, itself) = (&[][..], &["ECS0032"][..], &["ECS0038"][..]);
    for (query, x, y, expected) in [
        // A query without an index is never executed, so it conflicts with no system.
        ("read: [A]", "write: [A]", "read: [B]", none),
        // A query with an index is executed.
        ("read: [A], index: I", "write: [A]", "", conflict),
        ("read: [A], index: I", "write: [A], before: [Q]", "", none),
        ("read: [A], index: I, without: [B]", "write: [A], with: [B]", "", none),
        // Systems that use it read what it reads.
        ("read: [A]", "write: [A]", "queries: [Q]", conflict),
        ("read: [B], read_optional: [A]", "write: [A]", "queries: [Q]", conflict),
        ("with: [A]", "write: [A]", "queries: [Q]", none),
        ("read: [A]", "write: [A]", "queries: [Q], dependencies: [X]", none),
        ("read: [A]", "read: [A]", "queries: [Q]", none),
        ("read: [A]", "read_any: [A]", "queries: [Q]", none),
        // The filters of the query exempt, not those of the system that uses it.
        ("read: [A], without: [B]", "write: [A], with: [B]", "queries: [Q]", none),
        ("read: [A]", "write: [A], with: [B]", "queries: [Q], without: [B]", conflict),
        ("read: [A], without: [B]", "write: [A], with: [B], exclusive", "queries: [Q]", conflict),
        // The system that uses it also has its own accesses.
        ("read: [B]", "write: [A]", "queries: [Q], read: [A]", conflict),
        // The system that uses the query is the one that writes.
        ("read: [A], without: [B]", "write: [A, B], queries: [Q]", "", none),
        ("read: [A]", "write: [A], without: [B], queries: [Q]", "", itself),
        ("read: [A], without: [B]", "write: [A], with: [B], exclusive, queries: [Q]", "", none),
        ("with: [B], read_optional: [A]", "write: [A], queries: [Q]", "", itself),
        (
            "with: [B], read_optional: [A]",
            "write_optional: [A], without: [B], queries: [Q]",
            "",
            none,
        ),
    ] {
        assert_eq!(faults(query, x, y), expected, "{query} / {x} / {y}");
    }
}

#[test]
fn what_is_unknown_is_one_fault() {
    assert_eq!(faults("read: [A], without: [C]", "write: [A]", "queries: [Q]"), ["ECS0011"]);
    assert_eq!(faults("read: [A], without: [C]", "write: [A], queries: [Q]", ""), ["ECS0011"]);
    assert_eq!(faults("read: [A], write: [B]", "", ""), ["ECS0005"]);
}

#[test]
fn a_conflict_points_at_the_query() {
    let text = "world W; component A: contiguous_buffer; query Q { read: [A] }
                system X { write: [A] } system Y { queries: [Q] }";
    assert_eq!(declare(text).faults(), [("ECS0032", "Q")]);
    let label = "`X` writes the component `A` here, which `Y` reads".to_owned();
    assert_eq!(labels(text), [("A".to_owned(), label)]);
}

#[test]
fn a_query_has_rights_and_an_entry() {
    let outcome = declare(
        "world W; component A: contiguous_buffer; query Q { read: [A], index: my::By, state: my::By(3) }
         query R { with: [A] } system X { queries: [Q, R] }",
    );
    assert_eq!(outcome.faults(), []);
    for right in ["Reads<A,W> for Q", "Queries<Q,W> for X", "Queries<R,W> for X"] {
        assert!(outcome.has(right), "{right}: {:?}", outcome.impls());
    }
    let code = prettyplease::unparse(&outcome.code);
    let code: String = code.split_whitespace().collect();
    for part in
        ["Indexed<my::By>", "Keyed<my::By>", "joins::Unindexed", ".query().indexed()", "my::By(3)"]
    {
        assert!(code.contains(part), "{part}");
    }
}
