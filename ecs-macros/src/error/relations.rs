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
