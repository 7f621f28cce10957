//! The wording of faults about relations.

use std::fmt;

/// A relation in a key for resources or events, or one of those in a key for relations.
pub(super) fn write_not_a_relation(
    f: &mut fmt::Formatter<'_>,
    [name, system]: [&str; 2],
    key: &str,
    is_relation: bool,
) -> fmt::Result {
    if is_relation {
        let (verb, right) = if matches!(key, "read_resources" | "on") {
            ("read", "relations")
        } else {
            ("change", "link")
        };
        return write!(
            f,
            "`{key}` of the system `{system}` names the relation `{name}`\n\
             help: to {verb} its links, write `{right}: [{name}]`"
        );
    }
    write!(
        f,
        "`{key}` of the system `{system}` names `{name}`, which is not a relation\n\
         help: declare it: `relation {name}: one_to_many, on_despawn: despawn;`, or `detach`, or `forbid`"
    )
}

/// `after_parent` along a relation of many to many.
pub(super) fn write_no_parents(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    relation: &str,
) -> fmt::Result {
    write!(
        f,
        "the system `{system}` goes along `{relation}`, which is many-to-many, so that there are no parents\n\
         help: to read its links, write `relations: [{relation}]`; to give each entity one parent, declare \
         `relation {relation}: one_to_many, ..`"
    )
}
