//! Faults about effects and the systems that see them, and their messages.

use std::fmt;

use super::parts::{did_you_mean, joined};

/// An effect in `sees` that the system named there does not have.
#[derive(Clone, Debug)]
pub(crate) struct UnknownEffect {
    pub(crate) system: String,
    pub(crate) earlier: String,
    pub(crate) effect: String,
    /// Whether there is such an effect.
    pub(crate) is_effect: bool,
    pub(crate) similar: Option<String>,
    /// The effects that the earlier system does declare.
    pub(crate) declared: Vec<&'static str>,
}

impl fmt::Display for UnknownEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, earlier, effect, is_effect, similar, declared } = self;
        write!(f, "the system `{system}` sees `{earlier}.{effect}`, but ")?;
        if *is_effect {
            write!(f, "the system `{earlier}` does not declare `{effect}`\nhelp: ")?;
        } else {
            write!(f, "`{effect}` is not an effect\nhelp: ")?;
        }
        did_you_mean(f, similar.as_ref(), |f| {
            let declared: Vec<String> =
                declared.iter().map(|word| format!("`{earlier}.{word}`")).collect();
            if declared.is_empty() {
                return write!(
                    f,
                    "`{earlier}` has no effects: write `dependencies: [{earlier}]` to run after it"
                );
            }
            write!(f, "`{system}` can see {}", joined(&declared))
        })
    }
}

/// An effect that systems would see, but too late.
#[derive(Clone, Debug)]
pub(crate) struct Residual {
    pub(crate) world: String,
    pub(crate) earlier: String,
    /// The systems that run too early.
    pub(crate) late: Vec<String>,
    /// Those of them, as items, that run after no other one of them.
    pub(crate) first: Vec<String>,
    /// Those of these that have the earlier one in `dependencies`.
    pub(crate) waiting: Vec<String>,
    pub(crate) effect: String,
    /// The effect as `sees` names it.
    pub(crate) word: &'static str,
    /// Whether one of them is part of a set.
    pub(crate) remote: bool,
    /// Whether the earlier system is sequential.
    pub(crate) at_once: bool,
}

impl fmt::Display for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, earlier, late, first, waiting, effect, word, remote, at_once } = self;
        let late: Vec<String> = late.iter().map(|name| format!("`{name}`")).collect();
        let (what, shows) = if *at_once { ("new matches by ", "show") } else { ("", "shows") };
        let (run, see) = if late.len() == 1 { ("runs", "sees") } else { ("run", "see") };
        write!(
            f,
            "{what}{effect} of the system `{earlier}` {shows} after the step, too late for {}, which {run} \
             after `{earlier}` and {see} it",
            joined(&late)
        )?;
        if !remote {
            let items = joined(first);
            write!(f, "\nhelp: refresh in time: add `sees: [{earlier}.{word}]` to {items}")?;
        }
        if !remote && !waiting.is_empty() {
            write!(f, ", in place of `dependencies: [{earlier}]`")?;
            if waiting.len() < first.len() {
                write!(f, " in {}", joined(waiting))?;
            }
        }
        write!(
            f,
            "\nhelp: or before all dependents: write `staged_changes: refresh_before_dependents` in `world \
             {world} {{ … }}`\n\
             help: or let it be seen after the step: `staged_changes: after_step`"
        )
    }
}
