//! Codes 132 and 133, and what else is about states.

use super::super::{Outcome, declare};
use super::{fault, labels};

fn with(rest: &str) -> Outcome {
    declare(&format!(
        "world W; component A: contiguous_buffer; state Mode {{ Menu, Playing, Off }}
         state Sound {{ On, Off }} {rest}"
    ))
}

#[track_caller]
fn one(rest: &str, code: &str, at: &str, message: &[&str]) {
    let outcome = with(rest);
    assert_eq!(outcome.faults(), [(code, at)], "{rest}");
    assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message, "{rest}");
}

#[test]
pub(super) fn ecs0132_unknown_state() {
    for (key, at, message) in [
        (
            "in: Mode::Plying",
            "Plying",
            [
                "`in` of the system `X` names `Plying`, which is no variant of the state `Mode`",
                "help: did you mean `Mode::Playing`?",
            ],
        ),
        (
            "on_enter: [Mode::Menu, Sound::Loud]",
            "Loud",
            [
                "`on_enter` of the system `X` names `Loud`, which is no variant of the state `Sound`",
                "help: the variants are `Sound::On`, `Sound::Off`",
            ],
        ),
        (
            "on_exit: Off",
            "Off",
            [
                "`on_exit` of the system `X` names `Off`, which is no variant of a state",
                "help: say of which state: `Mode::Off` or `Sound::Off`",
            ],
        ),
        (
            "in: Sound",
            "Sound",
            [
                "`in` of the system `X` names `Sound`, which is no variant of a state",
                "help: name one of its variants: `Sound::On`, `Sound::Off`",
            ],
        ),
        (
            "in: Elsewhere",
            "Elsewhere",
            [
                "`in` of the system `X` names `Elsewhere`, which is no variant of a state",
                "help: the states are `Mode`, `Sound`",
            ],
        ),
        (
            "in: Game::Plying",
            "Plying",
            [
                "`in` of the system `X` names `Plying`, which is no variant of a state",
                "help: did you mean `Mode::Playing`?",
            ],
        ),
        (
            "set_state: [Playing]",
            "Playing",
            [
                "`set_state` of the system `X` names `Playing`, which is no state",
                "help: name the state: `Mode`",
            ],
        ),
        (
            "set_state: [Sounds]",
            "Sounds",
            [
                "`set_state` of the system `X` names `Sounds`, which is no state",
                "help: did you mean `Sound`?",
            ],
        ),
    ] {
        one(&format!("system X {{ {key} }}"), "ECS0132", at, &message);
    }
    fault(
        "ECS0132",
        "system X { in: Playing }",
        "Playing",
        &[
            "`in` of the system `X` names `Playing`, which is no variant of a state",
            "help: declare the state with its variants: `state Mode { Menu, Playing }`",
        ],
    );
    for (code, at, key) in [
        ("read_resources: [Mode]", "Mode", "read_resources"),
        ("run: |effects, mode: &Mode| {}", "Mode", "run"),
    ] {
        one(
            &format!("system X {{ {code} }}"),
            "ECS0132",
            at,
            &[
                &format!(
                    "`{key}` of the system `X` names the state `Mode`, which is neither a component nor a resource"
                ),
                "help: read it by `effects.state::<Mode>()`, without a declaration; to change it, write `set_state: [Mode]`",
            ],
        );
    }
    for right in ["in: Playing", "in: r#Playing", "in: crate::Mode::Off", "in: [Off2, Menu]"] {
        let outcome = with(&format!("state Other {{ Off2 }} system X {{ {right} }}"));
        assert_eq!(outcome.faults(), [], "{right}");
    }
}

#[test]
pub(super) fn ecs0133_beside() {
    let text = "system X { in: Menu, read: [A], on_exit: Menu }";
    one(
        text,
        "ECS0133",
        "on_exit",
        &[
            "the system `X` has `in` and `on_exit`, and would never run",
            "help: declare a system for each",
        ],
    );
    let labels = labels(&format!("world W; component A; state Mode {{ Menu }} {text}"));
    assert_eq!(labels, [("in".into(), "`in` is here".into())]);
    one(
        "system X { every: 3, on_enter: Menu }",
        "ECS0133",
        "every",
        &[
            "the system `X` has `every` beside `on_enter`: a transition is no execution that is counted",
            "help: remove `every`",
        ],
    );
    assert_eq!(with("system X { every: 3, in: Menu }").faults(), []);
}

