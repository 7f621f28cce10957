//! Codes 45 to 48: the ends of streams.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0045_idle_unordered() {
    fault(
        "ECS0045",
        "system S { read: [A], unordered }",
        "unordered",
        &[
            "the system `S` is `unordered`, but takes no stream and has no output",
            "help: remove `unordered`, or add `streams: [..]`",
        ],
    );
}

#[test]
pub(super) fn ecs0045_no_output() {
    fault(
        "ECS0045",
        "system P { read: [A] } system S { streams: [P] }",
        "P",
        &[
            "the system `S` takes the stream of `P`, which has no output",
            "help: add `output: Stream<Item>` to `system P`",
        ],
    );
}

#[test]
pub(super) fn ecs0046_several_streams() {
    fault(
        "ECS0046",
        "system P { output: Stream<u8> } system Q { output: Stream<u8> }
         system S { streams: [Q, P] }",
        "P",
        &[
            "the system `S` takes several streams",
            "help: take one, let `P` output a `Vec`, and declare `inputs: [P]`",
        ],
    );
}

#[test]
pub(super) fn ecs0046_shared_stream() {
    fault(
        "ECS0046",
        "system P { output: Stream<u8> } system S { streams: [P] } system T { streams: [P] }",
        "P",
        &[
            "the stream of `P` is taken by `S` and by `T`",
            "help: let `P` output a `Vec`, and declare `inputs: [P]` in both; or let `S` take the \
             stream and output what `T` needs",
        ],
    );
}

#[test]
pub(super) fn ecs0046_streams_in_a_row() {
    fault(
        "ECS0046",
        "system T { streams: [S] } system S { streams: [P], output: Stream<u8> }
         system P { output: Stream<u8> }",
        "S",
        &[
            "the system `S` takes the stream of `P`, and sends one to `T`",
            "help: let `S` output a `Vec`, and declare `inputs: [S]` in place of `streams: [S]`",
        ],
    );
}

#[test]
pub(super) fn ecs0047_stream_in_order() {
    fault(
        "ECS0047",
        "system P { output: Stream<u8> } system M { dependencies: [P], before: [S] }
         system S { streams: [P] }",
        "P",
        &[
            "the systems `P` and `S` are the ends of a stream, which run at the same time, but are \
             ordered: P -> M -> S",
            "help: remove what orders them, or let `P` output a `Vec`, and declare `inputs: [P]` \
             in place of `streams: [P]`",
        ],
    );
    for (keys, code) in [
        ("streams: [P], inputs: [P]", "ECS0047"),
        ("streams: [P], dependencies: [P]", "ECS0047"),
        ("streams: [P], before: [P]", "ECS0047"),
        // A cycle is reported as such.
        ("streams: [P], before: [P], dependencies: [P]", "ECS0033"),
    ] {
        let outcome =
            declare(&format!("world W; system P {{ output: Stream<u8> }} system S {{ {keys} }}"));
        let codes: Vec<&str> = outcome.found.iter().map(|found| found.code).collect();
        assert_eq!(codes.join(" "), code, "{keys}");
    }
}

#[test]
pub(super) fn ecs0047_stream_cycle() {
    // The other end of the stream also waits for the dependencies of `X`, and so on.
    fault(
        "ECS0047",
        "system P { output: Stream<u8>, dependencies: [T] } system S { streams: [P] }
         system Q { output: Stream<u8>, dependencies: [X] } system T { streams: [Q] }
         system X { dependencies: [S] }",
        "T",
        &[
            "these systems wait for each other, as the ends of a stream run together: P with S -> \
             X -> Q with T -> P with S",
            "help: remove one of these orders, or output a `Vec` and declare it in `inputs`",
        ],
    );
}

