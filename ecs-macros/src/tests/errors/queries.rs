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
            "world W {{ staged_changes: refresh_before_dependents }} component A, B;
             query Q {{ index: by_key(A) }} {query}
             system V {{ read: [A], queries: [Q] }}
             system X {{ insert: [B] }}
             system Y {{ read: [A], with: [B], dependencies: [X], queries: [Q] }}"
        )
    };
    let outcome = declare(&text(""));
    assert_eq!(outcome.faults(), [("ECS0039", "Q")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the systems `V` and `Y` use the index of the query `Q`, but a refresh comes between them: before \
             it `X` stages what `Y` sees after it",
            "help: declare a second query, `query QAgain { .. }`, with the keys of `query Q`, and use it in \
             `system Y`: its index is made later",
            "help: or let changes be seen after the step: `staged_changes: after_step`",
        ]
    );
    let label = ("B".to_owned(), "`X` stages `insert: [B]` here".to_owned());
    assert_eq!(labels(&text("")), [label]);
    // As the message proposes.
    let second = "dependencies: [X], queries: [QAgain]";
    let mended = text("query QAgain { index: by_key(A) }")
        .replace("dependencies: [X], queries: [Q]", second);
    assert_eq!(declare(&mended).faults(), []);
    // One user places the index in its own phase.
    let one = text("").replace("system V { read: [A], queries: [Q] }", "");
    assert_eq!(declare(&one).faults(), []);
    // Without an index, nothing becomes stale.
    assert_eq!(declare(&text("").replace("index: by_key(A)", "read: [A]")).faults(), []);
}

#[test]
fn an_index_is_made_after_a_seen_refresh() {
    let text = |of_y: &str, of_v: &str| {
        format!(
            "world W {{ staged_changes: deny }} component A, B; query Q {{ index: by_key(A) }}
             system X {{ write: [A], remove: [A] }}
             system Y {{ with: [A], queries: [Q], {of_y}: [{}] }}
             system V {{ with: [A], queries: [{of_v}], before: [X] }}",
            if of_y == "sees" { "X.remove" } else { "X" }
        )
    };
    // The index comes after `X`, which writes its keys, so it comes after the refresh too.
    let alone = |of_y| {
        let text = text(of_y, "Q");
        let end = text.find("system V").expect("a system");
        declare(&text[..end])
    };
    assert_eq!(alone("sees").faults(), []);
    // The user is to see it, and the index is made with it.
    let late = alone("dependencies");
    assert_eq!(late.faults(), [("ECS0035", "A")]);
    let help = "add `sees: [X.remove]` to `system Y`, in place of `dependencies: [X]`";
    assert!(late.found[0].message.contains(help), "{}", late.found[0].message);
    // Another user in an earlier phase needs an index of its own.
    assert_eq!(declare(&text("sees", "Q")).faults(), [("ECS0097", "Q")]);
    let again = text("sees", "QAgain") + "query QAgain { index: by_key(A) }";
    assert_eq!(declare(&again).faults(), []);
    let unordered = "world W; component A, B; query Q { index: by_key(A) } system X { insert: [B] }
                     system V { read: [A], queries: [Q] }
                     system Y { read: [A], sees: [X.insert], queries: [Q] }";
    let outcome = declare(unordered);
    assert_eq!(outcome.faults(), [("ECS0039", "Q")]);
    let message = &outcome.found[0].message;
    assert!(message.contains("before it `X` stages what `Y` sees after it"), "{message}");
    assert!(message.ends_with("remove `sees` from `system Y`"), "{message}");
    assert_eq!(declare(&unordered.replace("sees: [X.insert], ", "")).faults(), []);
}

#[test]
pub(super) fn ecs0011_unknown_member() {
    let found = |text: &str| {
        let text = format!("world W; component Apple; query Q {{ read: [Apple] }} {text}");
        let found = declare(&text).found;
        found.into_iter().map(|found| (found.code, found.at)).collect::<Vec<_>>()
    };
    assert_eq!(found("system X { queries: [Q(Appel)] }"), [("ECS0011", "Appel".to_owned())]);
    assert_eq!(found("system X { queries: [Q(Apple)] }"), []);
    assert_eq!(found("query R { index: by_key(Appel) }"), [("ECS0011", "Appel".to_owned())]);
}

#[test]
pub(super) fn ecs0098_not_shown() {
    fault(
        "ECS0098",
        "query Q { index: by_key(A) } system X { queries: [Q(A, B)] }",
        "B",
        &[
            "the system `X` reads `B` through the query `Q`, which does not read it",
            "help: add `B` to the `read: [..]` of `query Q`",
        ],
    );
    let mended = "world W; component A, B; query Q { index: by_key(A), read: [B] }
                  system X { queries: [Q(A, B)] }";
    assert_eq!(declare(mended).faults(), []);
}

