//! One mistake, one message: valid items expand, and there are no further faults.

use super::declare;

/// A world in which every item depends on others, so that a missing one is noticed.
fn world(from: &str, to: &str) -> super::Outcome {
    let text = "
        world W { entity_limit: fixed(100) }
        component Position: contiguous_buffer;
        component Velocity: contiguous_buffer;
        component Frozen: contiguous_buffer;
        resource Dt = Dt(0.1);
        system Move { read: [Velocity], write: [Position], read_resources: [Dt], without: [Frozen] }
        system Shake { write: [Position, Frozen] }
        system Draw { read: [Position], dependencies: [Move, Shake], before: [Clean] }
        system Clean { write: [Position], despawn }
    ";
    assert!(text.contains(from), "{from}");
    declare(&text.replace(from, to))
}

#[test]
fn the_world_itself_has_no_fault() {
    let outcome = world("", "");
    assert_eq!(outcome.faults(), []);
}

#[test]
fn one_typo_one_error() {
    for (from, to, code, at) in [
        // A name that is similar to a known one: presumed.
        (
            "write: [Position], read_resources",
            "write: [Positoin], read_resources",
            "ECS0011",
            "Positoin",
        ),
        ("without: [Frozen]", "without: [Frozn]", "ECS0011", "Frozn"),
        ("dependencies: [Move, Shake]", "dependencies: [Moev, Shake]", "ECS0012", "Moev"),
        ("before: [Clean]", "before: [Cleen]", "ECS0012", "Cleen"),
        ("read_resources: [Dt]", "read_resources: [DT_]", "ECS0013", "DT_"),
        // A name without a similar one: dropped, and faults that it may have prevented are not reported.
        ("without: [Frozen]", "without: [Liquid]", "ECS0011", "Liquid"),
        ("dependencies: [Move, Shake]", "dependencies: [Gravity]", "ECS0012", "Gravity"),
        ("before: [Clean]", "before: [Gravity]", "ECS0012", "Gravity"),
        // A key or an item that is similar to a known one.
        ("dependencies: [Move, Shake]", "dependancies: [Move, Shake]", "ECS0005", "dependancies"),
        // A word of other libraries.
        ("dependencies: [Move, Shake]", "after: [Move, Shake]", "ECS0005", "after"),
        ("system Move", "sytem Move", "ECS0004", "sytem"),
        ("component Frozen", "compnent Frozen", "ECS0004", "compnent"),
        ("entity_limit", "entity_limits", "ECS0005", "entity_limits"),
        // Punctuation.
        ("read: [Velocity], write", "read: [Velocity] write", "ECS0001", "write"),
        ("read: [Velocity]", "read: Velocity", "ECS0001", "Velocity"),
        ("read: [Velocity]", "read [Velocity]", "ECS0001", "["),
        ("[Move, Shake]", "[Move Shake]", "ECS0001", "Shake"),
        (
            "component Frozen: contiguous_buffer;",
            "component Frozen: contiguous_buffer",
            "ECS0001",
            "resource",
        ),
        (
            "component Frozen: contiguous_buffer;",
            "component Frozen contiguous_buffer;",
            "ECS0001",
            "contiguous_buffer",
        ),
        (
            "component Frozen: contiguous_buffer;",
            "component Frozen: hashmap;",
            "ECS0014",
            "hashmap",
        ),
        ("resource Dt = Dt(0.1);", "resource Dt = ;", "ECS0001", ";"),
        ("despawn }", "despawn: true }", "ECS0001", ":"),
        ("despawn }", "5 }", "ECS0001", "5"),
    ] {
        let outcome = world(from, to);
        assert_eq!(outcome.faults(), [(code, at)], "{to}");
        assert!(outcome.has("SystemName<W> for Draw"), "{to}");
        assert!(outcome.has("SystemName<W> for Clean"), "{to}");
    }
}

#[test]
fn what_a_typo_meant_still_holds() {
    let outcome = world("write: [Position], read_resources", "write: [Positoin], read_resources");
    assert!(outcome.has("Writes<Position,W> for Move"));
    let outcome = world("read: [Velocity]", "raed: [Velocity]");
    assert_eq!(outcome.faults(), [("ECS0005", "raed")]);
    assert!(outcome.has("Reads<Velocity,W> for Move"));
}

#[test]
fn every_fault_is_reported() {
    let outcome = declare(
        "
        world W;
        komponent A: contiguous_buffer;
        component B: hashmap;
        component C contiguous_buffer;
        system S { read_optional: [X], read: [B], write: [B, C C], parallelism: split_evenly(0), : , despawn }
        system T { write: [B], dependencies: [T] }
        ",
    );
    assert_eq!(
        outcome.faults(),
        [
            ("ECS0004", "komponent"),
            ("ECS0014", "hashmap"),
            ("ECS0001", "contiguous_buffer"),
            ("ECS0001", "C"),
            ("ECS0001", ":"),
            ("ECS0017", "0"),
            ("ECS0011", "X"),
            ("ECS0020", "C"),
            ("ECS0021", "B"),
            ("ECS0030", "T"),
        ]
    );
    assert!(outcome.has("Despawns<W> for S") && outcome.has("Writes<C,W> for S"));
}

#[test]
fn a_system_that_cannot_be_parsed_causes_no_other_fault() {
    let outcome = declare(
        "
        world W;
        component A: contiguous_buffer;
        system Broken: 5 { write: [A] }
        system Reader { read: [A], dependencies: [Broken] }
        system Writer { write: [A], dependencies: [Reader] }
        ",
    );
    assert_eq!(outcome.faults(), [("ECS0001", "5")]);
    assert!(outcome.has("Reads<A,W> for Reader"));
}

#[test]
fn without_a_world_what_needs_none_expands() {
    let outcome = declare("component A: contiguous_buffer; system Up: Adjust { read: [A] }");
    assert_eq!(outcome.found.len(), 1);
    assert_eq!(outcome.found[0].code, "ECS0002");
    let code = outcome.text();
    assert!(code.contains("struct Up;") && code.contains("struct UpEntry<'a>"), "{code}");
    assert!(!code.contains("SystemName"), "{code}");
}

#[test]
fn the_const_check_waits_for_a_declaration_without_fault() {
    let check = |text: &str| declare(text).text().contains("signature::check");
    assert!(check("world W;"));
    assert!(!check("world W; system S { read: [X] }"));
}

#[test]
fn garbage_ends() {
    for text in
        ["# ! 5", "pub", "world", "pub pub pub", "component", "; ; {} ()", "#[", "system S {"]
    {
        if text.parse::<proc_macro2::TokenStream>().is_ok() {
            assert!(!declare(text).found.is_empty(), "{text}");
        }
    }
}

#[test]
fn what_follows_a_half_typed_item_stands() {
    for (text, code, at) in [
        ("component", "ECS0001", "component"),
        ("resource", "ECS0001", "resource"),
        ("system", "ECS0001", "system"),
        ("component Frozen,", "ECS0001", ","),
        ("compo", "ECS0004", "compo"),
        ("syst", "ECS0004", "syst"),
        ("component Self;", "ECS0001", "Self"),
        ("component [f32; 3];", "ECS0001", "[f32; 3]"),
        ("component &'static str;", "ECS0001", "&'static str"),
    ] {
        let outcome = declare(&format!("world W; component A; {text} system S {{ read: [A] }}"));
        assert!(!text.contains("Frozen") || outcome.has("HasComponent<Frozen> for W"), "{text}");
        let faults = outcome.faults();
        assert!(outcome.has("SystemName<W> for S"), "{text}");
        assert_eq!(faults, [(code, at)], "{text}");
    }
}
