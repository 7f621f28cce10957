//! Templates: what they share with named bundles, whose codes they have, and what is half-written.

use super::super::{declare, sets};
use super::{fault, labels};

#[test]
fn names_of_templates() {
    fault(
        "ECS0010",
        "template Orc { A(1) } template Orc { A(2) }",
        "Orc",
        &["the template `Orc` is declared twice", "help: give one of the two another name"],
    );
    fault(
        "ECS0010",
        "bundle Orc { A } template Orc { A(2) }",
        "Orc",
        &[
            "the template `Orc` has the name of a bundle",
            "help: give it another name: a template is a type of its own",
        ],
    );
    assert_eq!(
        labels("world W; component A; template A { A(1) }"),
        [("A".into(), "`A` is here first".into())]
    );
}

#[test]
fn components_of_templates() {
    fault(
        "ECS0011",
        "template Orc { A(1), Befor { x: 3 } } system S { spawn: [Orc] }",
        "Befor",
        &["the template `Orc` has an unknown component `Befor`", "help: did you mean `Before`?"],
    );
    fault(
        "ECS0011",
        "template Orc { A(1), Poison::of(3) }",
        "Poison",
        &[
            "the template `Orc` has an unknown component `Poison`",
            "help: declare it: `component Poison;`",
        ],
    );
    fault(
        "ECS0020",
        "template Orc { A(1), B, A { x: 2 } }",
        "A",
        &[
            "the template `Orc` has the component `A` twice",
            "help: remove one of the two: an entity has one `A`",
        ],
    );
}

#[test]
fn each_form_of_a_value_names_its_component() {
    let outcome = declare(
        "world W; component A, B, C, D, E, Buffer<u8> as Bytes, near::F, G;
         #[derive(Clone)] template All {
             A(1), B { x: 2 }, C::Red, D::new(\"d\").with(3), (E), Buffer::<u8>::empty(), near::F(3.0), G: g()
         }",
    );
    assert_eq!(outcome.faults(), []);
    let text: String = outcome.text().split_whitespace().collect();
    for part in [
        "#[derive(Clone)]",
        "///Thetemplate`All`:componentstospawnanentitywith.",
        "implDefaultforAll",
        "a:A(1),b:B{x:2},c:C::Red,d:D::new(\"d\").with(3),e:(E),bytes:Buffer::<u8>::empty(),f:near::F(3.0),g:g(),",
    ] {
        let part = part.replace("implDefault", "impl::core::default::Default");
        assert!(text.contains(&part), "{part} in {text}");
    }
}

#[test]
fn a_value_of_an_unknown_component_is_no_further_fault() {
    let outcome = declare("world W; component Health; template Orc { Helth(3) }");
    assert_eq!(outcome.faults(), [("ECS0011", "Helth")]);
    let text = outcome.text();
    assert!(text.contains("health: __ecs_core::generated::unreadable()"), "{text}");
}

#[test]
fn half_written_ones() {
    for (template, fault) in [
        ("template", ("ECS0001", "template")),
        ("template Orc", ("ECS0001", "component")),
        ("template Orc;", ("ECS0001", ";")),
        ("template Orc { A B }", ("ECS0001", "B")),
        ("template Orc { A, 3 }", ("ECS0001", "3")),
        ("template Orc { A, B: }", ("ECS0001", "}")),
        ("template my::Orc { A }", ("ECS0001", "my::Orc")),
        ("pub template Orc { A, B }", ("ECS0008", "pub")),
        ("prefab Orc { A, B }", ("ECS0004", "prefab")),
    ] {
        let text = format!("world W; {template} component A, B; system S {{ read: [A, B] }}");
        let outcome = declare(&text);
        assert_eq!(outcome.faults()[0].0, fault.0, "{text}: {:?}", outcome.faults());
        assert_eq!(outcome.faults().len(), 1, "{text}: {:?}", outcome.faults());
        assert!(outcome.has("Reads<B,W> for S"), "{text}");
    }
    let outcome = declare("world W; component A; template Orc { A(1), 3 }");
    assert_eq!(
        outcome.found[0].message,
        "expected a component with its value, as in `Health(10)`\nhelp: write the component before the value: `Health: value`"
    );
}

#[test]
fn a_template_of_a_set_is_spawned_by_its_world() {
    let outcomes = sets::program(
        "mod m { set! { pub set Camp; component Health; template Orc { Health::of(3) } } }
         world! { world W; include m::Camp; system S { spawn: [Orc] } }",
    );
    assert!(outcomes.iter().all(|outcome| outcome.faults().is_empty()));
    let of_set: String = outcomes[0].text().split_whitespace().collect();
    assert!(of_set.contains("health:Health::of(3)"), "{of_set}");
    assert!(!outcomes[1].text().contains("Health :: of") && outcomes[1].has("Spawns<W> for S"));
}
