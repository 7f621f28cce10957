//! An exclusive system must not both write a component and stage its insertion or removal.
//!
//! Staged changes are applied at the refresh and replace what is written until then. An exclusive system may visit
//! an entity any number of times, so it could write to a component whose replacement or removal it has staged, and
//! the write would be lost. Other systems visit each of their entities once per pass and stage its changes at that
//! visit, so for them it is allowed.

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Flag, List};

/// Reports components that an exclusive system writes, and also stages insertions or removals of.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        // A system that counts a component down is not exclusive, which is reported.
        if system.item.flag(Flag::Exclusive).is_none() || system.item.expire.is_some() {
            continue;
        }
        let staging = |list| matches!(list, List::Insert | List::Remove);
        for staged in system.uses.iter().filter(|used| staging(used.list)) {
            let written = system.uses.iter().find(|used| {
                matches!(used.list, List::Write | List::WriteOptional)
                    && used.target.known().is_some()
                    && used.target == staged.target
            });
            let Some(written) = written else { continue };
            let fault = Fault::MixedEffects {
                system: system.name().to_string(),
                component: staged.name().to_string(),
                written: written.list.key(),
                staged: staged.list.key(),
            };
            let label = format!("`{}` is written at once here", written.name());
            errors.report_with(staged.name().span(), fault, (written.name().span(), label));
        }
    }
}
