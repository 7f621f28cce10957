//! Codes 144, 161 and 162, and what else is about relations.

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
pub(super) fn ecs0144_no_parents() {
    let likes = "relation Likes: many_to_many, on_despawn: detach;";
    let outcome =
        declare(&world(&format!("{likes} system Go {{ write: [A], after_parent: Likes }}")));
    assert_eq!(outcome.faults(), [("ECS0144", "Likes")]);
    assert!(outcome.found[0].message.contains("write `relations: [Likes]`"));
    let outcome =
        declare(&world(&format!("{likes} system Go {{ link: [Likes], relations: [Likes] }}")));
    assert_eq!(outcome.faults(), []);
    assert!(outcome.has("Links<Likes,W> for Go") && outcome.has("ReadsLinks<Likes,W> for Go"));
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
        ("relation R;", "`: one_to_many` or `: many_to_many`"),
        ("relation R: graph;", "a relation cannot be `graph`"),
        ("relation R: many_to_man;", "did you mean `many_to_many`?"),
        ("relation R(f32): many_to_many;", "`insert_link` takes a `R`"),
        ("relation R: many_to_many;", "write `relation R: many_to_many, on_despawn: despawn;`"),
        ("relation R: many_to_many, on_despawn: keep;", "sources cannot be left to `keep`"),
        ("relation R: one_to_many;", "on_despawn"),
        ("relation R: one_to_many, on_despawn: despwan;", "did you mean `despawn`?"),
    ] {
        let outcome = declare(&format!("world W; {text}"));
        assert_eq!(outcome.faults()[0].0, "ECS0001", "{text}");
        assert!(outcome.found[0].message.contains(help), "{}", outcome.found[0].message);
    }
}
