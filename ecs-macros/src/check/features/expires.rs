//! Components that expire: each is counted down, by systems that do nothing else.

use quote::ToTokens;
use syn::spanned::Spanned;

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Composed, Flag, List, Part, name_of};

/// Reports systems that count a component down that does not say by what.
pub(crate) fn are_expiring(model: &Model<'_>, errors: &mut Errors) {
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        let Some(used) = system.item.expire.as_ref().and_then(|path| system.parameter(path)) else {
            continue;
        };
        let Some(component) = used.target.known().map(|index| &model.components[index]) else {
            continue;
        };
        if component.expires.is_none() && !component.incomplete {
            let name = used.name().to_string();
            let label = (component.name().span(), format!("`{name}` is declared here"));
            let fault = Fault::NotExpiring { component: name, system: system.name().to_string() };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}

/// Reports components that expire, and that no system of the world counts down.
pub(crate) fn are_counted_down(model: &Model<'_>, errors: &mut Errors) {
    // Part of a world only: a set may leave it to the world that includes it.
    if model.tree.world.is_none() || model.systems.iter().any(|system| system.item.incomplete) {
        return;
    }
    for (index, component) in model.components.iter().enumerate() {
        let Some(field) = component.expires else { continue };
        if model.systems.iter().any(|system| system.expired() == Some(index)) {
            continue;
        }
        let set = component.named.numbered.as_ref().and_then(|(numbers, _)| {
            let numbers = numbers.to_token_stream().to_string();
            let is_it = |set: &&Composed| {
                let of_the_set = set.place.part(&Part::Numbers, set.at);
                of_the_set.to_token_stream().to_string() == numbers
            };
            model.tree.sets.iter().find(is_it)
        });
        let at = set.map_or_else(|| field.span(), |set| set.at);
        let (component, set) =
            (component.name().to_string(), set.map(|set| set.place.set.to_string()));
        errors.report(at, Fault::NeverExpires { component, set });
    }
}

/// Reports what a system that counts a component down cannot have.
pub(crate) fn beside(model: &Model<'_>, errors: &mut Errors) {
    for system in model.systems.iter().filter(|system| system.item.expire.is_some()) {
        let mut report = |at, why| {
            let (system, key) = (system.name().to_string(), "expire");
            errors.report(at, Fault::BesideCode { system, key, why });
        };
        for (flag, why) in [
            (Flag::Exclusive, "which reaches its own entities only\nhelp: remove `exclusive`"),
            (
                Flag::Sequential,
                "which removes at the refresh\nhelp: remove `sequential`, or count down in code of yours",
            ),
        ] {
            if let Some(at) = system.item.flag(flag) {
                report(at, why);
            }
        }
        for (list, why) in [
            (
                List::Streams,
                "which would run for each batch of the stream\nhelp: let a system of its own receive the stream",
            ),
            (
                List::AfterParent,
                "which goes to each entity in any order\nhelp: remove `after_parent`",
            ),
        ] {
            if let Some(used) = system.uses.iter().find(|used| used.list == list) {
                report(name_of(used.path).span(), why);
            }
        }
    }
}
