//! Codes 10 to 19: names and values.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0010_second_name() {
    fault(
        "ECS0010",
        "component (C, A): contiguous_buffer;",
        "A",
        &[
            "the component `A` is declared twice",
            "help: remove one of the two: a component is in one buffer. Two components of one \
             type need two types",
        ],
    );
    fault(
        "ECS0010",
        "component x::A;",
        "A",
        &[
            "two components have the name `A`, the last part of their paths",
            "help: give one of the two another name: `component x::A as XA;`",
        ],
    );
    fault(
        "ECS0010",
        "stages Two -> One; system One { stage: Two }",
        "One",
        &[
            "`One` is the name of a stage and of a system",
            "help: give one of the two another name: a stage is itself a system, which runs at its end",
        ],
    );
    fault(
        "ECS0010",
        "resource R = R(1);",
        "R",
        &["the resource `R` is declared twice", "help: remove one of the two"],
    );
    fault(
        "ECS0010",
        "system S; system S { read: [A] }",
        "S",
        &[
            "the system `S` is declared twice",
            "help: give one of the two another name: `system Other: S { … }`",
        ],
    );
    let twice = ["`stages` names `One` twice", "help: remove one of the two: a stage runs once"];
    fault("ECS0010", "stages One -> Two; stages Three -> One;", "One", &twice);
    assert_eq!(declare("world W; stages One -> Two -> One;").faults(), [("ECS0010", "One")]);
}

#[test]
pub(super) fn ecs0010_taken_name() {
    for (text, at, message) in [
        (
            "component Fire; system Fire { write: [Fire], each: |_| () }",
            "Fire",
            "`Fire` is the name of a system, which becomes a type, and of a component",
        ),
        (
            "resource Clock; system Clock: Timer;",
            "Clock",
            "`Clock` is the name of a system, which becomes a type, and of a resource",
        ),
        (
            "system W { read: [A], each: |_| () }",
            "W",
            "`W` is the name of a system, which becomes a type, and of the world",
        ),
        (
            "system Move { with: [A], run: f } system MoveEntry { with: [A], run: f }",
            "MoveEntry",
            "`MoveEntry` is the name of a system, which becomes a type, and of the struct for the entities of `Move`",
        ),
    ] {
        fault("ECS0010", text, at, &[message, "help: give one of the two another name"]);
    }
    let world =
        declare("world W; component W; component x::Fire; system Fire { with: [W], run: f }");
    assert_eq!(world.faults(), [("ECS0010", "W")]);
}

#[test]
pub(super) fn ecs0011_unknown_component() {
    fault(
        "ECS0011",
        "system S { read: [Befroe] }",
        "Befroe",
        &[
            "the system `S` names an unknown component `Befroe` in `read`",
            "help: did you mean `Before`?",
        ],
    );
    fault(
        "ECS0011",
        "system S { each: |a: &mut A, b: Option<&Befroe>| f(a, b) }",
        "Befroe",
        &[
            "the system `S` names an unknown component `Befroe` in `each`",
            "help: did you mean `Before`?",
        ],
    );
    fault(
        "ECS0011",
        "system S { insert: [x::Poison] }",
        "Poison",
        &[
            "the system `S` names an unknown component `Poison` in `insert`",
            "help: declare it: `component Poison;`",
        ],
    );
    fault(
        "ECS0011",
        "system S { with: [R] }",
        "R",
        &["the system `S` names an unknown component `R` in `with`", "help: `R` is a resource"],
    );
}

#[test]
pub(super) fn ecs0011_unknown_in_a_bundle() {
    fault(
        "ECS0011",
        "system S { spawn: [Bundle, (A, Befor)] }",
        "Befor",
        &[
            "the system `S` names an unknown component `Befor` in `spawn`",
            "help: did you mean `Before`?",
        ],
    );
    for (bundle, part, help) in [
        ("(A, &B)", "&B", "`B`"),
        ("&A", "&A", "`A`"),
        ("(A, (B, Before))", "(B, Before)", "`B, Before`"),
        ("(A, [u8; 4])", "[u8; 4]", "the names of components, as in `(Position, Velocity)`"),
    ] {
        fault(
            "ECS0011",
            &format!("system S {{ spawn: [{bundle}] }}"),
            part,
            &[
                &format!("the system `S` spawns a bundle with `{part}`, which is not a component"),
                &format!("help: write {help}"),
            ],
        );
    }
}

