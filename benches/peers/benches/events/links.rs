//! 100 000 entities with ten links each, which have values: added up at either end, and one in a hundred of them changed.
//!
//! `bevy_ecs` has no relations with values. Its rows have vectors in components: of the links that an entity has to others (one end), or
//! also of those that others have to it (both ends).

use crate::{Contender, Row, number, receiver};

mod bevy;
mod by_hand;
mod library;

/// What a step does.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    /// Each entity adds up the values of its links to others.
    AtSources,
    /// Each entity adds up the values of the links that others have to it.
    AtTargets,
    /// One in ten entities ends one of its links, and makes another.
    Relink,
}

use Work::{AtSources, AtTargets, Relink};

pub(super) const AT_SOURCES: [Row; 3] = [
    row("by hand", |links, threads| by_hand::new(links, threads, AtSources, false)),
    row("library", |links, threads| library::new(links, threads, AtSources)),
    row("bevy", |links, threads| bevy::new(links, threads, AtSources, false)),
];

pub(super) const AT_TARGETS: [Row; 5] = [
    row("by hand, one end", |links, threads| by_hand::new(links, threads, AtTargets, false)),
    row("by hand, both ends", |links, threads| by_hand::new(links, threads, AtTargets, true)),
    row("library", |links, threads| library::new(links, threads, AtTargets)),
    row("bevy, one end", |links, threads| bevy::new(links, threads, AtTargets, false)),
    row("bevy, both ends", |links, threads| bevy::new(links, threads, AtTargets, true)),
];

pub(super) const RELINKED: [Row; 5] = [
    row("by hand, one end", |links, threads| by_hand::new(links, threads, Relink, false)),
    row("by hand, both ends", |links, threads| by_hand::new(links, threads, Relink, true)),
    row("library", |links, threads| library::new(links, threads, Relink)),
    row("bevy, one end", |links, threads| bevy::new(links, threads, Relink, false)),
    row("bevy, both ends", |links, threads| bevy::new(links, threads, Relink, true)),
];

const fn row(name: &'static str, make: fn(u32, usize) -> Box<dyn Contender>) -> Row {
    Row { name, ordered: true, make }
}

/// Links of an entity to others.
const LINKS: u32 = 10;

/// The target of a link, as the entity makes it for the first time or for another one. The links of an entity lead to one entity of each
/// tenth of all, in this order.
fn target(source: u32, link: u32, time: u32, entities: u32) -> u32 {
    let mixed = (source * LINKS + link).wrapping_add(time << 24).wrapping_mul(0x85EB_CA6B);
    link * (entities / LINKS) + receiver(mixed ^ (mixed >> 13), entities / LINKS)
}

/// The value of a link that is made in the step.
fn value(source: u32, link: u32, step: u32) -> u32 {
    number(source * LINKS + link, step)
}

/// The link that the entity changes in the step, if there is one, and how often it has been made by then.
fn relinked(source: u32, step: u32) -> Option<(u32, u32)> {
    let changes = (source + step).is_multiple_of(10);
    changes.then_some((step / 10 % LINKS, step / (10 * LINKS) + 1))
}

/// A number that tells the links and the sums of the values at their targets.
fn digest(values: impl Iterator<Item = u32>, sums: impl Iterator<Item = u64>) -> u64 {
    sums.map(|sum| sum as u32).chain(values).fold(0, crate::fold)
}
