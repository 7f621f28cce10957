//! Codes 161 and 162, and what else is about relations.

use super::super::declare;

fn world(rest: &str) -> String {
    format!(
        "world W; component A: contiguous_buffer; resource Bank; event Died; \
         relation ChildOf: one_to_many, on_despawn: despawn; relation Follows: one_to_many, on_despawn: detach; \
         system Use {{ on: [Died], link: [ChildOf], relations: [Follows, ChildOf] }} {rest}"
    )
}

#[test]
pub(super) fn ecs0161_not_a_relation() {
    for (key, name, help) in [
        ("link", "Bank", "or `forbid`"),
        ("relations", "Died", "or `forbid`"),
        ("read_resources", "ChildOf", "help: to read its links, write `relations: [ChildOf]`"),
        ("write_resources", "ChildOf", "help: to change its links, write `link: [ChildOf]`"),
        ("on", "ChildOf", "help: to read its links, write `relations: [ChildOf]`"),
    ] {
        let outcome = declare(&world(&format!("system Pay {{ {key}: [{name}] }}")));
        assert_eq!(outcome.faults(), [("ECS0161", name)], "{key}");
        assert!(outcome.found[0].message.ends_with(help), "{}", outcome.found[0].message);
    }
}

#[test]
pub(super) fn ecs0162_beside_parents() {
    for (keys, at) in [
        ("after_parent: [ChildOf, Follows]", "Follows"),
        ("after_parent: ChildOf, exclusive", "exclusive"),
        ("after_parent: ChildOf, slice_dependent", "slice_dependent"),
        ("after_parent: ChildOf, changed: [A]", "A"),
    ] {
        let outcome = declare(&world(&format!("system Go {{ write: [A], {keys} }}")));
        assert_eq!(outcome.faults(), [("ECS0162", at)], "{keys}");
    }
    let outcome = declare(&world("system Go { write: [A], after_parent: ChildOf }"));
    assert_eq!(outcome.faults(), []);
    assert!(outcome.has("FollowsParents<W> for Go") && outcome.has("ReadsLinks<ChildOf,W> for Go"));
}

#[test]
fn a_relation_says_what_becomes_of_children() {
    for (text, help) in [
        ("relation R;", "`: one_to_many`"),
        ("relation R: many;", "a relation cannot be `many`"),
        ("relation R: one_to_many;", "on_despawn"),
        ("relation R: one_to_many, on_despawn: despwan;", "did you mean `despawn`?"),
    ] {
        let outcome = declare(&format!("world W; {text}"));
        assert_eq!(outcome.faults()[0].0, "ECS0001", "{text}");
        assert!(outcome.found[0].message.contains(help), "{}", outcome.found[0].message);
    }
}
