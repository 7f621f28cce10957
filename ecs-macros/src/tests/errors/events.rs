//! Codes 122 to 124, and what else is about events.

use super::super::declare;
use super::labels;

fn world(rest: &str) -> String {
    format!(
        "world W; component A: contiguous_buffer; resource Bank; resource Score: sum; \
         event Died, Born; event Ping: delayed; event Kept: keep(2), transient; \
         system Use {{ on: [Born, Ping, Kept, Died] }} {rest}"
    )
}

#[test]
pub(super) fn ecs0122_not_an_event() {
    let text = world("system Pay { emit: [Bank] }");
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0122", "Bank")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "`emit` of the system `Pay` names the resource `Bank`, which is not an event",
            "help: write `event Bank;` in place of `resource Bank;`, or to change the resource, `write_resources: [Bank]`",
        ]
    );
    assert_eq!(labels(&text), [("Bank".into(), "`Bank` is declared here".into())]);
    for (key, name, help) in [
        ("on", "Bank", "or to read the resource, `read_resources: [Bank]`"),
        ("read_resources", "Born", "help: to read it, write `on: [Born]`"),
        ("write_resources", "Born", "help: to emit it, write `emit: [Born]`"),
    ] {
        let outcome = declare(&world(&format!("system Pay {{ {key}: [{name}] }}")));
        assert_eq!(outcome.faults(), [("ECS0122", name)], "{key}");
        assert!(outcome.found[0].message.ends_with(help), "{}", outcome.found[0].message);
    }
}

#[test]
pub(super) fn ecs0123_unused_event() {
    let outcome = declare("world W; event Idle;");
    assert_eq!(outcome.faults(), [("ECS0123", "Idle")]);
    assert_eq!(
        outcome.found[0].message,
        "no system emits or reads the event `Idle`\n\
         help: add `emit: [Idle]` to the system where it happens, and `on: [Idle]` to those that react to it"
    );
    for key in ["emit", "on"] {
        let text = format!("world W; event Idle; system S {{ {key}: [Idle] }}");
        assert_eq!(declare(&text).faults(), [], "{key}");
    }
}

#[test]
fn emitters_run_before_readers_in_no_other_order() {
    assert_eq!(declare(&world("system X { emit: [Died] } system Y { emit: [Died] }")).faults(), []);
    let outcome = declare(&world("system X { emit: [Died], dependencies: [Use] }"));
    assert_eq!(outcome.faults(), [("ECS0031", "Died")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "these systems wait for each other: Use -> X -> Use",
            "help: remove one of these: `system X { dependencies: [Use] }`, `system Use { on: [Died] }`",
            "help: or let `Died` be read in the next step: `event Died: delayed;`",
        ]
    );
    let delayed = "system X { emit: [Ping], dependencies: [Use] }";
    assert_eq!(declare(&world(delayed)).faults(), []);
    // The order by the event makes others redundant, and is itself not reported.
    let outcome = declare(&world("system X { emit: [Died] } order X -> Use;"));
    assert_eq!(outcome.faults(), [("ECS0034", "X")]);
}

#[test]
fn a_system_reads_what_it_emits_if_that_is_delayed() {
    let outcome = declare(&world("system X { emit: [Died], on: [Died] }"));
    assert_eq!(outcome.faults(), [("ECS0021", "Died")]);
    assert!(outcome.found[0].message.ends_with("in the next step: `event Name: delayed;`"));
    assert_eq!(declare(&world("system X { emit: [Ping], on: [Ping] }")).faults(), []);
}

#[test]
fn how_events_are_kept() {
    for (item, at, message) in [
        ("event B: kepp(2);", "kepp", "an event cannot be `kepp`\nhelp: did you mean `keep`?"),
        (
            "event B: sum;",
            "sum",
            "an event cannot be `sum`\nhelp: it can be `keep`, `delayed`, `addressed`, `transient`",
        ),
        ("event B: keep;", "keep", "expected a number of steps\nhelp: write `keep(1)`"),
        ("event B: keep(70000);", "70000", "an event is kept for at most 65535 steps"),
        (
            "event B: delayed, delayed;",
            "delayed",
            "an event cannot have this twice\nhelp: remove `delayed`",
        ),
        ("event B: 7;", "7", "expected one of `keep`, `delayed`, `addressed`, `transient`"),
    ] {
        let outcome = declare(&world(&format!("{item} system S {{ on: [B] }}")));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{item}");
        assert_eq!(outcome.found[0].message, message);
    }
    let outcome = declare(&world("event B { at: u32 } system S { on: [B] }"));
    assert!(
        outcome.found[0].message.ends_with("help: declare the struct outside, and write its name")
    );
    let outcome = declare(&world("evnt B; system S { on: [B] }"));
    assert_eq!(outcome.faults()[0].0, "ECS0004");
}

#[test]
pub(super) fn ecs0124_read_in_batches() {
    let sender = "system Send { read: [A], output: Stream<u8> }";
    let text = world(&format!("{sender} system Take {{ streams: [Send], on: [Born] }}"));
    let outcome = declare(&text);
    assert_eq!(outcome.faults(), [("ECS0124", "Born")]);
    assert_eq!(
        outcome.found[0].message.lines().collect::<Vec<_>>(),
        [
            "the system `Take` receives a stream, so its code is called for each batch, and would read `on: [Born]` each time",
            "help: move `on: [Born]` to a system of its own, which runs before or after `Take`",
        ]
    );
    assert_eq!(labels(&text), [("Send".into(), "`Take` receives the stream here".into())]);
    let changed = format!("{sender} system Take {{ streams: [Send], read: [A], changed: [A] }}");
    assert_eq!(declare(&world(&changed)).faults(), [("ECS0124", "A")]);
    let emits = format!("{sender} system Take {{ streams: [Send], emit: [Born] }}");
    assert_eq!(declare(&world(&emits)).faults(), []);
}
