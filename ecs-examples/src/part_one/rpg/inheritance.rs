//! By inheritance (thesis, 3.3.1.1): each kind is a type that contains its base.
//!
//! Where C++ inherits, a field is the base. The diamond cannot be expressed: a warrior with
//! both weapons cannot be both a `SwordWarrior` and a `BowWarrior` without containing two warriors, so it
//! repeats their code.

use super::{Ai, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;

/// The operations of every entity.
pub trait GameObject {
    /// Advances by one frame.
    fn update(&mut self);
    /// Adds its visible state.
    fn draw(&self, sprite: &mut Sprite);
}

struct Character {
    body: Physics,
    ai: Ai,
    npc: Npc,
}

impl Character {
    fn new(look: char) -> Self {
        Self { body: Physics::default(), ai: Ai::default(), npc: Npc::new(look) }
    }
}

impl GameObject for Character {
    fn update(&mut self) {
        self.body.advance();
        self.body.push(self.ai.think());
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.body.draw(sprite);
        self.npc.draw(sprite);
    }
}

struct Skeleton(Character);
struct Dragon(Character, Flight);
struct Warrior(Character);
struct SwordWarrior(Warrior, Sword);
struct BowWarrior(Warrior, Bow);
struct SwordBowWarrior(Warrior, Sword, Bow);

/// Calls the base, and then the parts that the type adds.
macro_rules! derive_from_base {
    ($($name:ident { $($field:tt . $verb:ident),* })*) => {$(
        impl GameObject for $name {
            fn update(&mut self) {
                self.0.update();
                $(self.$field.$verb();)*
            }

            fn draw(&self, sprite: &mut Sprite) {
                self.0.draw(sprite);
                $(self.$field.draw(sprite);)*
            }
        }
    )*};
}

derive_from_base! {
    Skeleton {}
    Dragon { 1.flap }
    Warrior {}
    SwordWarrior { 1.swing }
    BowWarrior { 1.shoot }
    SwordBowWarrior { 1.swing, 2.shoot }
}

fn make(kind: Kind) -> Box<dyn GameObject> {
    let warrior = || Warrior(Character::new('w'));
    match kind {
        Kind::Skeleton => Box::new(Skeleton(Character::new('s'))),
        Kind::Dragon => Box::new(Dragon(Character::new('d'), Flight::default())),
        Kind::Warrior => Box::new(warrior()),
        Kind::SwordWarrior => Box::new(SwordWarrior(warrior(), Sword::default())),
        Kind::BowWarrior => Box::new(BowWarrior(warrior(), Bow::default())),
        Kind::SwordBowWarrior => {
            Box::new(SwordBowWarrior(warrior(), Sword::default(), Bow::default()))
        }
    }
}

/// The game: its entities.
pub struct Game(Vec<Box<dyn GameObject>>);

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        Self(kinds.iter().copied().map(make).collect())
    }

    fn update(&mut self) {
        self.0.iter_mut().for_each(|object| object.update());
    }

    fn draw(&mut self) -> Vec<Sprite> {
        let draw = |object: &dyn GameObject| {
            let mut sprite = Sprite::default();
            object.draw(&mut sprite);
            sprite
        };
        self.0.iter().map(|object| draw(&**object)).collect()
    }
}
