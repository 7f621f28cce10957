//! Tracked components: which questions (`changed`, `added`) have which lane, and the validation of who asks.
//!
//! The lanes of a component are numbered in the order of the systems, those of changes first.

use core::marker::PhantomData;

use ecs_rules::{List, contains, tracking};

use crate::rows::SparseSet;
use crate::signature::check::ancestors::Ancestors;
use crate::signature::check::message::Message;
use crate::signature::{Declaration, SystemSignature, Tables};
use crate::storage::{LaneCount, Storage};
use crate::types::IndexSet;

/// What is known of a declaration. The compiler evaluates it once.
struct Tracked<D>(PhantomData<D>);

impl<D: Declaration> Tracked<D> {
    const COMPONENTS: IndexSet = components(D::SYSTEMS);
}

/// The components that the systems ask about.
pub(crate) const fn components(systems: &[SystemSignature]) -> IndexSet {
    let mut tracked = IndexSet::EMPTY;
    for_each!(s < systems.len(), {
        if !matches!((systems[s].declared.changed, systems[s].declared.added), ([], [])) {
            tracked.unite(&tracking::of(&systems[s].declared));
        }
    });
    tracked
}

/// The number of lanes of the component.
pub(crate) const fn count<D: Declaration>(component: usize) -> LaneCount {
    if Tracked::<D>::COMPONENTS.contains(component) {
        count_in(D::SYSTEMS, component)
    } else {
        LaneCount::NONE
    }
}

const fn count_in(systems: &[SystemSignature], component: usize) -> LaneCount {
    let mut count = LaneCount::NONE;
    for_each!(s < systems.len(), {
        let declared = &systems[s].declared;
        if contains(declared.changed, component) {
            count.changed += 1;
            count.all += 1;
        }
        if contains(declared.added, component) {
            count.all += 1;
        }
    });
    count
}

/// The lane of a question of the system at `index`, if it asks that.
pub(crate) const fn lane(
    systems: &[SystemSignature],
    index: usize,
    list: List,
    component: usize,
) -> Option<usize> {
    if !contains(systems[index].declared.list(list), component) {
        return None;
    }
    let mut lane = match list {
        List::Added => count_in(systems, component).changed,
        _ => 0,
    };
    for_each!(s < index, {
        if contains(systems[s].declared.list(list), component) {
            lane += 1;
        }
    });
    Some(lane)
}

/// Whether the system at `index` asks anything.
pub(crate) const fn asks(systems: &[SystemSignature], index: usize) -> bool {
    !matches!((systems[index].declared.changed, systems[index].declared.added), ([], []))
}

/// Empties the lanes of the system at `index`, which has run, of the rows in its subscription. O(blocks × lanes).
pub(crate) fn forget(
    storage: &Storage,
    systems: &[SystemSignature],
    index: usize,
    set: &SparseSet,
) {
    for list in [List::Changed, List::Added] {
        for &component in systems[index].declared.list(list) {
            if let Some(lane) = lane(systems, index, list, component) {
                storage.lanes_at(component).empty(lane, |block| set.block(block));
            }
        }
    }
}

/// Lets the storage, which has no entities, track what the systems ask about.
pub(crate) fn track(storage: &mut Storage, systems: &[SystemSignature]) {
    let mut tracked = components(systems);
    while let Some(component) = tracked.pop() {
        storage.track(component, count_in(systems, component));
    }
}

/// Fails to evaluate if a system asks about a component that it does not access, or if unordered systems meet at marks.
pub(crate) const fn check(tables: Tables<'_>, ancestors: &Ancestors) {
    let mut tracked = components(tables.systems);
    if tracked.is_empty() {
        return;
    }
    for_each!(s < tables.systems.len(), {
        if let Some((list, component)) = tracking::not_accessed(&tables.systems[s].declared) {
            Message::new()
                .text("[ECS0151] the system `")
                .text(tables.systems[s].name)
                .text("` asks by `")
                .text(list.key())
                .text("` about `")
                .text(tables.components[component].name())
                .text("`, which it does not access\nhelp: add it to `read`")
                .raise();
        }
    });
    while let Some(component) = tracked.pop() {
        check_marks(tables, ancestors, component);
    }
}

/// Fails to evaluate if two unordered systems meet at the marks of the component.
const fn check_marks(tables: Tables<'_>, ancestors: &Ancestors, component: usize) {
    for_each!(b < tables.systems.len(), {
        for_each!(a < b, {
            let (one, other) = (&tables.systems[a], &tables.systems[b]);
            if !ancestors[a].contains(b)
                && !ancestors[b].contains(a)
                && tracking::over_marks(&one.declared, &other.declared, component)
            {
                Message::new()
                    .text("[ECS0152] the systems `")
                    .text(one.name)
                    .text("` and `")
                    .text(other.name)
                    .text("` are not ordered, and meet at the marks of the tracked component `")
                    .text(tables.components[component].name())
                    .text("`\nhelp: add `dependencies: [")
                    .text(one.name)
                    .text("]` to `")
                    .text(other.name)
                    .text("`")
                    .raise();
            }
        });
    });
}
