//! Model to faults. Every check looks at the whole declaration; none hides another.

mod access;
mod conflicts;
mod dependencies;
mod names;
mod settings;

use crate::error::Errors;
use crate::model::Model;

/// Reports every fault of the declaration.
pub(crate) fn check(model: &Model<'_>, errors: &mut Errors) {
    settings::check(model, errors);
    names::check(model, errors);
    access::check(model, errors);
    dependencies::check(model, errors);
    conflicts::check(model, errors);
}
