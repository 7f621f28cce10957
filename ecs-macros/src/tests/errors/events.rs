//! Codes 122 to 124 and 158, and what else is about events.

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
            "an event cannot be `sum`\nhelp: it can be `keep`, `delayed`, `addressed`, `by_key`, `by_cell`, `transient`",
        ),
        ("event B: keep;", "keep", "expected a number of steps\nhelp: write `keep(1)`"),
        ("event B: keep(70000);", "70000", "an event is kept for at most 65535 steps"),
        (
            "event B: delayed, delayed;",
            "delayed",
            "an event cannot have this twice\nhelp: remove `delayed`",
        ),
        (
            "event B: 7;",
            "7",
            "expected one of `keep`, `delayed`, `addressed`, `by_key`, `by_cell`, `transient`",
        ),
        (
            "event B: by_cell(B);",
            "by_cell",
            "expected `,` and the size of a cell\nhelp: as in `by_cell(Position, 4.0)`: all that is nearer is found",
        ),
        (
            "event B: by_key(B), keep(1), by_key(B);",
            "by_key",
            "an event has one index\nhelp: remove one of the two",
        ),
        (
            "event B: by_key(B).within(1, 2);",
            "1",
            "only `by_cell` has bounds\nhelp: remove `.within(..)`",
        ),
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

#[test]
pub(super) fn ecs0158_event_index() {
    let with = |event: &str| declare(&world(&format!("{event} system S {{ on: [B] }}")));
    for right in [
        "event B: by_key(B);",
        "event B: by_key(|b: &B| -> u8 { b.0 }), keep(2), transient;",
        "event B: delayed, by_cell(|b: &path::B| -> [f32; 2] { b.0 }, 4.0).within(LEAST, MOST);",
    ] {
        assert_eq!(with(right).faults(), [], "{right}");
    }
    let outcome = with("event B: by_cell(|a: &A| -> [f32; 2] { a.0 }, 4.0);");
    assert_eq!(outcome.faults(), [("ECS0158", "A")]);
    assert_eq!(
        outcome.found[0].message,
        "the index of the event `B` is made from `A`\n\
         help: an event is found by what is in it: write `B` in place of `A`, or a closure that takes `&B`"
    );
    let outcome = with("event B, C: by_key(B); system T { on: [C] }");
    assert_eq!(outcome.faults(), [("ECS0158", "B")]);
    let outcome = with("event B: addressed, by_key(B);");
    assert_eq!(outcome.faults(), [("ECS0158", "by_key")]);
    assert_eq!(
        outcome.found[0].message,
        "the event `B` is addressed, and has an index\n\
         help: remove `addressed`, if entities find it by what is in it; or remove the index, if each is for one entity"
    );
    let outcome = with("event B: by_cell(|b| b.0, 4.0);");
    assert_eq!(outcome.faults(), [("ECS0096", "|b| b.0")]);
    assert!(outcome.found[0].message.starts_with("the index of the event `B` has a closure"));
    assert!(
        outcome.found[0].message.ends_with("write the types: `|event: &B| -> [f32; 2] { .. }`")
    );
}
