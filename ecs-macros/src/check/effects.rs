//! Changes at once and staged ones don't mix in a system that reaches every entity.
//!
//! What is staged happens at the refresh, whatever is written until then. An exclusive system comes
//! to an entity as often as it likes, so it would write to components that it has staged the end
//! of. Other systems come to each of their entities once per pass, and stage what is to become of
//! it then: that is what staging is for, and stays allowed.

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::{Flag, List};

/// Reports components that an exclusive system both writes and stages an effect on.
pub(super) fn check(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        if system.item.flag(Flag::Exclusive).is_none() {
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
            errors.report_with(staged.name().span(), fault, [(written.name().span(), label)]);
        }
    }
}
