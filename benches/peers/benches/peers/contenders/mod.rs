//! The contenders: the library, other libraries, and code by hand.

mod bevy;
mod brood;
mod by_hand;
mod flecs;
mod freecs;
mod gecs;
mod hecs;
mod library;
mod shipyard;
mod sparsey;
mod specs;

use crate::rows::{Form, Row};

/// The name of the library among the contenders.
pub(crate) const LIBRARY: &str = "library";
/// The name of the code without a library.
pub(crate) const BY_HAND: &str = "by hand";

/// A library, and its forms of a row: none, if it cannot express the row.
pub(crate) type Contender = (&'static str, fn(Row) -> Vec<Form>);

/// In the order of the table. The library is compared with the others, and with the code by hand.
pub(crate) const CONTENDERS: [Contender; 11] = [
    (LIBRARY, library::forms),
    (BY_HAND, by_hand::forms),
    ("bevy", bevy::forms),
    ("hecs", hecs::forms),
    ("shipyard", shipyard::forms),
    ("specs", specs::forms),
    ("gecs", gecs::forms),
    ("freecs", freecs::forms),
    ("flecs", flecs::forms),
    ("sparsey", sparsey::forms),
    ("brood", brood::forms),
];

/// The contenders that `CONTENDERS` selects.
pub(crate) fn chosen() -> Vec<Contender> {
    let chosen = std::env::var("CONTENDERS").unwrap_or_default();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.split(',').any(|part| part == name);
    CONTENDERS.into_iter().filter(|(name, _)| is_chosen(name)).collect()
}