#[test]
pub(super) fn ecs0010_second_state() {
    one(
        "state Mode { A }",
        "ECS0010",
        "Mode",
        &["the state `Mode` is declared twice", "help: remove one, or rename it"],
    );
    one(
        "state Third { A, B, r#A }",
        "ECS0010",
        "r#A",
        &["the state `Third` has the variant `r#A` twice", "help: remove one, or rename it"],
    );
}

#[test]
fn a_state_has_variants() {
    let many: Vec<String> = (0..65).map(|n| format!("V{n}")).collect();
    let many = many.join(", ");
    for (text, at, message) in [
        ("state Empty {}", "Empty", "a state has at least one variant, which a new world is in"),
        (&format!("state Many {{ {many} }}"), "V64", "a state has at most 64 variants"),
        (
            "state Data { A(u32) }",
            "(",
            "a variant of a state is a name alone\nhelp: keep data in a resource",
        ),
        ("state Mode3;", ";", "expected the variants\nhelp: write `state Mode3 { First, Second }`"),
        (
            "state { A }",
            "{",
            "expected the name of a state\nhelp: write one, as in `state Mode { Menu, Playing }`",
        ),
    ] {
        let outcome = with(text);
        assert_eq!(outcome.faults()[0], ("ECS0001", at), "{text}");
        assert_eq!(outcome.found[0].message, message, "{text}");
    }
    let outcome = with("state Conditional { A, #[cfg(test)] B }");
    assert_eq!(outcome.faults(), [("ECS0007", "cfg")]);
}

#[test]
fn an_enum_that_there_is() {
    let outcome = declare(
        "world W; component A;
         state Mode = game::Mode { Menu, Playing };
         system X { in: Playing, set_state: [Mode], read: [A] }",
    );
    assert_eq!(outcome.faults(), []);
    let text: String = outcome.text().split_whitespace().collect();
    for part in [
        "HasState<game::Mode>forW",
        "access::SetsState<game::Mode,W>forX",
        ".in_states(&[(0,0b10)])",
        "VariantsOf::<game::Mode>::ALL,[]|[game::Mode::Menu{..},game::Mode::Playing{..}]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("enumMode") && !text.contains("StatesforMode"), "{text}");
    for (text, at, message) in [
        (
            "state Third = ;",
            ";",
            "expected the enum\nhelp: write its path, and its variants: `game::Mode { Menu, Playing }`",
        ),
        (
            "state Third = game::Third;",
            ";",
            "expected the variants\nhelp: write `state Third = game::Third { First, Second }`",
        ),
        (
            "pub state Third = game::Third { First }",
            "pub",
            "the enum has a visibility of its own\nhelp: remove this one",
        ),
    ] {
        let outcome = with(text);
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{text}");
        assert_eq!(outcome.found[0].message, message, "{text}");
    }
}

#[test]
fn keys_of_states_name_something() {
    for (key, at, message) in [
        ("in: []", "in", "expected a variant of a state\nhelp: name one, or remove `in`"),
        ("set_state: []", "set_state", "expected a state\nhelp: name one, or remove `set_state`"),
        ("set_state: Mode", "Mode", "expected a list: `set_state: […]`"),
        ("every: 0", "0", "expected a number of executions, from 1 on\nhelp: write `every: 2`"),
        (
            "every: often",
            "often",
            "expected a number of executions, from 1 on\nhelp: write `every: 2`",
        ),
    ] {
        let outcome = with(&format!("system X {{ {key} }}"));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{key}");
        assert_eq!(outcome.found[0].message, message, "{key}");
    }
}

#[test]
fn systems_of_different_variants_need_no_order() {
    let pair = |one: &str, other: &str| {
        with(&format!("system X {{ {one} write: [A] }} system Y {{ {other} write: [A] }}"))
    };
    for (one, other) in [
        ("in: Menu,", "in: Playing,"),
        ("in: [Mode::Menu, Sound::On],", "in: [Playing, Sound::On],"),
        ("on_enter: Menu,", ""),
        ("on_enter: Menu,", "on_exit: Menu,"),
        ("on_enter: Menu,", "on_enter: Sound::On,"),
    ] {
        assert_eq!(pair(one, other).faults(), [], "{one} {other}");
    }
    for (one, other) in [
        ("in: Menu,", "in: [Menu, Playing],"),
        ("in: Menu,", ""),
        ("in: Menu,", "in: Sound::On,"),
        ("on_enter: [Menu, Playing],", "on_enter: Playing,"),
    ] {
        assert_eq!(pair(one, other).faults(), [("ECS0032", "A")], "{one} {other}");
    }
}
