//! Codes 40 to 44: sets, their inclusion, and orders.

use super::super::sets::program;
use super::{fault, labels};

/// The faults of the last declaration of a program, and the lines of the first message.
#[track_caller]
fn last(text: &str, code: &str, at: &str, message: &[&str]) {
    let outcome = program(text).pop().expect("a declaration");
    assert_eq!(outcome.faults(), [(code, at)], "{text}");
    assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message, "{text}");
}

#[test]
pub(super) fn ecs0040_no_set() {
    last(
        "set! { component A: contiguous_buffer; }",
        "ECS0040",
        "component",
        &["the declaration has no set", "help: begin it with `set Name;` or `pub set Name;`"],
    );
}

#[test]
pub(super) fn ecs0041_strange_header() {
    last(
        "set! { set A; world W; }",
        "ECS0041",
        "world",
        &[
            "a set has no world",
            "help: remove it; a `world!` declares the world and includes the set",
        ],
    );
    last(
        "set! { set A; set B; }",
        "ECS0041",
        "set",
        &["the declaration has a second set", "help: write one `set!` for each set"],
    );
    fault(
        "ECS0041",
        "pub set S;",
        "set",
        &[
            "a world is no set",
            "help: write `include` and the path of the set, or `set!` instead of `world!`",
        ],
    );
}

#[test]
pub(super) fn ecs0042_included_twice() {
    last(
        "set! { set A; } world! { world W; include A; include self::A; }",
        "ECS0042",
        "A",
        &["the set `A` is included twice", "help: remove one of the two"],
    );
    // Including a set through two others is not a fault.
    let outcomes = program(
        "set! { set A; } set! { set B; include A; } world! { world W; include A; include B; }",
    );
    assert!(outcomes.iter().all(|outcome| outcome.found.is_empty()));
}

#[test]
pub(super) fn ecs0043_unknown_in_order() {
    fault(
        "ECS0043",
        "order Last -> Lats;",
        "Lats",
        &["an `order` names an unknown system `Lats`", "help: did you mean `Last`?"],
    );
    fault(
        "ECS0043",
        "order R -> Last;",
        "R",
        &["an `order` names an unknown system `R`", "help: `R` is a resource"],
    );
    // Conflicts that an unknown name may have ordered are not reported.
    fault(
        "ECS0043",
        "system S { write: [A] } system T { write: [A] } order S -> Gravity;",
        "Gravity",
        &[
            "an `order` names an unknown system `Gravity`",
            "help: declare it: `system Gravity { … }`",
        ],
    );
}

#[test]
fn an_order_is_an_order() {
    let order = |order: &str| {
        format!(
            "world W; component A: contiguous_buffer; system S {{ write: [A] }} \
             system T {{ write: [A] }} system U {{ read: [A] }} {order}"
        )
    };
    let faults = |text: &str| {
        let outcome = super::declare(text);
        outcome.found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(faults(&order("")), ["ECS0032", "ECS0032", "ECS0032"]);
    assert_eq!(faults(&order("order S -> T -> U;")), [""; 0]);
    assert_eq!(faults(&order("order U -> S; order S -> T;")), [""; 0]);
    assert_eq!(faults(&order("order S -> T -> U -> S;")), ["ECS0031"]);
    assert_eq!(faults(&order("order S -> T -> U; order S;")), ["ECS0001"]);
    assert_eq!(faults(&order("order S -> S; order S -> T -> U;")), ["ECS0030"]);
    assert_eq!(labels(&order("order S -> T -> U -> S;")).len(), 2);
}

#[test]
fn faults_of_orders_speak_of_orders() {
    let first = |text: &str| {
        let outcome = super::declare(text);
        assert_eq!(outcome.found.len(), 1, "{:?}", outcome.found);
        outcome.found[0].message.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        first("world W; system S; system T { dependencies: [S] } order S -> T;"),
        "`order S -> T` changes nothing: it follows from S -> T"
    );
    assert_eq!(
        first("world W; system S; system T { dependencies: [S] } order T -> S;"),
        "`system T { dependencies: [S] }` and `order T -> S` contradict each other: `S` and `T` \
         would each run before the other"
    );
    assert_eq!(first("world W; system S; order S -> S;"), "the system `S` names itself in `order`");
}
