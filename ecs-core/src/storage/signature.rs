//! Component signatures: the type of a component, and its storage.

use super::MakeExternal;
use crate::types::TypeInfo;

/// Binds a component type to its storage (thesis, 7.1.1).
///
/// Components that name the same *buffer* are interleaved in it (array of structures); a
/// component alone in its buffer is a column (structure of arrays).
///
/// ```
/// # use ecs_core::{Declaration, world};
/// # struct Heat(u32);
/// # world! { world Room; component Heat; }
/// let heat = &Room::COMPONENTS[0];
/// assert_eq!((heat.name(), heat.buffer()), ("Heat", Some(0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ComponentSignature {
    name: &'static str,
    place: Location,
    info: TypeInfo,
    is_copy: bool,
}

/// Where values are stored.
#[derive(Clone, Copy, Debug)]
enum Location {
    /// In the contiguous buffer with this number.
    Buffer(usize),
    /// In the contiguous buffer with this number, which takes no memory.
    Empty(usize),
    /// In external storage, made by this function.
    External(MakeExternal),
}

impl ComponentSignature {
    /// Stores `C` in the contiguous buffer with the number `buffer`.
    ///
    /// Buffers are numbered from 0 in order of first use. That a `C` can be a component is a condition of
    /// [`HasComponent`](crate::HasComponent), without which no value is stored.
    #[must_use]
    pub const fn new<C: 'static>(name: &'static str, buffer: usize) -> Self {
        Self { name, place: Location::Buffer(buffer), info: TypeInfo::of::<C>(), is_copy: false }
    }

    /// A `C` without fields. Only its presence is stored; its buffer takes no memory.
    /// [`check`](crate::signature::check) validates that `C` has no size.
    #[must_use]
    pub const fn empty<C: 'static>(name: &'static str, buffer: usize) -> Self {
        Self { name, place: Location::Empty(buffer), info: TypeInfo::of::<C>(), is_copy: false }
    }

    /// Stores `C` in the external storage that `make` makes.
    pub(crate) const fn external_with<C: 'static>(name: &'static str, make: MakeExternal) -> Self {
        Self { name, place: Location::External(make), info: TypeInfo::of::<C>(), is_copy: false }
    }

    /// Says whether `C` is `Copy`: its values change only where they are written, so snapshots can leave out pages that have not
    /// changed.
    #[must_use]
    pub const fn copied(mut self, is_copy: bool) -> Self {
        self.is_copy = is_copy;
        self
    }

    /// Whether pages of the component have versions: it is known to be `Copy`, and lies in a buffer.
    pub(crate) const fn has_versions(&self) -> bool {
        self.is_copy && self.buffer().is_some()
    }

    /// The component's name in the declaration.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The number of the buffer that holds the component, if one does.
    #[must_use]
    pub const fn buffer(&self) -> Option<usize> {
        match self.place {
            Location::Buffer(buffer) | Location::Empty(buffer) => Some(buffer),
            Location::External(_) => None,
        }
    }

    /// Whether a value must have no size.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.place, Location::Empty(_))
    }

    /// The function that makes the component's external storage, if it has one.
    pub(crate) const fn external_column(&self) -> Option<MakeExternal> {
        match self.place {
            Location::Buffer(_) | Location::Empty(_) => None,
            Location::External(make) => Some(make),
        }
    }

    /// What storage knows of the component's type.
    #[must_use]
    pub const fn info(&self) -> &TypeInfo {
        &self.info
    }
}
