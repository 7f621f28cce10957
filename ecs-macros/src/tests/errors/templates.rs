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

/// Declares children among sound items, and checks the one fault.
#[track_caller]
fn of_children(code: &str, text: &str, at: &str, message: &[&str]) {
    let relations = "relation ChildOf: one_to_many, on_despawn: despawn; \
                     relation Likes: many_to_many, on_despawn: detach; template Leaf { B(1) }";
    fault(code, &format!("{relations} {text}"), at, message);
}

#[test]
pub(super) fn ecs0160_unknown_in_a_template() {
    of_children(
        "ECS0160",
        "template Tree { A(1), children: ChildOff [Leaf] }",
        "ChildOff",
        &[
            "the template `Tree` has children in an unknown relation `ChildOff`",
            "help: did you mean `ChildOf`?",
        ],
    );
    of_children(
        "ECS0160",
        "template Tree { A(1), children: Grows [Leaf] }",
        "Grows",
        &[
            "the template `Tree` has children in an unknown relation `Grows`",
            "help: declare it: `relation Grows: one_to_many, on_despawn: despawn;`",
        ],
    );
    of_children(
        "ECS0161",
        "template Tree { A(1), children: R [Leaf] }",
        "R",
        &[
            "the template `Tree` has children in `R`, which is not a relation",
            "help: declare one: `relation ChildOf: one_to_many, on_despawn: despawn;`",
        ],
    );
}

#[test]
pub(super) fn ecs0144_no_parents_of_children() {
    of_children(
        "ECS0144",
        "template Tree { A(1), children: Likes [Leaf] }",
        "Likes",
        &[
            "the template `Tree` has children in `Likes`, which is many-to-many, so that there are no parents",
            "help: name a relation that is declared as `one_to_many`, or link the entities after the spawn with `insert_link`",
        ],
    );
}

#[test]
pub(super) fn ecs0168_unknown_template() {
    of_children(
        "ECS0168",
        "template Tree { A(1), children: ChildOf [Leav, Leaf] }",
        "Leav",
        &[
            "the template `Tree` has a child `Leav`, which is not a template of the declaration",
            "help: did you mean `Leaf`?",
        ],
    );
    of_children(
        "ECS0168",
        "bundle Leave { A } template Tree { A(1), children: ChildOf [Leave] }",
        "Leave",
        &[
            "the template `Tree` has a child `Leave`, which is not a template of the declaration",
            "help: `Leave` is a bundle: give its components values, as in `template Leave { Health(10) }`",
        ],
    );
    of_children(
        "ECS0168",
        "template Tree { A(1), children: ChildOf [Squirrel] }",
        "Squirrel",
        &[
            "the template `Tree` has a child `Squirrel`, which is not a template of the declaration",
            "help: declare it: `template Squirrel { Health(10) }`",
        ],
    );
}

#[test]
pub(super) fn ecs0169_template_cycle() {
    of_children(
        "ECS0169",
        "template Hen { A(1), children: ChildOf [Leaf, Egg, Egg] } template Egg { B(1), children: ChildOf [Chick] }
         template Chick { A(2), children: ChildOf [Hen] } template Farm { A(3), children: ChildOf [Hen] }",
        "Egg",
        &[
            "the template `Hen` is one of its own descendants: `Hen` has the child `Egg`, which has the child `Chick`, which has the child `Hen`",
            "help: remove one of these children: a template is spawned with all its descendants",
        ],
    );
    of_children(
        "ECS0169",
        "template Fractal { A(1), children: ChildOf [Leaf, Fractal] }",
        "Fractal",
        &[
            "the template `Fractal` is one of its own descendants: `Fractal` has the child `Fractal`",
            "help: remove one of these children: a template is spawned with all its descendants",
        ],
    );
}

#[test]
fn children_are_spawned_by_runs() {
    let outcome = declare(
        "world W; component A, B; relation ChildOf, Follows: one_to_many, on_despawn: detach;
         template Tree { A(1), children: ChildOf [Leaf, Leaf, Tip,], B(2), children: Follows [Tip, Leaf] }
         template Leaf { B(1) } template Tip { children: ChildOf [] }",
    );
    assert_eq!(outcome.faults(), []);
    let text: String = outcome.text().split_whitespace().collect();
    let spawn = "spawn::<ChildOf,Leaf>(family,parents,2)";
    for part in [spawn, "<ChildOf,Tip>(family,parents,1)", "<Follows,Leaf>(family,parents,1)"] {
        assert_eq!(text.matches(part).count(), 2, "{part} in {text}");
    }
    assert!(text.contains("__System:__ecs_core::access::Links<Follows,__Declaration>"), "{text}");
    assert!(text.contains("insert_children_of::<ChildOf,Leaf>(2)"), "{text}");
}

#[test]
fn half_written_children() {
    let relation = "relation ChildOf: one_to_many, on_despawn: detach;";
    for (children, at) in [
        ("children", "ECS0001"),
        ("children: ", "ECS0001"),
        ("children: ChildOf", "ECS0001"),
        ("children: [Orc]", "ECS0001"),
        ("children: ChildOf { Orc }", "ECS0001"),
        ("children: ChildOf [Orc Orc]", "ECS0001"),
        ("children: ChildOf [3]", "ECS0001"),
    ] {
        let text = format!(
            "world W; component A, B; {relation} template Orc {{ A(1) }} template Camp {{ B(1), {children} }} system S {{ read: [A, B] }}"
        );
        let outcome = declare(&text);
        let faults = outcome.faults();
        assert!(
            faults.iter().all(|(code, _)| *code == at || *code == "ECS0011"),
            "{text}: {faults:?}"
        );
        assert!(!faults.is_empty() && faults.len() == 1, "{text}: {faults:?}");
        assert!(outcome.has("Reads<B,W> for S"), "{text}");
    }
}

#[test]
fn a_template_of_a_set_has_children_in_its_world() {
    let outcomes = sets::program(
        "mod m { set! { pub set Camp; component Health; relation Holds: one_to_many, on_despawn: detach;
                        template Axe { Health(1) } template Orc { Health(3), children: Holds [Axe] } } }
         world! { world W; include m::Camp; template Troll { Health(9), children: Holds [Axe, Orc] }
                  system S { spawn: [Orc], link: [Holds] } }",
    );
    assert!(outcomes.iter().all(|outcome| outcome.faults().is_empty()));
    let of_world: String = outcomes[1].text().split_whitespace().collect();
    assert!(of_world.contains("(family,parents,1)"), "{of_world}");
}
