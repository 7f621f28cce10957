//! Messages that are composed of several parts.

use std::fmt;

/// How to order two conflicting systems, or why an order does not help.
pub(super) fn write_order(
    f: &mut fmt::Formatter<'_>,
    [first, second]: [&str; 2],
    remote: bool,
    producer: Option<&String>,
) -> fmt::Result {
    if let Some(producer) = producer {
        return write!(
            f,
            "\nhelp: order them: let `{producer}` output a `Vec`, and declare \
             `inputs: [{producer}]` in place of `streams: [{producer}]`"
        );
    }
    f.write_str("\nhelp: order them: add ")?;
    if remote {
        write!(f, "`order {first} -> {second};` to the declaration")?;
    } else {
        write!(f, "`dependencies: [{first}]` to `system {second}`")?;
    }
    f.write_str(", or the other way round")
}

/// Unordered systems that stage changes whose order is observable.
pub(super) fn write_influence(
    f: &mut fmt::Formatter<'_>,
    [first, second]: [&str; 2],
    over: &[String],
    remote: bool,
    producer: Option<&String>,
    defers: Option<&String>,
) -> fmt::Result {
    write!(f, "the systems `{first}` and `{second}` ")?;
    f.write_str(match producer {
        Some(_) => "run at the same time, as the ends of a stream",
        None => "are not ordered",
    })?;
    write!(
        f,
        ", but {}, so it would be undefined which change counts (Core ECS, corollary 4.8: what runs \
         concurrently influences different components)",
        over.join(", and ")
    )?;
    write_order(f, [first, second], remote, producer)?;
    f.write_str(": the changes of the later one count")?;
    if let Some(system) = defers {
        return write!(
            f,
            "\nhelp: or declare what the functions of `{system}` do, in place of `defer`: `insert`, \
             `remove`, `spawn` and `despawn`"
        );
    }
    if let Some(component) =
        over.iter().find_map(|change| change.strip_prefix("both insert the component "))
    {
        let component = component.trim_matches('`');
        write!(
            f,
            "\nhelp: or let the values add up: `accumulate: [{component}]` in place of `insert: [{component}]` in both, which \
             needs no order, and `impl ecs_core::Accumulate for {component}`\
             \nhelp: or let each send a message (`event Change: addressed;`), and one system, with `on: [Change]`, apply \
             them"
        )?;
    } else if over.iter().any(|change| change.contains("accumulates into")) {
        f.write_str(
            "\nnote: what is accumulated needs no order with what others accumulate, but with every other change of the \
             component",
        )?;
    }
    f.write_str(
        "\nnote: filters do not help, because `insert` and `remove` reach any entity whose handle \
         a system has",
    )
}

/// Unordered systems that update the same component, with a refresh between them.
pub(super) fn write_parted(
    f: &mut fmt::Formatter<'_>,
    [first, second]: [&str; 2],
    component: &str,
    remote: bool,
) -> fmt::Result {
    write!(
        f,
        "the systems `{first}` and `{second}` are not ordered, but both update the component \
         `{component}`, with a refresh between them, so it would be undefined which of them sees the other's changes (Core ECS, corollary 4.8: what runs concurrently influences different \
         components)"
    )?;
    write_order(f, [first, second], remote, None)?;
    f.write_str(
        "\nhelp: or tell their entities apart: require a component in `with: [..]` of the one, and \
         exclude it in `without: [..]` of the other",
    )
}

/// A system that writes components that it also reads through a query.
pub(super) fn write_meets_itself(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    component: &str,
    query: &str,
) -> fmt::Result {
    write!(
        f,
        "the system `{system}` writes `{component}`, which it reads through the query `{query}`, and an \
         entity could belong to both\n\
         help: tell them apart: require a component in `with: [..]` of the one, and exclude it in \
         `without: [..]` of the other\n\
         help: or change it at the refresh: `insert: [{component}]` in place of `write`, and read it\n\
         help: or put the pairs into the `output` of `{system}`, and let a system with \
         `inputs: [{system}]` write"
    )
}

/// Systems that wait for each other, some of which may be stages.
pub(super) fn write_cycle(
    f: &mut fmt::Formatter<'_>,
    systems: &[String],
    stages: &[String],
    by: &[String],
) -> fmt::Result {
    f.write_str(match stages.len() {
        0 => "these systems wait for each other: ",
        n if n == systems.len() => "these stages wait for each other: ",
        _ => "these systems and stages wait for each other: ",
    })?;
    for system in systems {
        write!(f, "{system} -> ")?;
    }
    write!(f, "{}", systems[0])?;
    if !stages.is_empty() && stages.len() < systems.len() {
        write!(
            f,
            ", where `{}` {} its end",
            stages.join("` and `"),
            match stages.len() {
                1 => "is a stage, and stands for",
                _ => "are stages, and each stands for",
            }
        )?;
    }
    f.write_str("\nhelp: remove one of these: ")?;
    for (at, by) in by.iter().enumerate() {
        write!(f, "{}`{by}`", if at == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// Systems that wait for each other, some of them together with the other end of a stream.
pub(super) fn write_stream_cycle(
    f: &mut fmt::Formatter<'_>,
    nodes: &[(String, Option<String>)],
) -> fmt::Result {
    f.write_str("these systems wait for each other, as the ends of a stream run together: ")?;
    for (i, (system, consumer)) in nodes.iter().chain(nodes.first()).enumerate() {
        let arrow = if i == 0 { "" } else { " -> " };
        write!(f, "{arrow}{system}")?;
        if let Some(consumer) = consumer {
            write!(f, " with {consumer}")?;
        }
    }
    f.write_str("\nhelp: remove one of these orders, or output a `Vec` and declare it in `inputs`")
}

/// How to have no refresh before the system `seeing`.
pub(super) fn without_refresh(said: bool, seeing: &str) -> String {
    if said {
        return format!("remove `sees` from `system {seeing}`");
    }
    "`staged_changes: after_step`".to_owned()
}

/// The elements, with commas and `and` between them.
pub(super) fn joined(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Writes the similar word if there is one, and the fallback otherwise.
pub(super) fn did_you_mean(
    f: &mut fmt::Formatter<'_>,
    similar: Option<&String>,
    fallback: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    match similar {
        Some(similar) => write!(f, "did you mean `{similar}`?"),
        None => fallback(f),
    }
}

/// A threshold such that every possible number of entities is on the same side of it.
pub(super) fn write_idle(
    f: &mut fmt::Formatter<'_>,
    system: &str,
    threshold: u128,
    least: u128,
    most: u128,
) -> fmt::Result {
    write!(f, "the threshold {threshold} has no effect: ")?;
    if threshold > most {
        write!(f, "here `{system}` has at most {most} entities")?;
    } else if least > 1 {
        write!(f, "here `{system}` has at least {least} entities")?;
    } else {
        write!(f, "below it `{system}` has nothing to split")?;
    }
    write!(f, "\nhelp: write only the strategy that is meant, or a threshold of ")?;
    if most < u128::MAX {
        write!(f, "{} to {most}", least + 1)
    } else {
        write!(f, "at least {}", least + 1)
    }
}
