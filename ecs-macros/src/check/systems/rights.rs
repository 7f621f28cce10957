//! What the code in a declaration uses, against what the declaration says.

use crate::error::{Errors, Fault};
use crate::expand::systems::{accesses, run_accesses};
use crate::model::{By, Model, System};
use crate::syntax::{Flag, Lint, List};

/// Reports the components that a closure uses and its system does not declare.
pub(crate) fn declared(model: &Model<'_>, errors: &mut Errors) {
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        for used in run_accesses::undeclared(model, system) {
            let component = model.components[used.component].name().to_string();
            let fault = Fault::Undeclared {
                system: system.name().to_string(),
                component,
                assigned: used.assigned,
                read: used.read,
            };
            errors.report(used.field.span(), fault);
        }
    }
}

/// The lists whose rights only the effects give.
const BY_EFFECTS: [List; 6] =
    [List::ReadAny, List::Insert, List::Remove, List::Accumulate, List::Emit, List::On];

/// The flags likewise.
const FLAGS_BY_EFFECTS: [Flag; 3] = [Flag::Despawn, Flag::Defer, Flag::Random];

/// Warns of what a closure is allowed to do and does not.
pub(crate) fn used(model: &Model<'_>, errors: &mut Errors) {
    if !errors.is_empty() {
        return;
    }
    for system in model.systems.iter().filter(|system| system.item.from.is_none()) {
        let is_allowed = |allowed: &[Lint]| allowed.contains(&Lint::UnusedRight);
        if !is_allowed(&model.tree.allowed) && !is_allowed(&system.item.allowed) {
            report_unused(model, system, errors);
        }
    }
}

fn report_unused(model: &Model<'_>, system: &System<'_>, errors: &mut Errors) {
    let unused = accesses::unused(system);
    let Some(unused) = unused.or_else(|| run_accesses::unused(model, system)) else { return };
    let name = || system.name().to_string();
    for used in system.uses.iter().filter(|used| used.by == By::List) {
        let Some(index) = used.target.index() else { continue };
        let is_unused = match used.list {
            List::Read | List::Write | List::ReadOptional | List::WriteOptional => {
                unused.components.contains(&index)
            }
            List::ReadResources | List::WriteResources => unused.resources.contains(&index),
            list => unused.effects && BY_EFFECTS.contains(&list),
        };
        if is_unused {
            let (key, right) = (used.list.key(), Some(used.name().to_string()));
            errors.report(used.name().span(), Fault::UnusedRight { system: name(), key, right });
        }
    }
    for flag in FLAGS_BY_EFFECTS {
        let expires = flag == Flag::Despawn && system.item.expire.is_some();
        if let Some(at) = system.item.flag(flag).filter(|_| unused.effects && !expires) {
            let key = flag.key();
            errors.report(at, Fault::UnusedRight { system: name(), key, right: None });
        }
    }
}
