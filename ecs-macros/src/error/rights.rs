//! The wording of what code in a declaration does beside what the declaration says.

use std::fmt;

/// A component that is used and not declared, or assigned to and only read.
pub(super) fn write_undeclared(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    component: &str,
    assigned: bool,
    read: bool,
) -> fmt::Result {
    let list = if assigned { "write" } else { "read" };
    write!(f, "`{system}` does not declare `{list}: [{component}]`\nhelp: ")?;
    if read {
        return write!(
            f,
            "move `{component}` from `read` to the `write: [..]` of `system {system}`"
        );
    }
    write!(f, "add `{component}` to the `{list}: [..]` of `system {system}`")?;
    if assigned { Ok(()) } else { f.write_str(", or to its `write: [..]` if it also writes it") }
}

/// A right that is not used.
pub(super) fn write_unused(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    key: &str,
    right: Option<&str>,
) -> fmt::Result {
    let right_of = right.map_or_else(String::new, |right| format!(": [{right}]"));
    write!(f, "`{system}` declares `{key}{right_of}`, and its code does not use it\nhelp: ")?;
    match (key, right) {
        ("read" | "write", Some(right)) => {
            write!(f, "write `with: [{right}]` if its entities are to have one, or remove it")?;
        }
        _ => f.write_str("remove it")?,
    }
    write!(f, "; or write `#[allow(unused_right)]` before `system {system}`")
}