#[test]
pub(super) fn ecs0012_unknown_system() {
    fault(
        "ECS0012",
        "system S { inputs: [Partition] }",
        "Partition",
        &[
            "the system `S` names an unknown system `Partition` in `inputs`",
            "help: declare it: `system Partition { … }`",
        ],
    );
}

#[test]
pub(super) fn ecs0013_unknown_resource() {
    fault(
        "ECS0013",
        "system S { read_resources: [Clock] }",
        "Clock",
        &[
            "the system `S` names an unknown resource `Clock` in `read_resources`",
            "help: declare it: `resource Clock;`",
        ],
    );
}

#[test]
fn a_component_has_one_strategy_and_is_by_name_once() {
    for (item, at, message) in [
        (
            "component C: by_name, hash_map, by_name;",
            "by_name",
            "a component cannot have `by_name` twice\nhelp: remove `by_name`",
        ),
        (
            "component C: hash_map, by_name, empty;",
            "empty",
            "a component cannot have two storage strategies\nhelp: remove `empty`",
        ),
        (
            "component C: hash_map by_name;",
            "by_name",
            "expected `,` or `;`\nhelp: write `,` before this",
        ),
    ] {
        let outcome = declare(&format!("world W; {item} system S {{ with: [C] }}"));
        assert_eq!(outcome.faults(), [("ECS0001", at)], "{item}");
        assert_eq!(outcome.found[0].message, message);
    }
    let outcome = declare("world W; component A, B: by_name,; component C: hash_map; component D;");
    assert_eq!(outcome.faults(), []);
}

#[test]
pub(super) fn ecs0014_unknown_storage() {
    fault(
        "ECS0014",
        "component C: ring;",
        "ring",
        &[
            "the component `C` has an unknown storage strategy `ring`",
            "help: write `contiguous_buffer`, `sparse_set`, `hash_map`, `empty`, or \
             `storage(Type)` with a strategy of yours",
        ],
    );
    fault(
        "ECS0014",
        "component C: hashmap;",
        "hashmap",
        &[
            "the component `C` has an unknown storage strategy `hashmap`",
            "help: did you mean `hash_map`?",
        ],
    );
    fault(
        "ECS0014",
        "component C: hash_map, reflect;",
        "reflect",
        &[
            "the component `C` has an unknown storage strategy `reflect`",
            "help: did you mean `by_name`?",
        ],
    );
}

#[test]
pub(super) fn ecs0019_shared_storage() {
    fault(
        "ECS0019",
        "component (C, x::D): storage(Ring<C>);",
        "storage",
        &[
            "each of `C, D` needs a storage strategy of its own, and this one is for one component",
            "help: write `_` in the component's place, as in `storage(Slab<_>)`, or declare each apart",
        ],
    );
    for storage in ["sparse_set", "hash_map", "empty", "storage(Ring<_>)", "storage([Ring<_>; 2])"]
    {
        let outcome = declare(&format!("world W; component (C, x::D): {storage};"));
        assert_eq!(outcome.found, [], "{storage}");
    }
    assert_eq!(declare("world W; component (C): storage(Ring<C>);").found, []);
    let outcome = declare("world W; component (C, x::D): storage(Ring<'_, (u8, _)>);");
    let code: String = quote::ToTokens::to_token_stream(&outcome.code).to_string();
    let code = code.replace(' ', "");
    assert!(
        code.contains("External<Ring<'_,(u8,C)>>") && code.contains("External<Ring<'_,(u8,x::D)>>")
    );
}

