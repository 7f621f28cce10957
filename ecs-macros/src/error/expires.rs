//! The wording of faults about components that expire.

use std::fmt;

/// A system counts a component down that does not expire.
pub(super) fn write_not_expiring(
    f: &mut fmt::Formatter<'_>,
    component: &str,
    system: &str,
) -> fmt::Result {
    write!(
        f,
        "the system `{system}` counts `{component}` down, which does not say by which field\n\
         help: name that field where the component is declared: `component {component}: expires(left);`"
    )
}

/// A component expires, and no system counts it down.
pub(super) fn write_never_expires(
    f: &mut fmt::Formatter<'_>,
    component: &str,
    set: Option<&str>,
) -> fmt::Result {
    write!(f, "`{component}`")?;
    if let Some(set) = set {
        write!(f, ", of the set `{set}`,")?;
    }
    write!(
        f,
        " expires, and no system counts it down\n\
         help: declare one, with its place in the order: `system Expire{component} {{ expire: {component} }}`"
    )
}
