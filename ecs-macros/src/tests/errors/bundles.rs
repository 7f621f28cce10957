//! Named bundles: codes 10, 11, 18 and 20, and what is half-written.

use super::super::declare;
use super::{fault, labels};

#[test]
pub(super) fn ecs0010_bundle_name() {
    fault(
        "ECS0010",
        "bundle Both { A, B } bundle Both { A }",
        "Both",
        &["the bundle `Both` is declared twice", "help: give one of the two another name"],
    );
    for (name, other) in [("A", "component"), ("R", "resource"), ("Last", "system"), ("W", "world")]
    {
        fault(
            "ECS0010",
            &format!("bundle {name} {{ B }}"),
            name,
            &[
                &format!("the bundle `{name}` has the name of a {other}"),
                "help: give it another name: a bundle is a type of its own",
            ],
        );
    }
    let set = crate::declare_set("set S; component A; bundle S { A }".parse().unwrap(), |_| 0).0;
    assert_eq!(set.iter().map(|error| error.fault.code()).collect::<Vec<_>>(), ["ECS0010"]);
    let label = |text: &str| (text.to_owned(), format!("`{text}` is here first"));
    assert_eq!(labels("world W; component A; bundle A { }"), [label("A")]);
}

#[test]
pub(super) fn ecs0011_unknown_in_a_named_bundle() {
    fault(
        "ECS0011",
        "bundle Enemy { A, Befor } system S { spawn: [Enemy] }",
        "Befor",
        &["the bundle `Enemy` has an unknown component `Befor`", "help: did you mean `Before`?"],
    );
    fault(
        "ECS0011",
        "bundle Enemy { A, x::Poison } system S { spawn: [Enemy] }",
        "Poison",
        &[
            "the bundle `Enemy` has an unknown component `Poison`",
            "help: declare it: `component Poison;`",
        ],
    );
    fault(
        "ECS0011",
        "bundle Enemy { R }",
        "R",
        &["the bundle `Enemy` has an unknown component `R`", "help: `R` is a resource"],
    );
}

#[test]
pub(super) fn ecs0018_large_bundle() {
    let names: Vec<String> = (0..13).map(|n| format!("C{n}")).collect();
    let names = names.join(", ");
    fault(
        "ECS0018",
        &format!("component {names}; bundle Large {{ {names} }}"),
        "C12",
        &[
            "a bundle has at most 12 components, and this is one more of `Large`",
            "help: remove it, and insert it after the spawn, or implement `Bundle` for a type of your own",
        ],
    );
}

#[test]
pub(super) fn ecs0020_named_bundle_twice() {
    fault(
        "ECS0020",
        "bundle Both { A, B, x::A }",
        "A",
        &[
            "the bundle `Both` has the component `A` twice",
            "help: remove one of the two: an entity has one `A`",
        ],
    );
}

fn is_enemy(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Struct(item) if item.ident == "Enemy")
}

#[test]
fn a_half_written_one_is_one_fault_and_the_rest_stands() {
    for (bundle, fault) in [
        ("bundle", ("ECS0001", "bundle")),
        ("bundle Enemy", ("ECS0001", "component")),
        ("bundle Enemy;", ("ECS0001", ";")),
        ("bundle Enemy: A, B;", ("ECS0001", ":")),
        ("bundle Enemy { A B }", ("ECS0001", "B")),
        ("bundle Enemy { A, 3 }", ("ECS0001", "3")),
        ("bundle my::Enemy { A }", ("ECS0001", "my::Enemy")),
        ("bundle Self { A }", ("ECS0001", "Self")),
        ("pub bundle Enemy { A, B }", ("ECS0008", "pub")),
        ("bundel Enemy { A, B }", ("ECS0004", "bundel")),
    ] {
        let text = format!("world W; {bundle} component A, B; system S {{ read: [A, B] }}");
        let outcome = declare(&text);
        assert_eq!(outcome.faults(), [fault], "{text}");
        assert!(outcome.has("Reads<B,W> for S"), "{text}");
    }
    // One without readable components is a type all the same.
    for bundle in ["bundle Enemy", "bundle Enemy { 3, A }"] {
        let outcome =
            declare(&format!("world W; {bundle} component A; system S {{ spawn: [Enemy] }}"));
        assert_eq!(outcome.found.len(), 1);
        assert!(outcome.code.items.iter().any(is_enemy) && outcome.has("Spawns<W> for S"));
    }
}

#[test]
fn fields_are_named_as_in_entries_and_have_the_spans_of_the_bundle() {
    let text = "world W; component Position, r#Type, Entity, position; \
        /// An enemy.
        #[derive(Clone)] bundle Enemy { Position, r#Type, Entity, x::position, }";
    let outcome = declare(text);
    assert_eq!(outcome.faults(), []);
    let code = outcome.text();
    for part in [
        "#[derive(Clone)]",
        "/// An enemy.",
        "pub position: Position",
        "pub type_: r#Type",
        "pub entity_: Entity",
        "pub position_: position",
        "Position,\n        r#Type,\n        Entity,\n        position,",
    ] {
        assert!(code.contains(part), "{part} in {code}");
    }
}
