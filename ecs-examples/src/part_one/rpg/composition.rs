//! By object composition (thesis, 3.4.1.1): an entity is a list of behaviors, and a kind is a function
//! that creates the list.
//!
//! Behaviors communicate by messages (3.4.2.2): the AI does not depend on the physics, but sends a push to all
//! behaviors of its entity.

use super::{Ai, Bow, Flight, Kind, Npc, Physics, Sprite, Sword};
use crate::part_one::Encoding;

/// A message from one behavior to all behaviors of its entity.
#[derive(Clone, Copy)]
pub enum Message {
    /// A change of velocity.
    Push([f32; 2]),
}

/// A part of an entity, with data and logic.
pub trait Behavior {
    /// Advances by one frame. The returned message goes to every behavior of the entity.
    fn update(&mut self) -> Option<Message>;
    /// Handles a message of a behavior.
    fn handle(&mut self, _: Message) {}
    /// Adds its visible state.
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

/// Behaviors that send no messages.
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

/// An entity: a list of behaviors.
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

/// The game: its entities.
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
