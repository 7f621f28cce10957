//! Codes 0 to 9: syntax.

use super::super::declare;
use super::fault;

#[test]
pub(super) fn ecs0001_syntax() {
    let message = ["expected `;`", "help: write `;` before this"];
    fault("ECS0001", "resource Dt = Dt(0.04)", "component", &message);
    let message = ["expected a whole number that is not negative", "help: write `1` or more"];
    fault("ECS0001", "system S { parallelism: split_every(2.5) }", "2.5", &message);
    fault("ECS0001", "system S { read: [5] }", "5", &["expected the name of a component"]);
}

#[test]
fn a_number_a_word_or_a_type_of_another_form() {
    let limit = declare("world W { entity_limit: 1_000 }");
    assert_eq!(limit.faults(), [("ECS0001", "1_000")]);
    assert_eq!(
        limit.found[0].message.lines().collect::<Vec<_>>(),
        [
            "expected `dynamic` or `fixed`",
            "help: write `dynamic(1_000)`, a limit that grows, or `fixed(1_000)`"
        ]
    );
    fault(
        "ECS0001",
        "system S { read: [A], parallelism: split_evenly(core) }",
        "core",
        &["expected a number or `cores`", "help: did you mean `cores`?"],
    );
    fault(
        "ECS0001",
        "component [f32; 3];",
        "[f32; 3]",
        &[
            "a component needs a name",
            "help: declare a struct for it, or an alias: `type Name = …;`",
        ],
    );
    let own =
        declare("world W; component A; system S { read: [A], parallelism: split_evenly(scores) }");
    assert_eq!(own.faults(), []);
}

#[test]
fn the_same_key_for_code_twice_is_one_fault() {
    let twice = declare("world W; component A; system S { with: [A], run: f, run: g }");
    assert_eq!(twice.faults(), [("ECS0006", "run")]);
}

#[test]
pub(super) fn ecs0002_no_world() {
    let outcome = declare("component A: contiguous_buffer;");
    assert_eq!(outcome.found.len(), 1);
    assert_eq!(outcome.found[0].code, "ECS0002");
    assert_eq!(
        outcome.found[0].message,
        "the declaration has no world\nhelp: begin it with `world Name;` or `world Name { … }`"
    );
}

#[test]
pub(super) fn ecs0003_second_world() {
    fault(
        "ECS0003",
        "world V { entity_limit: fixed(1) }",
        "world",
        &["the declaration has a second world", "help: write one `world!` for each world"],
    );
}

#[test]
pub(super) fn ecs0004_unknown_item() {
    fault(
        "ECS0004",
        "entity Player { A, B }",
        "entity",
        &[
            "no item begins with `entity`",
            "help: the items are `world`, `component`, `bundle`, `resource`, `event`, `state`, `system`, `query`, `order`, `stages` and `include`",
        ],
    );
    fault(
        "ECS0004",
        "sistem S { read: [A] }",
        "sistem",
        &["no item begins with `sistem`", "help: did you mean `system`?"],
    );
}

#[test]
pub(super) fn ecs0005_unknown_key() {
    fault(
        "ECS0005",
        "system S { wirte: [A] }",
        "wirte",
        &["the system `S` has no key `wirte`", "help: did you mean `write`?"],
    );
    fault(
        "ECS0005",
        "system S { priority: 5, read: [A] }",
        "priority",
        &[
            "the system `S` has no key `priority`",
            "help: the usual keys are `read`, `write`, `read_optional`, `with`, `without`, `dependencies`, \
             `read_resources`, `write_resources`, `insert`, `despawn`, `each`, `run`, and the page of \
             `ecs_core::world!` lists all",
        ],
    );
    fault(
        "ECS0005",
        "system S { read: [A], after: [Last] }",
        "after",
        &["the system `S` has no key `after`", "help: did you mean `dependencies`?"],
    );
    // A presumed key that does not go on like it is one fault.
    fault(
        "ECS0005",
        "system S { read: [A], parallel, despawn }",
        "parallel",
        &["the system `S` has no key `parallel`", "help: did you mean `parallelism`?"],
    );
}

#[test]
fn what_a_half_typed_item_lacks_is_one_fault_after_it() {
    for (text, at, message) in [
        (
            "component",
            "component",
            "expected the name of a component after this\nhelp: write one, as in `component Position;`",
        ),
        (
            "component C,",
            ",",
            "expected the name of a component after this\nhelp: write one, as in `component Position;`",
        ),
        ("component C", "C", "expected `,`, `;`, or `:` and a storage strategy after this"),
        ("component C:", ":", "expected a storage strategy, `by_name` or `expires(..)` after this"),
        ("component C: by_name", "by_name", "expected `;` after this"),
        (
            "component C: hash_map,",
            ",",
            "expected a storage strategy, `by_name` or `expires(..)` after this",
        ),
        ("system S", "S", "expected `;` or `{ … }` after this"),
        (
            "system S { write: [A], dependencies: }",
            "dependencies",
            "expected a list: `[…]` after this",
        ),
        ("system S { write: [A], dependencies }", "dependencies", "expected `:` after this"),
        ("order", "order", "expected the name of a system after this"),
        ("order T ->", ">", "expected the name of a system after this"),
        (
            "stages",
            "stages",
            "expected the name of a stage after this\nhelp: write one, as in `stages Input -> Draw;`",
        ),
    ] {
        let outcome = declare(&format!("world W; component A; system T {{ write: [A] }} {text}"));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{text}");
        assert_eq!(outcome.found[0].message, message, "{text}");
        assert!(outcome.has("SystemName<W> for T"), "{text}");
    }
    // A trailing comma is none.
    assert_eq!(declare("world W; component A, B,; component C, D,: hash_map;").faults(), []);
}

