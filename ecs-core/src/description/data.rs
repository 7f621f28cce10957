//! What a description says of components and resources.

use crate::signature::{ComponentSignature, ResourceSignature};

/// A component, as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentDescription {
    name: &'static str,
    size: usize,
    align: usize,
    buffer: usize,
    interleaved: bool,
}

impl ComponentDescription {
    /// The component's name in the declaration.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Size of a value in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Alignment of a value in bytes.
    pub fn align(&self) -> usize {
        self.align
    }

    /// The number of the buffer that holds the component.
    pub fn buffer(&self) -> usize {
        self.buffer
    }

    /// Whether other components lie in the same buffer, row by row (array of structures). If not, the
    /// buffer is the component's own column (structure of arrays).
    pub fn is_interleaved(&self) -> bool {
        self.interleaved
    }
}

/// A resource, as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceDescription {
    name: &'static str,
    size: usize,
    align: usize,
}

impl ResourceDescription {
    /// The resource's name in the declaration.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Size of the value in bytes, without what it owns elsewhere.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Alignment of the value in bytes.
    pub fn align(&self) -> usize {
        self.align
    }
}

pub(super) fn components(signatures: &[ComponentSignature]) -> Vec<ComponentDescription> {
    let mut in_buffer = vec![0; signatures.len()];
    for signature in signatures {
        in_buffer[signature.buffer()] += 1;
    }
    let describe = |signature: &ComponentSignature| ComponentDescription {
        name: signature.name(),
        size: signature.info().size(),
        align: signature.info().align(),
        buffer: signature.buffer(),
        interleaved: in_buffer[signature.buffer()] > 1,
    };
    signatures.iter().map(describe).collect()
}

pub(super) fn resources(signatures: &[ResourceSignature]) -> Vec<ResourceDescription> {
    let describe = |signature: &ResourceSignature| ResourceDescription {
        name: signature.name(),
        size: signature.info().size(),
        align: signature.info().align(),
    };
    signatures.iter().map(describe).collect()
}
