//! Codes 128 and 129, and what else is about components that expire.

use super::super::{Outcome, declare, sets};
use super::labels;

const COMPONENTS: &str = "world W; component A, B; component Poison: expires(left);";

fn with(rest: &str) -> Outcome {
    declare(&format!("{COMPONENTS} {rest}"))
}

#[track_caller]
fn one(rest: &str, code: &str, at: &str, message: &[&str]) {
    let outcome = with(rest);
    assert_eq!(outcome.faults(), [(code, at)], "{rest}");
    assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message, "{rest}");
}

#[test]
pub(super) fn ecs0128_not_expiring() {
    let text = "system X { expire: A } system Wear { expire: Poison }";
    one(
        text,
        "ECS0128",
        "A",
        &[
            "the system `X` counts `A` down, which does not say by which field",
            "help: name that field where the component is declared: `component A: expires(left);`",
        ],
    );
    let labels = labels(&format!("{COMPONENTS} {text}"));
    assert_eq!(labels, [("A".into(), "`A` is declared here".into())]);
    // An unknown one is reported as such.
    let outcome = with("system X { expire: C } system Wear { expire: Poison }");
    assert_eq!(outcome.faults(), [("ECS0011", "C")]);
}

#[test]
pub(super) fn ecs0129_never_expires() {
    one(
        "",
        "ECS0129",
        "left",
        &[
            "`Poison` expires, and no system counts it down",
            "help: declare one, with its place in the order: `system ExpirePoison { expire: Poison }`",
        ],
    );
    one(
        "component Stun: hash_map, expires(1); system X { expire: Poison }",
        "ECS0129",
        "1",
        &[
            "`Stun` expires, and no system counts it down",
            "help: declare one, with its place in the order: `system ExpireStun { expire: Stun }`",
        ],
    );
    // A set leaves it to its world.
    let set = "mod m { set! { pub set Magic; component Glow: expires(left); system Dim { write: [Glow] } } }";
    let outcomes = sets::program(&format!("{set} world! {{ world W; include m::Magic; }}"));
    assert_eq!(outcomes[0].faults(), []);
    assert_eq!(outcomes[1].faults(), [("ECS0129", "Magic")]);
    assert!(
        outcomes[1].found[0]
            .message
            .starts_with("`Glow`, of the set `Magic`, expires, and no system counts it down\n")
    );
    let system = "system Fade { expire: Glow, dependencies: [Dim] }";
    let outcomes =
        sets::program(&format!("{set} world! {{ world W; include m::Magic; {system} }}"));
    assert_eq!(outcomes[1].faults(), []);
    // The system may be the one that cannot be read.
    assert_eq!(with("system X { expires: Poison }").faults(), [("ECS0005", "expires")]);
}

#[test]
pub(super) fn ecs0009_beside_expire() {
    for (keys, at, why) in [
        ("exclusive", "exclusive", ["reaches its own entities only", "remove `exclusive`"]),
        (
            "sequential",
            "sequential",
            ["removes at the refresh", "remove `sequential`, or count down in code of yours"],
        ),
        (
            "streams: [Send]",
            "Send",
            [
                "would run for each batch of the stream",
                "let a system of its own receive the stream",
            ],
        ),
        ("after_parent: In", "In", ["goes to each entity in any order", "remove `after_parent`"]),
    ] {
        let rest = format!(
            "relation In: one_to_many, on_despawn: detach; system Send {{ output: Stream<u32> }}
             system X {{ expire: Poison, {keys} }}"
        );
        let [why, help] = why;
        one(
            &rest,
            "ECS0009",
            at,
            &[
                &format!("the system `X` has its code in `expire`, which {why}"),
                &format!("help: {help}"),
            ],
        );
    }
    // What goes with no code goes with this neither.
    for (keys, at) in [("each: |a: &A| {}", "each"), ("run: |data| {}, state: 1", "run")] {
        let outcome = with(&format!("system X {{ expire: Poison, {keys} }}"));
        assert_eq!(outcome.faults()[0], ("ECS0009", at), "{keys}");
    }
    assert_eq!(with("system X: Body { expire: Poison }").faults(), [("ECS0009", "Body")]);
}

