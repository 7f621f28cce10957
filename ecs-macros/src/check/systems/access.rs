//! One system by itself: lists that repeat or contradict each other, and keys that require one subtask.

use ecs_rules::alone::{self, OneSubtask};
use proc_macro2::Span;

use crate::error::{Errors, Fault};
use crate::model::{Model, System, Use};
use crate::syntax::{Flag, List};

/// Reports names that a list has twice.
pub(crate) fn listed_once(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for (later, earlier) in repetitions(system) {
            let Some(earlier) = earlier.iter().find(|earlier| earlier.list == later.list) else {
                continue;
            };
            let (name, list) = (later.text(), later.key());
            let label = (earlier.name().span(), format!("`{name}` is listed here first"));
            let fault = Fault::ListedTwice { name, system: system.name().to_string(), list };
            errors.report_with(later.name().span(), fault, label);
        }
    }
}

/// Reports names in two lists that contradict each other.
pub(crate) fn contradictions(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for (later, earlier) in repetitions(system) {
            if earlier.iter().any(|earlier| earlier.list == later.list) {
                continue;
            }
            let event =
                later.target.known().filter(|_| matches!(later.list, List::Emit | List::On));
            if event.is_some_and(|event| system.delayed.contains(&event)) {
                continue;
            }
            let fault = earlier.into_iter().find_map(|earlier| {
                let help = contradiction(earlier.list, later.list)
                    .or_else(|| contradiction(later.list, earlier.list))?;
                let (name, system) = (later.name().to_string(), system.name().to_string());
                let (first, second) = (earlier.list.key(), later.list.key());
                let label = (earlier.name().span(), format!("`{name}` is in `{first}` here"));
                Some((Fault::Contradiction { name, system, first, second, help }, label))
            });
            if let Some((fault, label)) = fault {
                errors.report_with(later.name().span(), fault, label);
            }
        }
    }
}

/// Each use with the earlier uses of the same thing.
fn repetitions<'s>(
    system: &'s System<'s>,
) -> impl Iterator<Item = (&'s Use<'s>, Vec<&'s Use<'s>>)> {
    // An `order` may repeat a list; that is reported as an order that follows from others.
    let known = |used: &&Use<'_>| used.target.known().is_some() && used.is_of_the_system();
    system.uses.iter().enumerate().filter(move |(_, used)| known(used)).map(|(i, later)| {
        let same = |earlier: &&Use<'_>| {
            earlier.target == later.target
                && earlier.list.kind() == later.list.kind()
                && earlier.effect == later.effect
        };
        (later, system.uses[..i].iter().filter(same).collect())
    })
}

/// The help for something that is in both lists, if it cannot be in both.
fn contradiction(a: List, b: List) -> Option<&'static str> {
    use List::{
        Accumulate, Add, AfterParent, Emit, Insert, Link, On, Read, ReadAny, ReadOptional,
        ReadResources, Relations, Remove, Update, With, Without, Write, WriteOptional,
        WriteResources,
    };
    match (a, b) {
        (Read, Write) | (ReadOptional, WriteOptional) | (ReadResources, WriteResources) => {
            Some("what a system writes it can read, too: remove it from the list that reads")
        }
        (WriteResources, Add) => {
            Some("what a system writes it can add to itself: remove it from `add`")
        }
        (ReadResources, Add) => Some(
            "additions of a system show when it has run: remove it from `read_resources`, and read it \
             in a later system",
        ),
        (Emit, On) => Some(
            "a system would have to run after itself: read the event in another system, or in the next step: \
             `event Name: delayed;`",
        ),
        (Emit | On, ReadResources | WriteResources | Add) => Some(
            "an event is emitted and read by keys of its own: remove it from those of resources",
        ),
        (Link | Relations | AfterParent, ReadResources | WriteResources | Add | Emit | On) => Some(
            "a relation is read and changed by keys of its own: remove it from those of resources",
        ),
        (Read, Update) => {
            Some("what a system updates it can read, too: remove it from the list that reads")
        }
        (Write | WriteOptional, Update) => Some(
            "a system changes a component at once or at the refresh: remove it from one of the two",
        ),
        (Insert, Update) => {
            Some("an insertion replaces, too: remove it from `update`, and read it by `read`")
        }
        (Insert | Remove | Update, Accumulate) => Some(
            "two effects on one component would be applied in an order that shows how the system is split: let \
             another system accumulate, or write at once what is to be reset",
        ),
        (Read | Write | Update, ReadOptional | WriteOptional) => Some(
            "either every entity of the system has it, or it is optional: remove it from one of \
             the two",
        ),
        (Write | WriteOptional, ReadAny) => Some(
            "a component that is read of any entity cannot be written: read in one system and write in \
             another one, or declare `exclusive` and remove it from `read_any`",
        ),
        (Read | Write | Update | ReadOptional | WriteOptional | With, Without) => {
            Some("no entity both has a component and lacks it: remove it from one of the two")
        }
        _ => None,
    }
}

