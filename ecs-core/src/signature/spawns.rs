//! Which bundles a system may spawn, and in which order: checked in `const` evaluation, against the table.

use super::access::SpawnedBy;
use super::bundle::{Bundle, BundleFacts};
use super::{Declaration, Message, SystemName, undeclared};
use crate::types::IndexSet;

/// The place of a bundle among those that a system spawns. Entities are spawned in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpawnOrder {
    /// The position in `spawn`.
    pub(crate) position: usize,
    /// Tells the tuples of the same components apart.
    pub(crate) rank: u32,
}

/// The order of the spawns of `N` with `B`. It does not compile if the table does not list the components of `B`.
pub(crate) const fn spawn_order<D: Declaration, N: SystemName<D>, B: SpawnedBy<N, D>>() -> SpawnOrder
{
    let system = &D::SYSTEMS[N::INDEX];
    let bundles = system.declared.bundles;
    if !system.declared.spawns() {
        undeclared::<D, N>("do what needs", "spawn");
    }
    let BundleFacts { components, rank, .. } = &<B::Stored as Bundle<D>>::FACTS;
    let rank = *rank;
    if let Some(components) = components {
        for_each!(position < bundles.len(), {
            if let Some(listed) = bundles[position]
                && is_same(&IndexSet::of(listed), components)
            {
                return SpawnOrder { position, rank };
            }
        });
    }
    if let Some(position) = B::POSITION
        && position < bundles.len()
        && bundles[position].is_none()
    {
        return SpawnOrder { position, rank };
    }
    undeclared_bundle::<D, N>(components.as_ref())
}

const fn is_same(one: &IndexSet, other: &IndexSet) -> bool {
    one.is_subset(other) && other.is_subset(one)
}

const fn undeclared_bundle<D: Declaration, N: SystemName<D>>(components: Option<&IndexSet>) -> ! {
    let name = D::SYSTEMS[N::INDEX].name();
    let message = Message::new()
        .text("[ECS0061] the system `")
        .text(name)
        .text("` does not declare that it spawns ");
    let Some(components) = components else {
        message.text("this bundle\nhelp: declare it, and remove the `impl` of the right").raise()
    };
    let message = message.text("`(");
    let message = names::<D>(message, components);
    let mut others = *components;
    let single = others.pop().is_some() && others.is_empty();
    let message = message.text(if single { ",)`\nhelp: add `" } else { ")`\nhelp: add `(" });
    let message = names::<D>(message, components);
    let message = message.text(if single { "" } else { ")" });
    let message = message.text("` to the `spawn: [..]` of `system ");
    message.text(name).text("`: the components count, in any order").raise()
}

/// Appends the names of the components.
const fn names<D: Declaration>(mut message: Message, components: &IndexSet) -> Message {
    let mut number = 0;
    for_each!(index < D::COMPONENTS.len(), {
        if components.contains(index) {
            message = message.text(if number == 0 { "" } else { ", " });
            message = message.text(D::COMPONENTS[index].name());
            number += 1;
        }
    });
    message
}
