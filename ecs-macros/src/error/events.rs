//! The wording of faults about events.

use std::fmt;

/// An event in a key for resources, or a resource in a key for events.
pub(super) fn write_not_an_event(
    f: &mut fmt::Formatter<'_>,
    [name, system]: [&str; 2],
    key: &str,
    is_event: bool,
) -> fmt::Result {
    if is_event {
        let (verb, right) = if key == "read_resources" { ("read", "on") } else { ("emit", "emit") };
        return write!(
            f,
            "`{key}` of the system `{system}` names the event `{name}`, which is not a resource\n\
             help: to {verb} it, write `{right}: [{name}]`"
        );
    }
    write!(
        f,
        "`{key}` of the system `{system}` names the resource `{name}`, which is not an event\n\
         help: write `event {name};` in place of `resource {name};`, or "
    )?;
    if key == "on" {
        write!(f, "to read the resource, `read_resources: [{name}]`")
    } else {
        write!(f, "to change the resource, `write_resources: [{name}]`")
    }
}

/// An event that no system emits or reads.
pub(super) fn write_unused(f: &mut fmt::Formatter<'_>, event: &str) -> fmt::Result {
    write!(
        f,
        "no system emits or reads the event `{event}`\n\
         help: add `emit: [{event}]` to the system where it happens, and `on: [{event}]` to those that react to it"
    )
}

/// How to break a loop of events.
pub(super) fn write_delayed(f: &mut fmt::Formatter<'_>, event: &str) -> fmt::Result {
    write!(f, "\nhelp: or let `{event}` be read in the next step: `event {event}: delayed;`")
}

/// Events or changes that would be read for each batch of a stream.
pub(super) fn write_in_batches(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    list: &str,
    name: &str,
) -> fmt::Result {
    write!(
        f,
        "the system `{system}` receives a stream, so its code is called for each batch, and would read `{list}: [{name}]` each time\n\
         help: move `{list}: [{name}]` to a system of its own, which runs before or after `{system}`"
    )
}
