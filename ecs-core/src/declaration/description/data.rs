//! The descriptions of components and resources.

use core::fmt;

use super::short_name::short_name;
use crate::signature::{ComponentSignature, ResourceSignature};
use crate::storage::MakeExternal;

/// A component, as declared.
///
/// ```
/// # use ecs_core::{description::Description, world};
/// # struct Position(f32, f32);
/// # world! { world Discs; component Position; }
/// let discs = Description::of::<Discs>();
/// let position = &discs.components()[0];
/// assert_eq!((position.name(), position.size(), position.align()), ("Position", 8, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentDescription {
    name: &'static str,
    size: usize,
    align: usize,
    storage: Storage,
}

/// Where a component's values are stored (thesis, 9.1).
///
/// ```
/// use ecs_core::description::{Description, Storage};
/// # use ecs_core::world;
/// # struct Position(f32, f32);
/// # struct Frozen;
/// # world! { world Discs; component Position; component Frozen: empty; }
/// let discs = Description::of::<Discs>();
/// assert_eq!(discs.components()[0].storage(), Storage::Column);
/// assert_eq!(discs.components()[1].storage().to_string(), "empty");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In a contiguous buffer of their own, a column (structure of arrays).
    Column,
    /// In the contiguous buffer with that number, together with other components, row by row (array of
    /// structures).
    Interleaved(usize),
    /// Nowhere: a value has no size, so only its presence is stored.
    Empty,
    /// In external storage with that strategy: a type, with its path.
    Strategy(&'static str),
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column => f.write_str("column"),
            Self::Interleaved(buffer) => write!(f, "interleaved in buffer {buffer}"),
            Self::Empty => f.write_str("empty"),
            Self::Strategy(name) => write!(f, "stored by {}", short_name(name)),
        }
    }
}

impl ComponentDescription {
    getters! {
        /// The component's name in the declaration.
        name: &'static str = name;
        /// Size of a value in bytes.
        size: usize = size;
        /// Alignment of a value in bytes.
        align: usize = align;
        /// Where its values are stored.
        storage: Storage = storage;
    }
}

/// A resource, as declared.
///
/// ```
/// # use ecs_core::{description::Description, world};
/// # #[derive(Default)]
/// # struct Wind(f32);
/// # world! { world Sky; resource Wind; }
/// let sky = Description::of::<Sky>();
/// let wind = &sky.resources()[0];
/// assert_eq!((wind.name(), wind.size()), ("Wind", 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceDescription {
    name: &'static str,
    size: usize,
    align: usize,
}

impl ResourceDescription {
    getters! {
        /// The resource's name in the declaration.
        name: &'static str = name;
        /// Size of the value in bytes, without memory that it owns elsewhere.
        size: usize = size;
        /// Alignment of the value in bytes.
        align: usize = align;
    }
}

pub(super) fn components(signatures: &[ComponentSignature]) -> Vec<ComponentDescription> {
    let mut in_buffer = vec![0; signatures.len()];
    for buffer in signatures.iter().filter_map(ComponentSignature::buffer) {
        in_buffer[buffer] += 1;
    }
    let describe = |signature: &ComponentSignature| ComponentDescription {
        name: signature.name(),
        size: signature.info().size(),
        align: signature.info().align(),
        storage: match (signature.buffer(), signature.external_column()) {
            (None, external) => {
                Storage::Strategy(external.map_or("no strategy", MakeExternal::name))
            }
            (Some(_), _) if signature.is_empty() => Storage::Empty,
            (Some(buffer), _) if in_buffer[buffer] > 1 => Storage::Interleaved(buffer),
            (Some(_), _) => Storage::Column,
        },
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