/// The flag that makes the system one subtask that reaches every entity, and its span.
pub(crate) fn reaching(system: &System<'_>) -> Option<(&'static str, Span)> {
    let flags = [Flag::Exclusive, Flag::Sequential];
    flags.into_iter().find_map(|flag| Some((flag.key(), system.item.flag(flag)?)))
}

/// Reports inner parallelism of exclusive and of sequential systems.
pub(crate) fn exclusive_is_one_subtask(model: &Model<'_>, errors: &mut Errors) {
    for (system, parallelism) in split(model, OneSubtask::Exclusive) {
        let Some((flag, at)) = reaching(system) else { continue };
        let name = system.name().to_string();
        let label = (at, format!("`{name}` is {flag} here"));
        errors.report_with(parallelism, Fault::ParallelExclusive { system: name, flag }, label);
    }
}

/// Reports inner parallelism of systems that take a stream.
pub(crate) fn consumer_is_one_subtask(model: &Model<'_>, errors: &mut Errors) {
    for (system, parallelism) in split(model, OneSubtask::Consumer) {
        let taken = system.because(|rules| !rules.streams.is_empty());
        let label = taken
            .map(|used| (used.name().span(), format!("`{}` takes a stream here", system.name())));
        let Some(label) = label else { continue };
        let fault = Fault::ParallelConsumer { system: system.name().to_string() };
        errors.report_with(parallelism, fault, label);
    }
}

/// Reports what a system reads beside the events that its subtasks share.
pub(crate) fn one_event_is_shared(model: &Model<'_>, errors: &mut Errors) {
    for (system, parallelism) in split(model, OneSubtask::Events) {
        let mut events = system.uses.iter().filter(|used| used.list == List::On);
        let Some(shared) = events.next() else { continue };
        let others = events.filter(|used| used.target != shared.target);
        let removed = system.uses.iter().filter(|used| used.list == List::Removed);
        let Some(other) = others.chain(removed).next() else { continue };
        let name = system.name().to_string();
        let [event, key, also] = [shared.text(), other.key().to_owned(), other.text()];
        let label = (other.name().span(), format!("`{name}` reads `{also}` here"));
        errors.report_with(
            parallelism,
            Fault::SharedEvents { system: name, event, key, also },
            label,
        );
    }
}

/// Reports resources that several subtasks would write.
pub(crate) fn resources_of_one_subtask(model: &Model<'_>, errors: &mut Errors) {
    for (system, parallelism) in split(model, OneSubtask::Resource) {
        for used in system.uses.iter().filter(|used| used.list == List::WriteResources) {
            let (resource, system) = (used.name().to_string(), system.name().to_string());
            let label = (parallelism, format!("`{system}` is split into subtasks here"));
            let fault = Fault::SharedResource { resource, system };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}

/// The systems that must be one subtask for this reason and may be several, and the spans of their `parallelism`.
fn split<'m>(
    model: &'m Model<'m>,
    why: OneSubtask,
) -> impl Iterator<Item = (&'m System<'m>, Span)> {
    model.systems.iter().filter_map(move |system| {
        let (_, span) = system.item.parallelism.as_ref()?;
        (alone::several_subtasks(&system.rules()) == Some(why)).then_some((system, *span))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::with_lists;

    #[test]
    fn what_the_rules_refuse_has_a_help() {
        let mut refused = 0;
        for &a in List::ALL {
            for &b in List::ALL {
                let rule = with_lists([a, b], &[0], |rules| alone::contradiction(rules).is_some());
                let help = contradiction(a, b).or_else(|| contradiction(b, a));
                assert!(a == b || !rule || help.is_some(), "{a:?} {b:?}");
                refused += usize::from(rule);
            }
        }
        assert!(refused > 20, "only {refused}");
    }
}
