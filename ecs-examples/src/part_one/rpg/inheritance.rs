//! By inheritance (thesis, 3.3.1.1): each kind is a type that contains its base.
//!
//! Where C++ inherits, a field is the base. The diamond cannot be expressed: a warrior with
//! both weapons cannot be both a `SwordWarrior` and a `BowWarrior` without containing two warriors, so it
//! repeats their code.
//!
//! Blows go through a queue of the game, each with the place of its receiver, and the base has a method that handles them.

use super::{Ai, Blow, Bow, Flight, Kind, Npc, Physics, Sprite, Sword, foe_of};
use crate::part_one::Encoding;

/// The operations of every entity.
pub trait GameObject {
    /// Advances by one frame.
    fn update(&mut self, blows: &mut Blows);
    /// Takes a message.
    fn handle(&mut self, blow: Blow);
    /// Adds its visible state.
    fn draw(&self, sprite: &mut Sprite);
}

/// Messages, each with the place of its receiver.
type Blows = Vec<(usize, Blow)>;

struct Character {
    body: Physics,
    ai: Ai,
    npc: Npc,
    foe: Option<usize>,
}

impl Character {
    fn new(look: char, place: usize) -> Self {
        Self {
            body: Physics::default(),
            ai: Ai::default(),
            npc: Npc::new(look),
            foe: foe_of(place),
        }
    }
}

impl GameObject for Character {
    fn update(&mut self, _: &mut Blows) {
        self.body.advance();
        self.body.push(self.ai.think());
    }

    fn handle(&mut self, blow: Blow) {
        self.npc.suffer(blow);
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.body.draw(sprite);
        self.npc.draw(sprite);
    }
}

struct Skeleton(Character);
struct Dragon(Character, Flight);
struct Warrior(Character);

impl Warrior {
    fn strike(&self, blow: Option<Blow>, blows: &mut Blows) {
        blows.extend(self.0.foe.zip(blow));
    }
}

struct SwordWarrior(Warrior, Sword);
struct BowWarrior(Warrior, Bow);
struct SwordBowWarrior(Warrior, Sword, Bow);

/// Calls the base, and then the parts that the type adds: those that act on the character, and its weapons.
macro_rules! derive_from_base {
    ($($name:ident { $($field:tt . $verb:ident),* } [$($weapon:tt . $use:ident),*])*) => {$(
        impl GameObject for $name {
            fn update(&mut self, blows: &mut Blows) {
                self.0.update(blows);
                $(self.$field.$verb();)*
                $(self.0.strike(self.$weapon.$use(), blows);)*
            }

            fn handle(&mut self, blow: Blow) {
                self.0.handle(blow);
            }

            fn draw(&self, sprite: &mut Sprite) {
                self.0.draw(sprite);
                $(self.$field.draw(sprite);)*
                $(self.$weapon.draw(sprite);)*
            }
        }
    )*};
}

derive_from_base! {
    Skeleton {} []
    Dragon { 1.flap } []
    Warrior {} []
    SwordWarrior {} [1.swing]
    BowWarrior {} [1.shoot]
    SwordBowWarrior {} [1.swing, 2.shoot]
}

fn make((place, kind): (usize, &Kind)) -> Box<dyn GameObject> {
    let warrior = || Warrior(Character::new('w', place));
    match kind {
        Kind::Skeleton => Box::new(Skeleton(Character::new('s', place))),
        Kind::Dragon => Box::new(Dragon(Character::new('d', place), Flight::default())),
        Kind::Warrior => Box::new(warrior()),
        Kind::SwordWarrior => Box::new(SwordWarrior(warrior(), Sword::default())),
        Kind::BowWarrior => Box::new(BowWarrior(warrior(), Bow::default())),
        Kind::SwordBowWarrior => {
            Box::new(SwordBowWarrior(warrior(), Sword::default(), Bow::default()))
        }
    }
}

/// The game: its entities, and the messages of the frame.
pub struct Game {
    objects: Vec<Box<dyn GameObject>>,
    blows: Blows,
}

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        Self { objects: kinds.iter().enumerate().map(make).collect(), blows: Vec::new() }
    }

    fn update(&mut self) {
        self.objects.iter_mut().for_each(|object| object.update(&mut self.blows));
        for (to, blow) in self.blows.drain(..) {
            self.objects[to].handle(blow);
        }
    }

    fn draw(&mut self) -> Vec<Sprite> {
        let draw = |object: &dyn GameObject| {
            let mut sprite = Sprite::default();
            object.draw(&mut sprite);
            sprite
        };
        self.objects.iter().map(|object| draw(&**object)).collect()
    }
}