#[test]
pub(super) fn ecs0048_refresh_in_stream() {
    let world = |rule: &str, systems: &str| {
        declare(&format!(
            "world W {{ staged_changes: {rule} }} component A: contiguous_buffer;
             component B: contiguous_buffer; system K {{ read: [A], spawn: [(B,)] }} {systems}"
        ))
    };
    let apart = "system P { read: [A], output: Stream<u8> }
                 system M { dependencies: [K], with: [B] }
                 system S { streams: [P], dependencies: [M] }";
    let outcome = world("refresh_before_dependents", apart);
    assert_eq!(outcome.faults(), [("ECS0048", "P")]);
    assert_eq!(
        outcome.found[0].message,
        "the systems `P` and `S` are the ends of a stream, but a refresh comes between them: \
         before it `K` stages what `M` sees after it\n\
         help: let `P` output a `Vec`, and declare `inputs: [P]` in place of `streams: [P]`\n\
         help: or let changes be seen after the step: `staged_changes: after_step`"
    );
    assert_eq!(world("after_step", apart).faults(), []);
    for (systems, codes) in [
        // The producer is in the later phase.
        (
            "system P { with: [B], dependencies: [K], output: Stream<u8> } system S { streams: [P] }",
            vec![("ECS0048", "P")],
        ),
        // Both are in the later phase.
        (
            "system P { with: [B], dependencies: [K], output: Stream<u8> }
             system S { streams: [P], with: [B], dependencies: [K] }",
            vec![],
        ),
        // Neither is: no system sees the staged changes.
        (
            "system P { read: [A], dependencies: [K], output: Stream<u8> } system S { streams: [P] }",
            vec![],
        ),
    ] {
        assert_eq!(world("refresh_before_dependents", systems).faults(), codes, "{systems}");
    }
}

#[test]
fn what_fits_is_no_fault() {
    for systems in [
        "system P { output: Stream<u8> } system S { streams: [P], unordered }",
        // A user-defined type may be a stream.
        "system P { output: Hits } system S { streams: [P] }",
        "system P { output: Stream<u8>, dependencies: [X] } system S { streams: [P], inputs: [X] }
         system X; system Y { dependencies: [S] } system Z { dependencies: [P] }",
        "system P { output: Stream<u8> } system S { streams: [P], before: [Q] }
         system Q { output: Stream<u8>, dependencies: [P] } system T { streams: [Q] }",
    ] {
        assert_eq!(declare(&format!("world W; {systems}")).faults(), [], "{systems}");
    }
}

#[test]
fn ends_that_conflict_are_not_told_to_wait() {
    fault(
        "ECS0032",
        "system S { streams: [P], read: [A] } system P { write: [A], output: Stream<u8> }",
        "A",
        &[
            "the systems `S` and `P` run at the same time, as the ends of a stream, but `S` reads \
             and `P` writes the component `A`",
            "help: order them: let `P` output a `Vec`, and declare `inputs: [P]` in place of \
             `streams: [P]`",
            "help: or tell their entities apart: require a component in `with: [..]` of the one, \
             and exclude it in `without: [..]` of the other",
        ],
    );
}

#[test]
fn an_unknown_name_causes_no_further_fault() {
    for (systems, at) in [
        ("system P { output: Stream<u8> } system S { streams: [P, Absent] }", "Absent"),
        ("system Producer { output: u8 } system S { streams: [Producr], unordered }", "Producr"),
        ("system S { streams: [Absent], unordered }", "Absent"),
    ] {
        assert_eq!(
            declare(&format!("world W; {systems}")).faults(),
            [("ECS0012", at)],
            "{systems}"
        );
    }
    let outcome = declare("world W; system S { streams: [S], output: Stream<u8> }");
    assert_eq!(outcome.faults(), [("ECS0030", "S")]);
}

#[test]
fn every_token_that_has_a_part_in_a_stream_is_shown() {
    let producers = "system P { output: Stream<u8> } system Q { output: Stream<u8> }";
    for (systems, expected) in [
        ("system S { streams: [Q, P] }", vec![("Q", "`S` takes the stream of `Q` here")]),
        (
            "system S { streams: [P] } system T { streams: [P] }",
            vec![("P", "`S` takes the stream of `P` here")],
        ),
        (
            "system S { streams: [P], output: Stream<u8> } system T { streams: [S] }",
            vec![("P", "`S` takes the stream of `P` here")],
        ),
        (
            "system X { dependencies: [P] } system S { streams: [P], inputs: [X] }",
            vec![("P", "`X` waits for `P` here"), ("X", "`S` waits for `X` here")],
        ),
        (
            "system S { streams: [P], dependencies: [Q] } system T { streams: [Q], inputs: [P] }",
            vec![("P", "`T` waits for `P` here")],
        ),
    ] {
        let found = labels(&format!("world W; {producers} {systems}"));
        let expected: Vec<(String, String)> =
            expected.into_iter().map(|(at, text)| (at.to_owned(), text.to_owned())).collect();
        assert_eq!(found, expected, "{systems}");
    }
    let found = labels(
        "world W { staged_changes: refresh_before_dependents } component A: contiguous_buffer;
         system K { read: [A], despawn } system P { output: Stream<u8> }
         system S { streams: [P], dependencies: [K], read: [A] }",
    );
    assert_eq!(found, [("despawn".to_owned(), "`K` stages `despawn` here".to_owned())]);
}
