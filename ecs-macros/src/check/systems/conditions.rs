//! Run conditions: what the parameters of a condition may be.

use crate::error::{Errors, Fault};
use crate::model::Model;

/// Reports closures that do not take shared references to resources. (Names of other things are reported as unknown
/// resources.)
pub(crate) fn parameters(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        let Some(condition) = &system.item.condition else { continue };
        let mut report = |at, why| {
            let fault = Fault::Condition { system: system.name().to_string(), why };
            errors.report(at, fault);
        };
        for (at, why) in condition.faults() {
            report(at, why);
        }
    }
}
