//! Codes 150 to 154: tracked components.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0150_reference() {
    let draw = "system Draw { read: [A], changed: [A], dependencies: [Move], run: |_| {} }";
    fault(
        "ECS0150",
        &format!("system Move {{ each: |a: &mut A| a.0 += 1 }} {draw}"),
        "A",
        &[
            "the system `Move` takes `&mut A`, which would leave no mark of a change, and `Draw` asks for changes of `A`",
            "help: take `Mut<A>`, which marks when it is written through: `mut name: Mut<A>`",
        ],
    );
    fault(
        "ECS0150",
        "system Move { each: |mut a: Mut<'_, A>| a.0 += 1 }",
        "A",
        &[
            "the system `Move` takes `Mut<A>`, but no system asks for changes of `A`",
            "help: take `&mut A`, or let a system have `changed: [A]`",
        ],
    );
    let world = "world W; component A: contiguous_buffer; component B: contiguous_buffer;";
    for (parameter, at) in [
        ("mut a: Mut<A>", None),
        ("mut a: ecs_core::Mut<'_, A>", None),
        ("a: Option<Mut<A>>, b: &B", None),
        ("a: &A", None),
        ("a: Option<&mut A>, b: &B", Some("A")),
    ] {
        let text = format!("{world} system Move {{ each: |{parameter}| {{}} }} {draw}");
        let expected: Vec<_> = at.map(|at| ("ECS0150", at)).into_iter().collect();
        assert_eq!(declare(&text).faults(), expected, "{parameter}");
    }
}

#[test]
pub(super) fn ecs0151_not_accessed() {
    fault(
        "ECS0151",
        "system Draw { read: [B], changed: [A], run: |_| {} }",
        "A",
        &[
            "the system `Draw` asks by `changed` about `A`, which it does not access",
            "help: add `A` to `read`",
        ],
    );
    let world = "world W; component A: contiguous_buffer; component B: contiguous_buffer;";
    for (keys, faulty) in [
        ("read: [B], read_optional: [A], added: [A]", true),
        ("read: [B], with: [A], added: [A]", true),
        ("read: [A], added: [A], changed: [A]", false),
        ("write: [A], changed: [A]", false),
        ("update: [A], changed: [A]", false),
    ] {
        let outcome = declare(&format!("{world} system Draw {{ {keys} }}"));
        let expected: &[_] = if faulty { &[("ECS0151", "A")] } else { &[] };
        assert_eq!(outcome.faults(), expected, "{keys}");
    }
}

#[test]
pub(super) fn ecs0152_over_marks() {
    let world = "world W; component A: contiguous_buffer; component B: contiguous_buffer;";
    let ask = "system Ask { read: [A], changed: [A], dependencies: [X, Y], run: |_| {} }";
    let text = format!(
        "{world} system X {{ write: [A], with: [B] }} system Y {{ write: [A], without: [B] }} {ask}"
    );
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0152", "A")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the systems `X` and `Y` are not ordered, and meet at the marks of `A`, of which `Ask` asks for changes",
            "help: order them: add `dependencies: [X]` to `system Y`, or the other way round",
            "note: filters do not help, because 64 entities share the marks",
        ]
    );
    assert_eq!(labels(&text), [("A".into(), "`X` writes `A` here".into())]);
    for (x, y, faulty) in [
        ("write: [A], with: [B]", "read: [A], without: [B]", false),
        ("write: [A], with: [B]", "read: [A], added: [A], without: [B]", true),
        ("read: [A], changed: [A], with: [B]", "read: [A], changed: [A], without: [B]", false),
        ("write: [A], with: [B]", "write: [A], without: [B], dependencies: [X]", false),
        // The one fault is the conflict over the values.
        ("write: [A]", "write: [A], without: [B]", false),
    ] {
        let outcome = declare(&format!("{world} system X {{ {x} }} system Y {{ {y} }} {ask}"));
        let found = outcome.faults().iter().any(|(code, _)| *code == "ECS0152");
        assert_eq!(found, faulty, "{x} beside {y}");
    }
}