#[test]
pub(super) fn ecs0096_unknown_index() {
    fault(
        "ECS0096",
        "query Q { read: [A], index: by_cel(A, 1.0) }",
        "by_cel",
        &["the query `Q` has an unknown index `by_cel`", "help: did you mean `by_cell`?"],
    );
    fault(
        "ECS0096",
        "query Q { read: [A], index: hashed(A).within(1, 2) }",
        "hashed",
        &[
            "the query `Q` has an unknown index `hashed`",
            "help: write `by_key(Component)`, `by_cell(Component, size)`, or the path of a type that \
             implements `Index`",
        ],
    );
    fault(
        "ECS0096",
        "query Q { read: [A], index: by_key(|a| a.0) }",
        "|a| a.0",
        &[
            "the index of the query `Q` has a closure that does not say what it takes and returns",
            "help: write the types: `|component: &Team| -> u8 { .. }`",
        ],
    );
}

#[test]
fn the_parts_of_an_index_are_asked_for() {
    for (index, expected) in [
        ("by_cell(A)", "expected `,` and the size of a cell"),
        ("by_cell(A, 1.0).bounds(1, 2)", "expected `within`"),
        ("by_cell(A, 1.0).within(1)", "expected two points"),
        ("by_key(A).within(1, 2)", "only `by_cell` has bounds"),
        ("by_key(1 + 2)", "expected a component, or a closure that takes one"),
        ("by_key(A, 1.0)", "expected `)`"),
    ] {
        let text = format!("world W; component A; query Q {{ read: [A], index: {index} }}");
        let found = declare(&text).found;
        assert_eq!(found.len(), 1, "{index}: {found:?}");
        assert!(found[0].message.starts_with(expected), "{index}: {}", found[0].message);
    }
    let none = "world W; component A; query Q { read: [A] } system X { queries: [Q()] }";
    assert_eq!(declare(none).faults().len(), 1);
}

#[test]
pub(super) fn ecs0032_writes_indexed() {
    fault(
        "ECS0032",
        "query Q { index: by_key(A), read: [B] } system M { write: [A] }
         system X { read: [A], queries: [Q] } system Y { queries: [Q(B)] }",
        "Q",
        &[
            "the system `M` writes the component `A`, from which the index of the query `Q` is made, and is not \
             ordered with `X` and `Y`, which the index is made for",
            "help: order them: add `dependencies: [M]` to `system X`: the index is then made after it",
            "help: or the other way round: add `dependencies: [X, Y]` to `system M`",
        ],
    );
    let text = |m: &str, x: &str| {
        format!(
            "world W; component A, B; query Q {{ index: by_key(A), read: [B] }}
             system M {{ write: [A], {m} }} system X {{ read: [A], queries: [Q], {x} }}
             system Y {{ queries: [Q(B)] }}"
        )
    };
    assert_eq!(declare(&text("", "")).faults(), [("ECS0032", "Q")], "one cause, one fault");
    // As the message proposes.
    assert_eq!(declare(&text("", "dependencies: [M]")).faults(), []);
    assert_eq!(declare(&text("dependencies: [X, Y]", "")).faults(), []);
    // What else is read through a query conflicts with its users alone.
    let other = text("", "dependencies: [M]") + "system N { write: [B], dependencies: [X] }";
    assert_eq!(declare(&other).faults(), [("ECS0032", "B")]);
}

#[test]
pub(super) fn ecs0097_between_users() {
    let text = |again: &str, of_y: &str| {
        format!(
            "world W; component A, B; query Q {{ index: by_key(A) }} {again}
             system X {{ read: [A], queries: [Q] }} system M {{ write: [A], dependencies: [X] }}
             system Y {{ read: [A], queries: [{of_y}], dependencies: [M] }}"
        )
    };
    let outcome = declare(&text("", "Q"));
    assert_eq!(outcome.faults(), [("ECS0097", "Q")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the system `M` writes the component `A`, from which the index of the query `Q` is made, after `X` \
             and before `Y`, which both use it",
            "help: declare a second query, `query QAgain { .. }`, with the keys of `query Q`, and use it in \
             `system Y`: its index is made later",
        ]
    );
    let label = ("A".to_owned(), "`M` writes the component `A` here".to_owned());
    assert_eq!(labels(&text("", "Q")), [label]);
    assert_eq!(declare(&text("query QAgain { index: by_key(A) }", "QAgain")).faults(), []);
}

