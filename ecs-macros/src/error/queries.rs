//! The messages about queries and their indices.

use std::fmt;

use super::fault::Fault;
use super::parts::{did_you_mean, joined, without_refresh};

/// Writes the message of a fault of a query.
pub(super) fn write(f: &mut fmt::Formatter<'_>, fault: &Fault) -> fmt::Result {
    match fault {
        Fault::UnknownIndex { word, query, similar } => {
            write!(f, "the query `{query}` has an unknown index `{word}`\nhelp: ")?;
            did_you_mean(f, similar.as_ref(), |f| {
                f.write_str(
                    "write `by_key(Component)`, `by_cell(Component, size)`, or the path of a type that \
                     implements `Index`",
                )
            })
        }
        Fault::UntypedIndex { owner, by_cell } => write!(
            f,
            "the index of the {owner} has a closure that does not say what it takes and returns\n\
             help: write the types: `|{}| -> {} {{ .. }}`",
            match owner.strip_prefix("event ") {
                Some(event) => format!("event: &{}", event.trim_matches('`')),
                None => format!("component: &{}", if *by_cell { "Position" } else { "Team" }),
            },
            if *by_cell { "[f32; 2]" } else { "u8" }
        ),
        Fault::WritesIndexed { writer, component, query, users, remote } => {
            write!(
                f,
                "the system `{writer}` writes the component `{component}`, from which the index of the \
                 query `{query}` is made, and is not ordered with "
            )?;
            let names: Vec<String> = users.iter().map(|user| format!("`{user}`")).collect();
            f.write_str(&joined(&names))?;
            f.write_str(", which the index is made for\nhelp: order them: add ")?;
            let user = &users[0];
            if *remote {
                write!(f, "`order {writer} -> {user};` to the declaration")?;
            } else {
                write!(f, "`dependencies: [{writer}]` to `system {user}`")?;
            }
            f.write_str(": the index is then made after it\nhelp: or the other way round: add ")?;
            if *remote {
                for user in users {
                    write!(f, "`order {user} -> {writer};` ")?;
                }
                f.write_str("to the declaration")
            } else {
                write!(f, "`dependencies: [{}]` to `system {writer}`", users.join(", "))
            }
        }
        Fault::BetweenUsers { writer, component, query, earlier, later } => {
            write!(
                f,
                "the system `{writer}` writes the component `{component}`, from which the index of the \
                 query `{query}` is made, "
            )?;
            match earlier {
                Some(earlier) => {
                    write!(f, "after `{earlier}` and before `{later}`, which both use it")?;
                }
                None => write!(f, "after the index is made and before `{later}`, which uses it")?,
            }
            second(f, query, later)
        }
        Fault::RefreshBeforeUse { user, system, query, staging, seeing, said } => {
            write!(
                f,
                "the systems `{user}` and `{system}` use the index of the query `{query}`, but a refresh \
                 comes between them: before it `{staging}` stages what `{seeing}` sees after it"
            )?;
            second(f, query, system)?;
            let without = without_refresh(*said, seeing);
            write!(f, "\nhelp: or let changes be seen after the step: {without}")
        }
        Fault::NotShown { system, query, component } => write!(
            f,
            "the system `{system}` reads `{component}` through the query `{query}`, which does not read it\n\
             help: add `{component}` to the `read: [..]` of `query {query}`"
        ),
        _ => Ok(()),
    }
}

/// An index does not serve a system that uses it.
fn second(f: &mut fmt::Formatter<'_>, query: &str, user: &str) -> fmt::Result {
    write!(
        f,
        "\nhelp: declare a second query, `query {query}Again {{ .. }}`, with the keys of `query {query}`, \
         and use it in `system {user}`: its index is made later"
    )
}
