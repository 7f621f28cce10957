//! Additions: only to resources that are declared with an operation.

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::List;

/// Reports resources in `add` that are not commutative.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    for system in &model.systems {
        for used in system.uses.iter().filter(|used| used.list == List::Add) {
            let Some(resource) = used.target.known() else { continue };
            let resource = model.resources[resource];
            if resource.operation.is_some() {
                continue;
            }
            let (name, system) = (used.name().to_string(), system.name().to_string());
            let label = (resource.name.name().span(), format!("`{name}` is declared here"));
            let fault =
                Fault::NotCommutative { resource: name, system, transient: resource.transient };
            errors.report_with(used.name().span(), fault, label);
        }
    }
}