#[test]
fn an_index_places_itself() {
    let order = |text: &str| {
        let outcome = declare(&format!("world W; component A, B, C; {text}"));
        assert_eq!(outcome.faults(), [], "{text}");
        let code = outcome.text();
        let code: String = code.split_whitespace().collect();
        // What the signature of `Q` has in `after`.
        let of_q = code.split("new::<Self,Q>").nth(1).expect("a query");
        let of_q = of_q.split("SystemSignature").next().expect("`split` yields something");
        let after = of_q.split(".after(&[").nth(1).map(|after| after.split(']').next());
        let after = after.flatten().unwrap_or_default();
        let tables = code.split("SystemSignature::new::<Self,").skip(1);
        let names = tables.map(|table| table.split('>').next().unwrap_or_default());
        let names: Vec<String> = names.map(|name| name.replace(['(', ')'], "")).collect();
        let indices = after.split(',').filter_map(|part| part.parse().ok());
        indices.map(|index: usize| names[index].clone()).collect::<Vec<_>>()
    };
    let user = "system X { read: [A], queries: [Q], dependencies: [M] }";
    // After a writer that runs before a user, directly or not.
    assert_eq!(
        order(&format!("query Q {{ index: by_key(A) }} system M {{ write: [A] }} {user}")),
        ["M"]
    );
    let indirect =
        "query Q { index: by_key(A) } system M { write: [A] } system N { dependencies: [M] }
                    system X { queries: [Q], dependencies: [N] }";
    assert_eq!(order(indirect), ["M"]);
    // Not after what writes something else, or other entities, or runs later.
    let none: [&str; 0] = [];
    for (query, m) in [
        ("index: by_key(A), read: [B]", "write: [B]"),
        ("index: by_key(A), without: [B]", "write: [A], with: [B]"),
    ] {
        let text =
            format!("query Q {{ {query} }} system M {{ {m} }} {}", user.replace("read: [A], ", ""));
        assert_eq!(order(&text), none, "{query}");
    }
    let later = "query Q { index: by_key(A) } system X { queries: [Q] }
                 system M { write: [A], dependencies: [X] }";
    assert_eq!(order(later), none);
    // A bounded grid has copies of all that the query reads; an index of the user's may read all of it.
    for index in ["by_cell(A, 1.0).within([0.0; 2], [1.0; 2])", "I"] {
        let text =
            format!("query Q {{ index: {index}, read: [A, B] }} system M {{ write: [B] }} {user}");
        assert_eq!(order(&text), ["M"], "{index}");
    }
    // The order of one index makes that of another.
    let chain =
        "query P { index: by_key(A) } query Q { index: by_key(B) } system M { write: [A, B] }
                 system X { queries: [P], dependencies: [M] } system Y { queries: [P] }
                 system Z { queries: [Q], dependencies: [Y] }";
    assert_eq!(order(chain), ["M"]);
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
        // A query with an index is executed: after what writes what it reads, if nothing uses it.
        ("read: [A], index: I", "write: [A]", "", none),
        ("read: [A], index: I", "write: [A]", "queries: [Q]", conflict),
        ("read: [A], index: I", "write: [A], before: [Q]", "", none),
        ("read: [A], index: I, without: [B]", "write: [A], with: [B]", "", none),
        // Systems that use it read what it reads.
        ("read: [A]", "write: [A]", "queries: [Q]", conflict),
        ("read: [B], read_optional: [A]", "write: [A]", "queries: [Q]", conflict),
        ("with: [A]", "write: [A]", "queries: [Q]", none),
        ("read: [A]", "write: [A]", "queries: [Q], dependencies: [X]", none),
        ("read: [A]", "read: [A]", "queries: [Q]", none),
        ("read: [A]", "read_any: [A]", "queries: [Q]", none),
        // A system reads what it names.
        ("read: [A, B]", "write: [A]", "queries: [Q(B)]", none),
        ("read: [A, B]", "write: [A]", "queries: [Q(B, A)]", conflict),
        ("read: [A, B]", "write: [A], queries: [Q(B)]", "", none),
        ("read: [A, B]", "write: [A], queries: [Q(A)]", "", itself),
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
    let rights =
        ["Reads<A,W> for Q", "Queries<Q,W> for X", "Queries<R,W> for X", "TakesEntries<W> for Q"];
    for right in rights {
        assert!(outcome.has(right), "{right}: {:?}", outcome.impls());
    }
    let code = outcome.text();
    let code: String = code.split_whitespace().collect();
    for part in [
        "Indexed<__ecs_core::generated::Custom<my::By>",
        "generated::Unindexed",
        ".query().indexed()",
        "my::By(3)",
    ] {
        assert!(code.contains(part), "{part}");
    }
}
