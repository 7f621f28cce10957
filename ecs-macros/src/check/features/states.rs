//! States: declared once, named by systems as they are, and not in keys that exclude each other.

use syn::Ident;

use crate::error::{Errors, Fault, StateFault};
use crate::model::{Model, Named, named_state, names_states, plain};
use crate::similar::closest;
use crate::syntax::{State, name_of};

/// Reports states, and variants of a state, with one name.
pub(crate) fn declared_once(model: &Model<'_>, errors: &mut Errors) {
    let states = &model.tree.states;
    let names: Vec<&Ident> = states.iter().map(|state| &state.name).collect();
    once(&names, None, errors);
    for state in states {
        let names: Vec<&Ident> = state.variants.iter().map(|variant| &variant.name).collect();
        once(&names, Some(&state.name), errors);
    }
}

fn once(names: &[&Ident], of: Option<&Ident>, errors: &mut Errors) {
    for (at, name) in names.iter().enumerate() {
        let Some(first) = names[..at].iter().find(|first| plain(first) == plain(name)) else {
            continue;
        };
        let label = (first.span(), format!("`{first}` is here first"));
        let (name, at) = (name.to_string(), name.span());
        let fault = StateFault::Twice { name, of: of.map(ToString::to_string) };
        errors.report_with(at, Fault::OfState(fault), label);
    }
}

/// Reports names that stand for no state, or for no variant.
pub(crate) fn known(model: &Model<'_>, errors: &mut Errors) {
    let states = &model.tree.states;
    for system in &model.systems {
        for used in &system.item.states {
            let name = name_of(&used.path);
            let found = named_state(states, &used.path);
            let (of, help) = match found {
                Named::State(_) if names_states(used) => continue,
                Named::Variant(..) if !names_states(used) => continue,
                _ if model.tree.lost.contains(&plain(name)) => continue,
                Named::State(state) => {
                    (None, format!("name one of its variants: {}", variants(&states[state])))
                }
                Named::Variant(state, _) => {
                    (None, format!("name the state: `{}`", states[state].name))
                }
                Named::Ambiguous(first, second) => {
                    let [first, second] = [first, second].map(|state| &states[state].name);
                    (None, format!("say of which state: `{first}::{name}` or `{second}::{name}`"))
                }
                Named::NoVariant(state) => {
                    let state = &states[state];
                    let written = name.to_string();
                    let names: Vec<String> =
                        state.variants.iter().map(|variant| variant.name.to_string()).collect();
                    let similar = closest(&written, names.iter().map(String::as_str));
                    let help = similar.map_or_else(
                        || format!("the variants are {}", variants(state)),
                        |similar| format!("did you mean `{}::{similar}`?", state.name),
                    );
                    (Some(state.name.to_string()), help)
                }
                Named::Nothing => (None, declare(model, &plain(name))),
            };
            let (name, system) = (name.to_string(), system.name().to_string());
            let fault = StateFault::Unknown { name: name.clone(), system, key: used.key, of, help };
            errors.report(name_of(&used.path).span(), Fault::OfState(fault));
        }
    }
}

/// The variants, by their paths.
fn variants(state: &State) -> String {
    let variants =
        state.variants.iter().map(|variant| format!("`{}::{}`", state.name, variant.name));
    variants.collect::<Vec<_>>().join(", ")
}

/// What to do where a name is not known.
fn declare(model: &Model<'_>, name: &str) -> String {
    if model.tree.world.is_none() {
        return "a set has no states: let the world that includes it declare a system with this key".to_owned();
    }
    let states = &model.tree.states;
    let all = states.iter().flat_map(|state| {
        let of = state.name.to_string();
        let variants = state.variants.iter().map(move |variant| format!("{of}::{}", variant.name));
        variants.chain([state.name.to_string()])
    });
    let all: Vec<String> = all.collect();
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let words: Vec<String> = all.iter().map(|path| last(path)).collect();
    let similar = closest(name, words.iter().map(String::as_str));
    let similar = similar.and_then(|similar| words.iter().position(|word| word == similar));
    match similar {
        Some(at) => format!("did you mean `{}`?", all[at]),
        None if states.is_empty() => {
            "declare the state with its variants: `state Mode { Menu, Playing }`".to_owned()
        }
        None => {
            let names = states.iter().map(|state| format!("`{}`", state.name));
            format!("the states are {}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Reports systems that would run at several times.
pub(crate) fn beside(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let item = system.item;
        let mut timing = item.timing.clone();
        timing.dedup_by_key(|(key, _)| *key);
        let [(first, at), others @ ..] = &timing[..] else { continue };
        let every = item.every.filter(|_| *first != "in").map(|(_, at)| ("every", at));
        if let Some((second, again)) = others.iter().copied().chain(every).next() {
            let label = (*at, format!("`{first}` is here"));
            let fault = StateFault::Beside { system: system.name().to_string(), first, second };
            errors.report_with(again, Fault::OfState(fault), label);
        }
    }
}
