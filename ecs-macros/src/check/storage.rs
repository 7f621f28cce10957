//! Whether a storage strategy can hold what it is given.

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::Storage;

/// Reports several components in a storage that keeps one: a type of the user's without a `_`, as of each
/// other strategy there is one for each component.
pub(super) fn together(model: &Model<'_>, errors: &mut Errors) {
    for buffer in &model.tree.buffers {
        if buffer.components.len() > 1 && !matches!(buffer.storage, Storage::ContiguousBuffer) {
            let names: Vec<String> =
                buffer.components.iter().map(|named| named.name().to_string()).collect();
            errors.report(buffer.at, Fault::SharedStorage { components: names.join(", ") });
        }
    }
}
