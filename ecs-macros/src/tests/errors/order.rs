//! Codes 30 to 39: systems among each other.

use super::super::declare;
use super::fault;

#[test]
fn e0030_self_dependency() {
    fault(
        "E0030",
        "system S { before: [S] }",
        "S",
        &[
            "the system `S` names itself in `before`",
            "help: remove it; a system can reach its own state and output anyway",
        ],
    );
}

#[test]
fn e0031_cycle() {
    fault(
        "E0031",
        "system X { dependencies: [Z] } system Y { inputs: [X], before: [Z] } system Z;",
        "Z",
        &[
            "these systems wait for each other: X -> Y -> Z -> X",
            "help: remove one of these from `dependencies`, `before` or `inputs`",
        ],
    );
}

#[test]
fn e0032_conflict() {
    fault(
        "E0032",
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
        "E0032",
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
        "E0032",
        "system X { write: [A], write_resources: [R] }
         system Y { write: [A], write_resources: [R] }",
        "A",
        &[
            "the systems `X` and `Y` are not ordered, but `X` writes and `Y` writes the component \
             `A`, and `X` writes and `Y` writes the resource `R`",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "note: `with` and `without` tell entities apart, not resources",
        ],
    );
}

#[test]
fn no_conflict_where_filters_or_an_order_settle_it() {
    for systems in [
        "system X { write: [A], with: [B] } system Y { write: [A], without: [B] }",
        "system X { write: [A, B] } system Y { write: [A], without: [B] }",
        "system X { write: [A] } system Y { write: [A], dependencies: [X] }",
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
    let (errors, _) = crate::declare(input.parse().expect("the text has tokens"));
    let places: Vec<_> = errors.iter().map(|error| error.span.start()).collect();
    let others: Vec<_> = errors.iter().filter_map(|error| error.other).collect();
    assert_eq!((places.len(), others.len()), (1, 1));
    assert!(others[0].start() < places[0], "the later system gets the message");
    let code = errors.into_compile_errors().to_string();
    assert_eq!(code.matches("compile_error").count(), 2);
    assert!(code.contains("[E0032] `X` writes the component `A` here, which `Y` reads"), "{code}");
}