#[test]
fn what_begins_like_something_else_is_one_fault() {
    for (text, at, message) in [
        ("component Name<'a>;", "'a", "a component is owned by the world, so it borrows nothing"),
        ("resource Name<'_>;", "'_", "a resource is owned by the world, so it borrows nothing"),
        ("component str;", "str", "`str` has no size"),
        ("resource Score(5);", "(5)", "expected `=` and an initial value, or `;`"),
        ("resource Score { now: 5 }", "{ now: 5 }", "expected `=` and an initial value, or `;`"),
        ("system S { read: A, B, write: [C] }", "A", "expected a list: `read: […]`"),
        ("component D: storage;", "storage", "expected the type of the strategy after this"),
        ("component D: storage();", "storage", "expected the type of the strategy after this"),
        ("system S: { read: [A] }", "{ read: [A] }", "expected the type of the body"),
        (
            "system S<'a> { read: [A], run: f }",
            "<'a>",
            "the name of a system with code has no arguments",
        ),
        ("system crate;", "crate", "`crate` is no type here"),
        ("component super::self;", "super", "`self` is no type here"),
        ("/// Nothing follows.", "/// Nothing follows.", "expected `world`, `set`, `component`"),
    ] {
        let outcome = declare(&format!("world W; component A, B, C; {text}"));
        assert_eq!(outcome.faults().len(), 1, "{text}: {:?}", outcome.found);
        assert_eq!(outcome.faults()[0].0, "ECS0001");
        // The span of a group is that of its first or of its last character.
        let found = &outcome.found[0].at;
        assert!(found.starts_with(at) || at.contains(&**found), "{text}: {found}");
        assert!(outcome.found[0].message.starts_with(message), "{:?}", outcome.found);
    }
    for word in ["let", "struct", "fn", "use", "mod"] {
        let outcome = declare(&format!("world W; {word} score = 5; component A;"));
        assert_eq!(outcome.faults(), [("ECS0004", word)]);
        assert!(outcome.found[0].message.ends_with("of the declaration: move it out"), "{word}");
    }
    assert_eq!(declare("world impl; component A;").faults(), [("ECS0001", "impl")]);
}

#[test]
fn self_is_no_name() {
    for (text, kind) in [
        ("component Self;", "component"),
        ("component (B, Self): contiguous_buffer;", "component"),
        ("component Self::C;", "component"),
        ("resource Self;", "resource"),
        ("system Self;", "system"),
        ("query Self { read: [A] }", "query"),
        ("stages Self -> Two;", "stage"),
        ("system S { read: [Self] }", "component"),
    ] {
        let outcome = declare(&format!("world W; component A; {text}"));
        assert_eq!(outcome.found.len(), 1, "{text}");
        let help = format!("`Self` is no type here\nhelp: write the name of the {kind}");
        assert_eq!(outcome.found[0].message, help, "{text}");
    }
}

#[test]
pub(super) fn ecs0006_second_key() {
    fault(
        "ECS0006",
        "system S { read: [A], read: [B] }",
        "read",
        &["the system `S` has `read` twice", "help: join the two into one `read`"],
    );
}

#[test]
pub(super) fn ecs0007_cfg() {
    let message = [
        "`cfg` cannot decide about a part of a declaration, because indices and the order of \
         systems depend on all parts",
        "help: put `#[cfg(…)]` on the whole `world!`, or on types that it names",
    ];
    fault("ECS0007", "#[cfg(test)] component C: contiguous_buffer;", "cfg", &message);
    fault("ECS0007", "#[cfg_attr(test, doc = \"x\")] resource Q;", "cfg_attr", &message);
    fault("ECS0007", "system S { #[cfg(test)] read: [A] }", "cfg", &message);
}

#[test]
pub(super) fn ecs0008_visibility() {
    fault(
        "ECS0008",
        "pub system S { read: [A] }",
        "pub",
        &[
            "only the world has a visibility",
            "help: remove it; what is generated here is as visible as the world",
        ],
    );
}

