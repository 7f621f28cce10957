//! Storage strategies: how many components each one stores.

use crate::error::{Errors, Fault};
use crate::model::Model;
use crate::syntax::Storage;

/// Reports several components in a storage for one component: a user-defined type without a `_`. (Other
/// strategies have one instance per component.)
pub(crate) fn together(model: &Model<'_>, errors: &mut Errors) {
    for buffer in &model.tree.buffers {
        if buffer.components.len() > 1 && !matches!(buffer.storage, Storage::ContiguousBuffer) {
            let names: Vec<String> =
                buffer.components.iter().map(|named| named.name().to_string()).collect();
            errors.report(buffer.at, Fault::SharedStorage { components: names.join(", ") });
        }
    }
}
