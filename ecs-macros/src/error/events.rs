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

/// An index that an event cannot have.
pub(super) fn write_index(
    f: &mut fmt::Formatter<'_>,
    event: &str,
    of: Option<&str>,
) -> fmt::Result {
    match of {
        Some(of) => write!(
            f,
            "the index of the event `{event}` is made from `{of}`\n\
             help: an event is found by what is in it: write `{event}` in place of `{of}`, or a closure that takes `&{event}`"
        ),
        None => write!(
            f,
            "the event `{event}` is addressed, and has an index\n\
             help: remove `addressed`, if entities find it by what is in it; or remove the index, if each is for one entity"
        ),
    }
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
