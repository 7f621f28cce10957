//! Codes 30 to 39: relations between systems.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0030_self_dependency() {
    fault(
        "ECS0030",
        "system S { before: [S] }",
        "S",
        &[
            "the system `S` names itself in `before`",
            "help: remove it; a system can reach its own state and output anyway",
        ],
    );
}

#[test]
pub(super) fn ecs0031_cycle() {
    fault(
        "ECS0031",
        "system X { dependencies: [Z] } system Y { inputs: [X], before: [Z] } system Z;",
        "Z",
        &[
            "these systems wait for each other: X -> Y -> Z -> X",
            "help: remove one of these: `system Y { inputs: [X] }`, `system Y { before: [Z] }`, \
             `system X { dependencies: [Z] }`",
        ],
    );
}

#[test]
fn a_cycle_through_stages_speaks_of_stages() {
    let cases = [
        (
            "stages One -> Two; system X { stage: One, dependencies: [Y] } system Y { stage: Two }",
            "these systems and stages wait for each other: One -> Y -> X -> One, where `One` is a stage, and \
             stands for its end\n\
             help: remove one of these: `system Y { stage: Two }`, `system X { dependencies: [Y] }`, \
             `system X { stage: One }`",
        ),
        (
            "stages One -> Two -> Three; order Three -> One;",
            "these stages wait for each other: One -> Two -> Three -> One\n\
             help: remove one of these: `stages One -> Two`, `stages Two -> Three`, `order Three -> One`",
        ),
    ];
    for (items, message) in cases {
        let outcome = declare(&format!("world W; {items}"));
        let found: Vec<_> =
            outcome.found.iter().map(|found| (found.code, &found.message)).collect();
        assert_eq!(found, [("ECS0031", &message.to_owned())]);
    }
}

#[test]
pub(super) fn ecs0032_conflict() {
    fault(
        "ECS0032",
        "system X { write: [A] } system Y { read: [A], write: [B] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` writes and `Y` reads the component \
             `A`",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "help: or tell their entities apart: require a component in `with: [..]` of the one, \
             and exclude it in `without: [..]` of the other",
        ],
    );
    fault(
        "ECS0032",
        "system X { read_any: [A], without: [B] } system Y { write: [A], with: [B] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` reads and `Y` writes the component \
             `A`",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "note: filters do not help, because `X` reads `A` of any entity",
        ],
    );
    fault(
        "ECS0032",
        "system X { update: [A] } system Y { write: [A] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` updates and `Y` writes the component \
             `A`",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "help: or tell their entities apart: require a component in `with: [..]` of the one, \
             and exclude it in `without: [..]` of the other",
        ],
    );
    fault(
        "ECS0032",
        "system X { write: [A], write_resources: [R] }
         system Y { write: [A], write_resources: [R] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but both write the component `A`, and both \
             write the resource `R`",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "note: `with` and `without` tell entities apart, not resources",
        ],
    );
}

#[test]
fn no_conflict_where_filters_or_an_order_separate_systems() {
    for systems in [
        "system X { write: [A], with: [B] } system Y { write: [A], without: [B] }",
        "system X { write: [A, B] } system Y { write: [A], without: [B] }",
        "system X { write: [A] } system Y { write: [A], dependencies: [X] }",
        "system X { update: [A] } system Y { update: [A] }",
        "system X { update: [A] } system Y { read: [A] } system Z { read_any: [A] }",
        "system X { update: [A, B] } system Y { write: [A], without: [B] }",
        "system X { write: [A], before: [Y] } system Y { write: [A] }",
        "system X { write: [A] } system Z { inputs: [X] } system Y { write: [A], inputs: [Z] }",
    ] {
        let outcome = declare(&format!(
            "world W; component A: contiguous_buffer; component B: contiguous_buffer; {systems}"
        ));
        assert_eq!(outcome.faults(), [], "{systems}");
    }
}

#[test]
fn a_conflict_points_at_both_systems() {
    let input = "world W; component A: contiguous_buffer;
         system X { write: [A] } system Y { read: [A] }";
    assert_eq!(
        labels(input),
        [("A".into(), "`X` writes the component `A` here, which `Y` reads".into())]
    );
    let (errors, _) = crate::declare(input.parse().expect("the text has tokens"));
    let code = errors.into_compile_errors().to_string();
    assert_eq!(code.matches("compile_error").count(), 2);
    assert!(
        code.contains("[ECS0032] `X` writes the component `A` here, which `Y` reads"),
        "{code}"
    );
}

#[test]
pub(super) fn ecs0033_order_contradiction() {
    fault(
        "ECS0033",
        "system X { before: [Y] } system Y { before: [X] }",
        "X",
        &[
            "`system X { before: [Y] }` and `system Y { before: [X] }` contradict each other: `X` \
             and `Y` would each run before the other",
            "help: remove one of the two",
        ],
    );
    for (systems, at) in [
        ("system X { before: [Y], dependencies: [Y] } system Y;", "Y"),
        ("system X { before: [Y], inputs: [Y] } system Y;", "Y"),
    ] {
        let outcome = declare(&format!("world W; {systems}"));
        assert_eq!(outcome.faults(), [("ECS0033", at)], "{systems}");
    }
}

