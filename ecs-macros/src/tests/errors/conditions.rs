//! Code 130, and what else is about run conditions.

use super::super::{Outcome, declare};
use super::{fault, labels};

#[test]
pub(super) fn ecs0130_condition() {
    fault(
        "ECS0130",
        "system X { run_if: |r| r.0 }",
        "r",
        &[
            "the condition of the system `X` has a parameter without a type",
            "help: write which resource it reads: `|r: &R| …`",
        ],
    );
    for (condition, at) in [
        ("|r: &mut R| r.0", "&mut R"),
        ("|r: Option<&R>| true", "Option<&R>"),
        ("|r: R| r.0", "R"),
        ("|r: &R, n: u8| r.0", "u8"),
    ] {
        let text = format!("world W; resource R; system X {{ run_if: {condition} }}");
        let outcome = declare(&text);
        assert_eq!(outcome.faults(), [("ECS0130", at)], "{condition}");
        assert!(outcome.found[0].message.contains("it only reads resources"), "{condition}");
    }
    fault(
        "ECS0130",
        "system X { run_if: || true }",
        "run_if",
        &[
            "the condition of the system `X` reads nothing, so it is always the same",
            "help: take the resource that it depends on: `|r: &R| …`",
        ],
    );
    let resources: Vec<String> = (0..9).map(|n| format!("R{n}")).collect();
    let resources = format!("resource {};", resources.join(", "));
    let nine: Vec<String> = (0..9).map(|n| format!("r{n}: &R{n}")).collect();
    let with = |parameters: &[String]| {
        let parameters = parameters.join(", ");
        declare(&format!("world W; {resources} system X {{ run_if: |{parameters}| true }}"))
    };
    assert_eq!(with(&nine).faults(), [("ECS0130", "r8")]);
    assert_eq!(with(&nine[1..]).faults(), []);
}

/// Whether the code of the declaration has a condition.
fn expands(outcome: &Outcome) -> bool {
    let code = &outcome.code;
    quote::quote!(#code).to_string().contains("const CONDITION")
}

#[test]
fn a_condition_is_a_closure_or_a_path() {
    let system = |keys: &str| declare(&format!("world W; resource R; system X {{ {keys} }}"));
    for condition in
        ["is_on", "self::is_on", "is::<3>", "(is_on)", "|r: &R| r.0", "move |r: &R| r.0"]
    {
        let outcome = system(&format!("run_if: {condition}"));
        assert_eq!(outcome.faults(), [], "{condition}");
        assert!(expands(&outcome), "{condition}");
    }
    for (condition, at) in [("true", "true"), ("!is_on", "!is_on"), ("all(is_on)", "all(is_on)")] {
        let outcome = system(&format!("run_if: {condition}"));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{condition}");
        assert!(outcome.found[0].message.contains("help: write `|r: &R| …`"), "{condition}");
        assert!(!expands(&outcome), "{condition}");
    }
    assert_eq!(system("run_if: a, run_if: b").faults(), [("ECS0006", "run_if")]);
    assert_eq!(declare("world W; query Q { run_if: a }").faults(), [("ECS0005", "run_if")]);
}

#[test]
fn the_resources_of_a_condition_are_looked_up() {
    let text = "world W; component C; resource R, Paused;";
    for (ty, at, help) in [
        ("&Pausd", "Pausd", "did you mean `Paused`?"),
        ("&C", "C", "`C` is a component"),
        ("&Elsewhere", "Elsewhere", "declare it: `resource Elsewhere;`"),
    ] {
        let outcome = declare(&format!("{text} system X {{ run_if: |r: {ty}| r.0 }}"));
        assert_eq!(outcome.faults(), [("ECS0013", at)]);
        let message = &outcome.found[0].message;
        assert!(message.contains("in `run_if`") && message.ends_with(help), "{message}");
        assert!(!expands(&outcome));
    }
    let twice = format!("{text} system X {{ run_if: |a: &R, b: &R| a.0 == b.0 }}");
    assert_eq!(declare(&twice).faults(), [("ECS0020", "R")]);
    assert_eq!(labels(&twice), [("R".into(), "`R` is listed here first".into())]);
}

#[test]
fn a_condition_is_no_access_of_the_system() {
    for other in ["read_resources", "write_resources"] {
        let text = format!(
            "world W; resource R; system X {{ run_if: |r: &R| r.0, {other}: [R] }}
             system Y {{ run_if: |r: &R| r.0 }} system Z {{ dependencies: [X], write_resources: [R] }}"
        );
        assert_eq!(declare(&text).faults(), [], "{other}");
    }
    let unused = "world W; component A, B; resource R;
        system X { run_if: |r: &R| r.0, read: [A], each: |b: &B| drop(b) }";
    assert_eq!(declare(unused).faults(), [("ECS0115", "A")]);
}