#[test]
pub(super) fn ecs0154_beside_each() {
    fault(
        "ECS0154",
        "system Draw { added: [A], each: |a: &A| {} }",
        "A",
        &[
            "the system `Draw` asks by `added` about `A`, but its code in `each` is called for every entity",
            "help: write `run: |data| …`, and loop over `data.own.added::<A, &A>()`",
        ],
    );
    fault(
        "ECS0154",
        "system Draw { removed: [A], each: |a: &A| {} }",
        "A",
        &[
            "the system `Draw` asks by `removed` about `A`, but its code in `each` is called for every entity",
            "help: write `run: |data| …`, and loop over `data.own.removed::<A>()`",
        ],
    );
}

#[test]
fn a_sequential_system_does_not_ask() {
    let world = "world W; component A: contiguous_buffer;";
    let text = format!(
        "{world} system X {{ sequential, read: [A], changed: [A], added: [A], removed: [A] }}"
    );
    assert_eq!(declare(&text).faults(), [("ECS0027", "A"); 3]);
}

#[test]
fn what_was_removed_needs_no_access_and_an_order_with_what_happens_at_once() {
    let world = "world W; component A: contiguous_buffer; component B: contiguous_buffer;";
    let reader = "system Z { removed: [A], run: |_| {} }";
    for (other, faults) in [
        ("system X { write: [A] }", &[][..]),
        ("system X { remove: [A], despawn }", &[]),
        ("system X { sequential, remove: [B], insert: [A] }", &[]),
        ("system X { sequential, remove: [A] }", &[("ECS0037", "A")]),
        ("system X { sequential, despawn }", &[("ECS0037", "Z")]),
    ] {
        let outcome = declare(&format!("{world} {other} {reader}"));
        assert_eq!(outcome.faults(), faults, "{other}");
    }
    let outcome = declare(&format!("{world} {reader}"));
    assert!(outcome.has("AsksRemoved<A,W> for Z") && !outcome.has("AsksRemoved<B,W> for Z"));
    let late = "world W { staged_changes: deny } component A: contiguous_buffer;
                system X { remove: [A] } system Z { removed: [A], dependencies: [X] }";
    assert_eq!(declare(late).faults(), [("ECS0035", "A")]);
}

#[test]
fn parameters_have_their_lifetimes() {
    let text = "world W; component A: contiguous_buffer; component B: contiguous_buffer;
                system X { each: |mut a: Mut<A>, b: Option<my::Mut<B>>, entity: Entity| {} }
                system Y { each: |mut a: Mut<'_, A>, b: Option<&B>| {}, dependencies: [X] }
                system Z { read: [A, B], changed: [A, B], dependencies: [Y] }";
    let outcome = declare(text);
    assert_eq!(outcome.faults(), []);
    let text = outcome.text();
    assert_eq!(text.matches(": Mut<'_, A> = ").count(), 2, "{text}");
    assert!(text.contains(": Option<my::Mut<'_, B>> = "), "{text}");
}

#[test]
fn fields_of_tracked_components_mark() {
    let text = "world W; component A: contiguous_buffer; component B: contiguous_buffer;
                system X { write: [A, B] } system Y { write_optional: [A], read: [B], dependencies: [X] }
                system Z { read: [A], changed: [A], dependencies: [Y] }";
    let outcome = declare(text);
    assert_eq!(outcome.faults(), []);
    let text = outcome.text();
    for field in ["pub a: __ecs_core::Mut<'a, A>", "pub b: &'a mut B", "pub a: &'a A"] {
        assert!(text.contains(field), "{field} in {text}");
    }
    assert!(text.contains("Option<__ecs_core::Mut<'a, A>>"), "{text}");
    assert!(outcome.has("AsksChanged<A,W> for Z") && !outcome.has("AsksAdded<A,W> for Z"));
}
