//! The thesis's part I: a role-playing game by inheritance, by object composition and by this library.
//!
//! ```sh
//! cargo run --release --package ecs-examples --example part_one
//! ```

#![forbid(unsafe_code)]

use ecs_examples::part_one::rpg::{Kind, Sprite, composition, ecs, inheritance};
use ecs_examples::part_one::{Encoding, after};

fn show<E: Encoding<Kind = Kind, Seen = Sprite>>(encoding: &str) {
    println!("{encoding}:");
    for (kind, sprite) in Kind::ALL.iter().zip(after::<E>(&Kind::ALL, 60)) {
        let [x, y] = sprite.position;
        println!(
            "  {kind:?} '{}' at {x:.2}, {y:.2}, {:.2} high, {} swings, {} arrows, {} wounds",
            sprite.look, sprite.altitude, sprite.swings, sprite.arrows, sprite.wounds
        );
    }
}

fn main() {
    show::<inheritance::Game>("inheritance");
    show::<composition::Game>("object composition");
    show::<ecs::Game>("entities, components and systems");
}