#[test]
fn two_systems_that_wait_for_each_other_without_before_are_a_cycle() {
    let outcome = declare("world W; system X { dependencies: [Y] } system Y { inputs: [X] }");
    assert_eq!(outcome.faults(), [("ECS0031", "Y")]);
}

#[test]
fn a_cycle_points_at_every_edge() {
    let labels = labels(
        "world W; system X { dependencies: [Z] } system Y { inputs: [X], before: [Z] } system Z;",
    );
    let texts: Vec<&str> = labels.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["`Y` waits for `X` here", "`Z` waits for `Y` here"]);
}

#[test]
pub(super) fn ecs0034_implied_order() {
    fault(
        "ECS0034",
        "system X; system Y { dependencies: [X] } system Z { dependencies: [Y, X] }",
        "X",
        &[
            "`dependencies: [X]` of `system Z` changes nothing: it follows from X -> Y -> Z",
            "help: remove `X` from this `dependencies`, or write `#[allow(redundant_order)]` before \
             `system Z`",
        ],
    );
    let allowed = "#[allow(redundant_order)]";
    for (world, system, order, count) in [
        ("", "", "", 2),
        (allowed, "", "", 0),
        ("", allowed, "", 1),
        ("", "", allowed, 1),
        ("", allowed, "#[allow(dead_code, redundant_order)]", 0),
    ] {
        let outcome = declare(&format!(
            "{world} world W; system X; system Y {{ dependencies: [X] }}
             {system} system Z {{ dependencies: [Y, X] }} system V {{ dependencies: [Z] }}
             {order} order X -> V;"
        ));
        assert_eq!(outcome.faults().len(), count, "{world} {system} {order}");
    }
    for (systems, at) in [
        // The path may contain `inputs` and `before`.
        ("system X { before: [Y, Z] } system Y; system Z { inputs: [Y] }", vec!["Z"]),
        // The same order twice.
        ("system X; system Y { dependencies: [X], inputs: [X] }", vec!["X"]),
        ("system X { before: [Y] } system Y { dependencies: [X] }", vec!["X"]),
        // Entries of `inputs` are never redundant …
        ("system X; system Y { inputs: [X] } system Z { inputs: [X, Y] }", vec![]),
        // … and neither are the sides of a diamond.
        (
            "system X; system Y { dependencies: [X] } system V { dependencies: [X] }
             system Z { dependencies: [Y, V] }",
            vec![],
        ),
        // With an unknown name or another fault, redundant orders are not reported.
        (
            "system X; system Y { dependencies: [X] } system Z { dependencies: [Y, X, V] }",
            vec!["V"],
        ),
    ] {
        let outcome = declare(&format!("world W; {systems}"));
        let places: Vec<&str> = outcome.found.iter().map(|found| found.at.as_str()).collect();
        assert_eq!(places, at, "{systems}");
    }
}

#[test]
fn a_warning_is_no_error() {
    let input = "world W; system X; system Y { dependencies: [X], inputs: [X] }";
    let (errors, items) = crate::declare(input.parse().expect("the text has tokens"));
    assert!(errors.is_empty() && errors.iter().count() == 1);
    assert!(items.to_string().contains("signature :: check"), "{items}");
    let code = errors.into_compile_errors().to_string();
    assert!(!code.contains("compile_error"), "{code}");
    assert!(code.contains("# [deprecated (note = \"[ECS0034] "), "{code}");
    assert!(code.contains("const redundant_order : () = () ; redundant_order"), "{code}");
}

/// The codes of a declaration with stages.
fn codes_of(items: &str) -> Vec<&'static str> {
    let declaration = format!(
        "world W; component A: contiguous_buffer; stages First -> Second -> Third; {items}"
    );
    declare(&declaration).found.iter().map(|found| found.code).collect()
}

#[test]
fn stages_order_their_systems() {
    let writer = |name: &str, keys: &str| format!("system {name} {{ write: [A], {keys} }} ");
    for (one, other, expected) in [
        ("stage: First", "stage: Second", vec![]),
        ("stage: Third", "stage: First", vec![]),
        ("stage: First", "stage: First", vec!["ECS0032"]),
        ("stage: First", "", vec!["ECS0032"]),
        ("stage: First", "dependencies: [First]", vec![]),
        // Orders within a stage, and orders that follow from stages: no warning.
        ("stage: First", "stage: First, dependencies: [X]", vec![]),
        ("stage: First", "stage: Third, dependencies: [X]", vec![]),
        ("stage: Second", "stage: Second, dependencies: [X], inputs: [X]", vec!["ECS0034"]),
        // Orders against the stages.
        ("stage: Second", "stage: First, dependencies: [X]", vec!["ECS0031"]),
        ("stage: First, dependencies: [First]", "stage: Second", vec!["ECS0033"]),
    ] {
        let found = codes_of(&(writer("X", one) + &writer("Y", other)));
        assert_eq!(found, expected, "{one} and {other}");
    }
}

#[test]
fn a_stage_against_an_order_is_shown() {
    let text = "system X { stage: First, dependencies: [First] }";
    let declaration = format!("world W; stages First -> Second; {text}");
    let outcome = declare(&declaration);
    assert_eq!(outcome.found.len(), 1);
    let message = &outcome.found[0].message;
    assert!(message.contains("`system X { stage: First }`"), "{message}");
}