#[test]
fn what_expires_is_written_and_removed() {
    let outcome = with("system Wear { expire: Poison }");
    assert_eq!(outcome.faults(), []);
    let text = outcome.text();
    let text: String = text.split_whitespace().collect();
    assert!(text.contains(".write(&[2]).remove(&[2])"), "{text}");
    assert!(text.contains("::expire::<(Poison),W>("), "{text}");
    let text = with("system Wear { expire: Poison, despawn }").text();
    let text: String = text.split_whitespace().collect();
    assert!(text.contains(".write(&[2]).despawn()") && !text.contains("Removes<"), "{text}");
    assert!(text.contains("::expire_entities::<(Poison),W>("), "{text}");
}

#[test]
fn it_conflicts_as_what_is_written_does() {
    let outcome = with("system Wear { expire: Poison } system Show { read: [Poison] }");
    assert_eq!(outcome.faults(), [("ECS0032", "Poison")]);
    let outcome = with(
        "system Wear { expire: Poison, before: [Bite] } system Bite { with: [A], insert: [Poison] }",
    );
    assert_eq!(outcome.faults(), []);
    let outcome =
        with("system Wear { expire: Poison } system Bite { with: [A], insert: [Poison] }");
    assert_eq!(outcome.faults(), [("ECS0036", "Poison")]);
    // Twice what it does anyway.
    for (keys, code) in [
        ("write: [Poison]", "ECS0020"),
        ("read: [Poison]", "ECS0021"),
        ("without: [Poison]", "ECS0021"),
        ("remove: [Poison]", "ECS0020"),
    ] {
        let outcome = with(&format!("system X {{ {keys}, expire: Poison }}"));
        assert_eq!(outcome.faults(), [(code, "Poison")], "{keys}");
    }
    // Rights that the library does not use are warned of.
    for (keys, at) in [("read: [A]", "A"), ("insert: [B]", "B"), ("random", "random")] {
        let outcome = with(&format!("system X {{ {keys}, expire: Poison, despawn }}"));
        assert_eq!(outcome.faults(), [("ECS0115", at)], "{keys}");
    }
}

#[test]
fn half_written_ones() {
    for (item, at, message) in [
        (
            "component C: expires;",
            "expires",
            "expected the field that counts down, in parentheses\n\
             help: write its name, as in `expires(left)`, or its number, as in `expires(0)`",
        ),
        (
            "component C: expires();",
            "expires",
            "expected the field that counts down, in parentheses\n\
             help: write its name, as in `expires(left)`, or its number, as in `expires(0)`",
        ),
        (
            "component C: hash_map, expires(\"left\");",
            "\"left\"",
            "expected the field that counts down, in parentheses\n\
             help: write its name, as in `expires(left)`, or its number, as in `expires(0)`",
        ),
        ("component C: expires(a, b);", ",", "expected one field, the one that counts down"),
        (
            "component C: expires(a), expires(b);",
            "expires",
            "a component cannot have `expires` twice\nhelp: remove `expires`",
        ),
        (
            "system X { expire: [Poison] }",
            "[",
            "expected one component, without brackets\n\
             help: declare a system for each component that expires, as each has entities of its own",
        ),
        ("system X { expire: }", "expire", "expected the name of a component after this"),
    ] {
        let outcome = with(&format!("{item} system Wear {{ expire: Poison }}"));
        assert_eq!(outcome.faults()[0], ("ECS0001", at), "{item}");
        assert_eq!(outcome.found[0].message, message, "{item}");
        assert!(outcome.has("SystemName<W> for Wear"), "{item}");
    }
}
