//! One system by itself: lists that repeat or contradict each other, and what asks for one subtask.

use quote::ToTokens;
use syn::Type;
use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::{Model, System, Use};
use crate::syntax::{Flag, List, Strategy, name_of};

pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        lists(system, errors);
        bundles(system, errors);
        single_subtask(system, errors);
    }
}

/// Reports each name that repeats or contradicts an earlier one, against the first such.
fn lists(system: &System<'_>, errors: &mut Errors) {
    let known = |used: &&Use<'_>| used.target.known().is_some();
    for (i, later) in system.uses.iter().enumerate().filter(|(_, used)| known(used)) {
        let earlier = system.uses[..i].iter().filter(|earlier| {
            earlier.target == later.target && earlier.list.kind() == later.list.kind()
        });
        let fault = earlier.into_iter().find_map(|earlier| {
            let (name, system) = (later.name().to_string(), system.name().to_string());
            let (first, second) = (earlier.list.key(), later.list.key());
            if earlier.list == later.list {
                return Some(Fault::ListedTwice { name, system, list: second });
            }
            let help = contradiction(earlier.list, later.list)
                .or_else(|| contradiction(later.list, earlier.list))?;
            Some(Fault::Contradiction { name, system, first, second, help })
        });
        if let Some(fault) = fault {
            errors.report(later.name().span(), fault);
        }
    }
}

/// What to do about something that is in both lists, if it cannot be in both.
fn contradiction(a: List, b: List) -> Option<&'static str> {
    use List::{
        Read, ReadAny, ReadOptional, ReadResources, With, Without, Write, WriteOptional,
        WriteResources,
    };
    match (a, b) {
        (Read, Write) | (ReadOptional, WriteOptional) | (ReadResources, WriteResources) => {
            Some("what a system writes it can read, too: remove it from the list that reads")
        }
        (Read | Write, ReadOptional | WriteOptional) => Some(
            "either every entity of the system has it, or it is optional: remove it from one of \
             the two",
        ),
        (Write | WriteOptional, ReadAny) => Some(
            "nobody may write what is read of any entity: read in one system and write in \
             another one, or declare `exclusive` and remove it from `read_any`",
        ),
        (Read | Write | ReadOptional | WriteOptional | With, Without) => {
            Some("no entity both has a component and lacks it: remove it from one of the two")
        }
        _ => None,
    }
}

/// Reports a bundle that is listed twice, or that has a component twice.
fn bundles(system: &System<'_>, errors: &mut Errors) {
    let report = |name: String, span, errors: &mut Errors| {
        let system = system.name().to_string();
        errors.report(span, Fault::ListedTwice { name, system, list: "spawn" });
    };
    let mut seen: Vec<String> = Vec::new();
    for bundle in &system.item.spawn {
        let written = bundle.to_token_stream().to_string();
        if seen.contains(&written) {
            report(written, bundle.span(), errors);
            continue;
        }
        seen.push(written);
        let Type::Tuple(tuple) = bundle else { continue };
        let mut components: Vec<String> = Vec::new();
        for element in &tuple.elems {
            let Type::Path(path) = element else { continue };
            let name = name_of(&path.path).to_string();
            if components.contains(&name) {
                report(name.clone(), name_of(&path.path).span(), errors);
            }
            components.push(name);
        }
    }
}

/// Reports inner parallelism where there can be one subtask only.
fn single_subtask(system: &System<'_>, errors: &mut Errors) {
    let Some((strategy, span)) = &system.item.parallelism else { return };
    if is_single(strategy) {
        return;
    }
    let name = system.name().to_string();
    if system.item.flag(Flag::Exclusive).is_some() {
        errors.report(*span, Fault::ParallelExclusive { system: name });
        return;
    }
    for used in system.uses.iter().filter(|used| used.list == List::WriteResources) {
        let fault =
            Fault::SharedResource { resource: used.name().to_string(), system: name.clone() };
        errors.report(used.name().span(), fault);
    }
}

/// Whether the strategy never makes several subtasks. A user's may or may not: that is left to
/// `const` evaluation.
fn is_single(strategy: &Strategy) -> bool {
    match strategy {
        Strategy::None | Strategy::User(_) => true,
        Strategy::SplitEvenly(_) | Strategy::SplitEvenlyCores | Strategy::SplitEvery(_) => false,
        Strategy::NoneBelowThreshold(_, from) => is_single(from),
        Strategy::FixedThreshold(_, below, from) => is_single(below) && is_single(from),
    }
}
