//! Components of which systems read what was removed (`removed`): which system is which reader.
//!
//! The readers of a component are numbered in the order of the systems.

use core::marker::PhantomData;

use ecs_rules::contains;

use crate::signature::check::message::Message;
use crate::signature::{Declaration, HasComponent, SystemSignature};
use crate::storage::Storage;
use crate::types::IndexSet;

/// What is known of a declaration. The compiler evaluates it once.
struct Read<D>(PhantomData<D>);

impl<D: Declaration> Read<D> {
    const COMPONENTS: IndexSet = components(D::SYSTEMS);
}

/// The components of which systems read what was removed.
pub(crate) const fn components(systems: &[SystemSignature]) -> IndexSet {
    let mut read = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        if !systems[s].declared.removed.is_empty() {
            read.unite(&IndexSet::of(systems[s].declared.removed));
        }
    });
    read
}

/// Whether there are such components.
pub(crate) const fn any(systems: &[SystemSignature]) -> bool {
    !components(systems).is_empty()
}

/// Whether a system reads what was removed of the component.
pub(crate) const fn is_read<D: Declaration>(component: usize) -> bool {
    Read::<D>::COMPONENTS.contains(component)
}

/// The number of the system at `index` among the readers of the component, if it is one.
pub(crate) const fn reader(
    systems: &[SystemSignature],
    index: usize,
    component: usize,
) -> Option<usize> {
    if contains(systems[index].declared.removed, component) {
        Some(readers(systems, index, component))
    } else {
        None
    }
}

/// The number of readers of the component among the first `count` systems.
const fn readers(systems: &[SystemSignature], count: usize, component: usize) -> usize {
    let mut readers = 0;
    for_each!(s < count, {
        if contains(systems[s].declared.removed, component) {
            readers += 1;
        }
    });
    readers
}

/// Notes that the system at `index` has run, and so has read what was removed. O(components that it names).
pub(crate) fn note_run(storage: &Storage, systems: &[SystemSignature], index: usize) {
    for &component in systems[index].declared.removed {
        storage.note_read(component, readers(systems, index, component));
    }
}

/// Lets the storage, which has no entities, keep what the systems read.
pub(crate) fn keep(storage: &mut Storage, systems: &[SystemSignature]) {
    let mut read = components(systems);
    while let Some(component) = read.pop() {
        storage.keep_removed(component, readers(systems, systems.len(), component));
    }
}

/// Fails to compile if a system reads what was removed of `C`: then its last value cannot be handed to the caller of `remove`.
/// `instead` is what to call, up to the component's name, and what comes after that.
pub(crate) const fn assert_unread<D: HasComponent<C>, C>(instead: [&str; 2]) {
    let component = <D as HasComponent<C>>::INDEX;
    if !is_read::<D>(component) {
        return;
    }
    let name = D::COMPONENTS[component].name();
    for_each!(s < D::SYSTEMS.len(), {
        if contains(D::SYSTEMS[s].declared.removed, component) {
            Message::new()
                .text("[ECS0127] `remove` would hand out the last value of `")
                .text(name)
                .text("`, which the system `")
                .text(D::SYSTEMS[s].name)
                .text("` reads by `removed`\nhelp: call `")
                .text(instead[0])
                .text(name)
                .text(instead[1])
                .text("`, which leaves it to that system")
                .raise();
        }
    });
}
