//! Component signatures: which type, in which buffer.

use crate::component::{Component, TypeInfo};

/// Binds a component type to its storage (thesis, 7.1.1).
///
/// Components that name the same *buffer* are interleaved in it (array of structures); a
/// component alone in its buffer is a column (structure of arrays).
#[derive(Clone, Copy, Debug)]
pub struct ComponentSignature {
    name: &'static str,
    buffer: usize,
    info: TypeInfo,
}

impl ComponentSignature {
    /// Stores `C` in the contiguous buffer with the number `buffer`.
    ///
    /// Buffers are numbered from 0 in order of first use.
    #[must_use]
    pub const fn new<C: Component>(name: &'static str, buffer: usize) -> Self {
        Self { name, buffer, info: TypeInfo::of::<C>() }
    }

    /// The component's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The number of the buffer that holds the component.
    #[must_use]
    pub const fn buffer(&self) -> usize {
        self.buffer
    }

    /// What storage knows of the component's type.
    #[must_use]
    pub const fn info(&self) -> &TypeInfo {
        &self.info
    }
}