#[test]
pub(super) fn ecs0015_unknown_setting() {
    for (body, at, message) in [
        (
            "entity_limit: fixd(5)",
            "fixd",
            ["`entity_limit` cannot be `fixd`", "help: did you mean `fixed`?"],
        ),
        (
            "inner_parallelism: yes",
            "yes",
            ["`inner_parallelism` cannot be `yes`", "help: did you mean `allow`?"],
        ),
        (
            "rows: by_archetyp",
            "by_archetyp",
            ["`rows` cannot be `by_archetyp`", "help: did you mean `by_archetype`?"],
        ),
        (
            "scheduler: fair",
            "fair",
            ["`scheduler` cannot be `fair`", "help: it can be `atomic_counter` or `sequential`"],
        ),
    ] {
        let outcome = declare(&format!("world W {{ {body} }} component A: contiguous_buffer;"));
        assert_eq!(outcome.faults(), [("ECS0015", at)]);
        assert_eq!(outcome.found[0].message.lines().collect::<Vec<_>>(), message);
        assert!(outcome.has("HasComponent<A> for W"));
    }
}

#[test]
pub(super) fn ecs0016_unknown_strategy() {
    fault(
        "ECS0016",
        "system S { parallelism: none_below_threshold(5, split_evenli(cores)) }",
        "split_evenli",
        &[
            "there is no inner-parallelism strategy `split_evenli`",
            "help: did you mean `split_evenly`?",
        ],
    );
    fault(
        "ECS0016",
        "system S { parallelism: always }",
        "always",
        &[
            "there is no inner-parallelism strategy `always`",
            "help: use `none`, `split_evenly(n)`, `split_evenly(cores)`, `split_every(n)`, \
             `none_below_threshold(n, s)`, `fixed_threshold(n, s, t)` or the path of a type that \
             implements `Strategy`",
        ],
    );
}

#[test]
pub(super) fn ecs0016_within_a_users_composer() {
    let (what, help) = ("split_evry", "help: did you mean `split_every`?");
    let message = "there is no inner-parallelism strategy `split_evry`";
    let declaration = "system S { parallelism: my::Both(split_evry(3), 100, none) }";
    fault("ECS0016", declaration, what, &[message, help]);
}

#[test]
pub(super) fn ecs0017_out_of_range() {
    fault(
        "ECS0017",
        "system S { parallelism: my::Both(100, split_evenly(0)) }",
        "0",
        &["the number of subtasks must be at least 1 and at most 2147483647", "help: write `1`"],
    );
    fault(
        "ECS0017",
        "system S { parallelism: fixed_threshold(2, none, split_every(0_0)) }",
        "0_0",
        &[
            "the number of entities of a subtask must be at least 1 and at most 2147483647",
            "help: write `1`",
        ],
    );
}

#[test]
pub(super) fn ecs0029_fixed_by_archetype() {
    for (limit, rows, is_fault) in [
        ("fixed(5)", "by_archetype", true),
        ("fixed(5)", "in_order", false),
        ("dynamic(5)", "by_archetype", false),
    ] {
        let outcome = declare(&format!("world W {{ rows: {rows}, entity_limit: {limit} }}"));
        assert_eq!(
            outcome.faults(),
            if is_fault { vec![("ECS0029", "by_archetype")] } else { vec![] }
        );
        if let Some(found) = outcome.found.first() {
            let message = [
                "rows cannot lie `by_archetype` under a fixed limit, which sets memory aside for every \
                 component of every entity",
                "help: write `entity_limit: dynamic(n)`, or remove `rows`",
            ];
            assert_eq!(found.message.lines().collect::<Vec<_>>(), message);
        }
    }
}

