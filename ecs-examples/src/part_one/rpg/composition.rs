//! By object composition (thesis, 3.4.1.1): an entity is a list of behaviors, and a kind is a function
//! that makes one.
//!
//! Behaviors talk by messages (3.4.2.2): a mind knows no body, it sends a push to whom it may concern.

use super::{Ai, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;

/// What one behavior tells the others of its entity.
#[derive(Clone, Copy)]
pub enum Message {
    /// To be pushed.
    Push([f32; 2]),
}

/// A part of an entity, with data and logic.
pub trait Behavior {
    /// Lets a frame pass; what is returned goes to every behavior of the entity.
    fn update(&mut self) -> Option<Message>;
    /// Hears what another behavior has said.
    fn handle(&mut self, _: Message) {}
    /// Adds what is to be seen.
    fn draw(&self, _: &mut Sprite) {}
}

impl Behavior for Physics {
    fn update(&mut self) -> Option<Message> {
        self.advance();
        None
    }

    fn handle(&mut self, message: Message) {
        let Message::Push(by) = message;
        self.push(by);
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.draw(sprite);
    }
}

impl Behavior for Ai {
    fn update(&mut self) -> Option<Message> {
        Some(Message::Push(self.think()))
    }
}

impl Behavior for Npc {
    fn update(&mut self) -> Option<Message> {
        None
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.draw(sprite);
    }
}

/// A behavior that keeps to itself.
macro_rules! behaviors {
    ($($name:ident . $verb:ident)*) => {$(
        impl Behavior for $name {
            fn update(&mut self) -> Option<Message> {
                self.$verb();
                None
            }

            fn draw(&self, sprite: &mut Sprite) {
                self.draw(sprite);
            }
        }
    )*};
}

behaviors! { Flight.flap Sword.swing Bow.shoot }

/// An entity: nothing but its behaviors.
#[derive(Default)]
struct Entity {
    behaviors: Vec<Box<dyn Behavior>>,
}

impl Entity {
    fn with(mut self, behavior: impl Behavior + 'static) -> Self {
        self.behaviors.push(Box::new(behavior));
        self
    }

    fn update(&mut self) {
        for sender in 0..self.behaviors.len() {
            if let Some(message) = self.behaviors[sender].update() {
                self.behaviors.iter_mut().for_each(|behavior| behavior.handle(message));
            }
        }
    }

    fn draw(&self) -> Sprite {
        let mut sprite = Sprite::default();
        self.behaviors.iter().for_each(|behavior| behavior.draw(&mut sprite));
        sprite
    }
}

fn make(kind: Kind) -> Entity {
    let character =
        |look| Entity::default().with(Physics::default()).with(Ai::default()).with(Npc::new(look));
    match kind {
        Kind::Skeleton => character('s'),
        Kind::Dragon => character('d').with(Flight::default()),
        Kind::Warrior => character('w'),
        Kind::SwordWarrior => character('w').with(Sword::default()),
        Kind::BowWarrior => character('w').with(Bow::default()),
        Kind::SwordBowWarrior => character('w').with(Sword::default()).with(Bow::default()),
    }
}

/// The game: whoever is in it.
pub struct Game(Vec<Entity>);

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        Self(kinds.iter().copied().map(make).collect())
    }

    fn update(&mut self) {
        self.0.iter_mut().for_each(Entity::update);
    }

    fn draw(&mut self) -> Vec<Sprite> {
        self.0.iter().map(Entity::draw).collect()
    }
}