#[test]
pub(super) fn ecs0009_beside_code() {
    for (text, at, message) in [
        (
            "system S { with: [A], each: |_| (), run: f }",
            "run",
            [
                "the system `S` has its code in `each`, and here again",
                "help: remove one of the two",
            ],
        ),
        (
            "system S: T { run: f }",
            "T",
            [
                "the system `S` has its code in `run`, so it is no system of another type",
                "help: remove `:` and the type, or the code",
            ],
        ),
        (
            "system m::S { run: f }",
            "S",
            [
                "the system `S` has its code in `run`, so its name becomes a type, and cannot be a path",
                "help: write the last segment only",
            ],
        ),
        (
            "system S { state: 1, run: f }",
            "1",
            [
                "the system `S` has its code in `run`, so it has no state",
                "help: remove `state`, or declare the state as a struct of the same name, and implement `System` \
                 for it instead",
            ],
        ),
        (
            "system S { with: [A], each: || () }",
            "each",
            [
                "the system `S` has its code in `each`, with a closure of neither one, two nor three parameters",
                "help: write `|e| …`, with the effects `|e, effects| …`, or with resources, too, \
                 `|e, effects, resources| …`",
            ],
        ),
        (
            "system S { with: [A], run: |_, _| () }",
            "run",
            [
                "the system `S` has its code in `run`, with a closure that has not one parameter",
                "help: write `|data| …`",
            ],
        ),
        (
            "system S { with: [A], each: (|_, _, _, _| ()) }",
            "each",
            [
                "the system `S` has its code in `each`, with a closure of neither one, two nor three parameters",
                "help: write `|e| …`, with the effects `|e, effects| …`, or with resources, too, \
                 `|e, effects, resources| …`",
            ],
        ),
        (
            "system S { with: [A], sequential, each: |_| () }",
            "sequential",
            [
                "the system `S` has its code in `each`, but `sequential` visits entities by `roll`",
                "help: write `run: |data| data.roll(…)`",
            ],
        ),
    ] {
        fault("ECS0009", text, at, &message);
    }
}

#[test]
fn code_for_each_event_has_one_event_and_no_entities() {
    let of_each = "the system `S` has its code in `each`";
    fault(
        "ECS0009",
        "system S { write_resources: [R], each: |_| () }",
        "each",
        &[
            &format!("{of_each}, but it has no entities, so nothing would be called"),
            "help: name a component in `read`, `write` or `with`, or write `run: |data| …`, which is called once",
            "help: or for each event, name its type: `each: |event: &Event| …`",
        ],
    );
    let emits =
        "event E, F; event M: addressed; system P { emit: [E, F, M], with: [A], run: |_| {} }";
    for (system, at, why) in [
        (
            "system S { each: |a: &A, e: &E| () }",
            "E",
            [
                ", which is called for each of its entities, and so not for each event",
                "help: write `run: |data| …`, and go over the events in it: `data.effects.events::<Event>()`; or let a \
                 system without entities go over them",
            ],
        ),
        (
            "system S { each: |e: &E, f: &F| () }",
            "F",
            [", for each event of two types", "help: write a system for each of them"],
        ),
        (
            "system S { each: |one: Entity, e: &E| () }",
            "Entity",
            [
                ", which is called for each event, and so with no entity",
                "help: put the handle into the event",
            ],
        ),
        (
            "system S { each: |e: &E, one: Place| () }",
            "Place",
            [
                ", which is called for each event, and so with no entity",
                "help: put the handle into the event",
            ],
        ),
        (
            "system S { each: |m: &M| () }",
            "M",
            [
                ", but each message is for one entity",
                "help: name in `write` what it changes of that, and write `run: |data| \
                 data.for_messages::<Message>(|entity, messages, effects| …)`",
            ],
        ),
    ] {
        let [why, help] = why;
        fault("ECS0009", &format!("{emits} {system}"), at, &[&format!("{of_each}{why}"), help]);
    }
    for more in ["", "parallelism: split_evenly(2),", "sequential,"] {
        let outcome = declare(&format!(
            "world W; component A; resource R; {emits} system S {{ {more} each: |e: &E, _, r: &R| () }}"
        ));
        assert_eq!(outcome.faults(), []);
    }
}

#[test]
fn parameters_with_types_fit_their_key() {
    for (text, at, message) in [
        (
            "system S { each: |a: &A, n: u32| () }",
            "u32",
            [
                "the system `S` has its code in `each`, with a parameter of a type that it cannot have",
                "help: write `&C` or `&mut C` for a component or a resource, `Option<&C>` or `Option<&mut C>` for a \
                 component, `Entity` or `Place`",
            ],
        ),
        (
            "system S { run: |a: &A| () }",
            "A",
            [
                "the system `S` has its code in `run`, so it is not called with one entity",
                "help: write `each: |…| …`, or list the component in `read` or `write`, and loop over the entities",
            ],
        ),
        (
            "system S { run: |one: Place, own, _| () }",
            "Place",
            [
                "the system `S` has its code in `run`, so it is not called with one entity",
                "help: write `each: |…| …`, or list the component in `read` or `write`, and loop over the entities",
            ],
        ),
        (
            "system S { each: |a: &A, first, second| () }",
            "second",
            [
                "the system `S` has its code in `each`, with too many parameters without a type, beside those that \
                 have one",
                "help: of these, one may be left without: the effects; with `run`, two: the system's own entities, and \
                 the effects",
            ],
        ),
    ] {
        fault("ECS0009", text, at, &message);
    }
}