#[test]
fn rows_by_archetype_are_a_kind_of_limit() {
    for (body, limit) in [
        ("rows: by_archetype", "ByArchetype<1024>"),
        ("rows: by_archetype, entity_limit: dynamic(7)", "ByArchetype<7>"),
        ("rows: in_order, entity_limit: dynamic(7)", "Dynamic<7>"),
        ("entity_limit: dynamic(7)", "Dynamic<7>"),
    ] {
        let outcome = declare(&format!("world W {{ {body} }} component A: contiguous_buffer;"));
        assert_eq!(outcome.faults(), []);
        let code = outcome.text().split_whitespace().collect::<String>();
        assert!(code.contains(&format!("Config<__ecs_core::settings::{limit},")), "{body}: {code}");
    }
}

#[test]
pub(super) fn ecs0017_seed() {
    let faulty = "18446744073709551616";
    for (seed, valid) in [("0", true), ("0xffff_ffff_ffff_ffff", true), (faulty, false)] {
        let outcome = declare(&format!("world W {{ seed: {seed} }}"));
        assert_eq!(outcome.found.is_empty(), valid, "{seed}");
        assert_eq!(outcome.text().contains(&format!("const SEED: u64 = {seed}")), valid, "{seed}");
        if let Some(found) = outcome.found.first() {
            assert_eq!((found.code, found.at.as_str()), ("ECS0017", seed));
            assert!(
                found
                    .message
                    .contains("the seed must be at least 0 and at most 18446744073709551615")
            );
        }
    }
    assert!(declare("world W { seed: SEED + 1 }").text().contains("const SEED: u64 = SEED + 1"));
    assert!(!declare("world W;").text().contains("SEED"));
}

#[test]
pub(super) fn ecs0017_entity_limit() {
    for (limit, valid) in
        [("0", false), ("1", true), ("2_147_483_647", true), ("2147483648", false)]
    {
        let outcome = declare(&format!("world W {{ entity_limit: fixed({limit}) }}"));
        assert_eq!(outcome.found.is_empty(), valid, "{limit}");
        if let Some(found) = outcome.found.first() {
            assert_eq!((found.code, found.at.as_str()), ("ECS0017", limit));
            let nearest = if limit == "0" { "1" } else { "2147483647" };
            let message = [
                "the entity limit must be at least 1 and at most 2147483647".to_owned(),
                format!("help: write `{nearest}`"),
            ];
            assert_eq!(found.message.lines().collect::<Vec<_>>(), message);
        }
    }
}

#[test]
pub(super) fn ecs0018_too_many() {
    let declarations = (0..1025).fold(String::from("world W;"), |text, i| {
        text + &format!("component C{i}: contiguous_buffer; resource R{i}; system S{i};")
    });
    let outcome = declare(&declarations);
    let places = [("ECS0018", "C1024"), ("ECS0018", "R1024"), ("ECS0018", "S1024")];
    assert_eq!(outcome.faults(), places);
    let message = outcome.found[2].message.lines().next();
    assert_eq!(message, Some("a world has at most 1024 systems, and this is one more"));
}

#[test]
fn the_first_of_two_names_is_shown() {
    let found = labels("world W; resource R; resource R; world V;");
    let expected = [
        ("W".to_owned(), "the first world is declared here".to_owned()),
        ("R".to_owned(), "`R` is declared here first".to_owned()),
    ];
    assert_eq!(found, expected);
}

#[test]
pub(super) fn ecs0028_unknown_stage() {
    let fault = |stages: &str, help: &str| {
        let outcome = declare(&format!("world W; {stages} system S {{ stage: Drew }}"));
        let [found] = &outcome.found[..] else { panic!("{:?}", outcome.found) };
        let expected = format!("the system `S` is in an unknown stage `Drew`\nhelp: {help}");
        assert_eq!((found.code, found.at.as_str()), ("ECS0028", "Drew"));
        assert!(found.message.ends_with(&expected), "{}", found.message);
    };
    fault("stages Input -> Draw;", "did you mean `Draw`?");
    fault("stages Input -> Output;", "the stages are `Input`, `Output`");
    fault("system Drew;", "declare the stages in their order: `stages Drew -> …;`");
}
