//! 100 000 events and 100 000 readers, which find those of their cell by its number, or those that are near to them.

use crate::{Row, number, receiver};

mod bevy;
mod by_hand;
mod library;

pub(super) const BY_KEY: [Row; 4] = [
    Row { name: "by hand, sorted", ordered: true, make: by_hand::by_key },
    Row { name: "library", ordered: true, make: library::copied::new },
    Row { name: "library, not `Copy`", ordered: true, make: library::by_place::new },
    Row { name: "bevy, a hash map", ordered: true, make: bevy::by_key },
];

pub(super) const BY_CELL: [Row; 4] = [
    Row { name: "by hand, sorted", ordered: true, make: by_hand::by_cell },
    Row { name: "library", ordered: true, make: library::anywhere::new },
    Row { name: "library, within bounds", ordered: true, make: library::bounded::new },
    Row { name: "bevy, a hash map", ordered: true, make: bevy::by_cell },
];

/// The side of the square on which entities stand, ten in each cell of the size 1.
fn side(entities: u32) -> u32 {
    (entities / 10).isqrt()
}

fn mixed(number: u32) -> u32 {
    let mixed = number.wrapping_mul(0x85EB_CA6B);
    mixed ^ (mixed >> 13)
}

/// The number of the cell for which the entity's event of the step is; of step 0, that in which it stands.
fn cell(entity: u32, step: u32, entities: u32) -> u32 {
    receiver(mixed(entity ^ (step << 24)), side(entities) * side(entities))
}

/// Where the entity stands.
fn place(entity: u32, entities: u32) -> [f32; 2] {
    [2 * entity, 2 * entity + 1].map(|number| {
        let steps = 1 << 24;
        receiver(mixed(number), steps) as f32 / steps as f32 * side(entities) as f32
    })
}

/// Whether one at `place` hears what is said at `at`.
fn hears(place: [f32; 2], at: [f32; 2]) -> bool {
    let [x, y] = [at[0] - place[0], at[1] - place[1]];
    x * x + y * y < 1.0
}

/// What an entity has heard, after it has heard these numbers of one step in any order.
fn add(heard: u64, numbers: impl Iterator<Item = u32>) -> u64 {
    heard.wrapping_add(numbers.map(u64::from).sum())
}

/// A number that tells what all have heard.
fn digest(heard: impl Iterator<Item = u64>) -> u64 {
    heard.fold(0, |digest, heard| crate::fold(digest, heard as u32))
}
