//! By object composition (thesis, 3.4.1.1): an entity is a list of behaviors, and a kind is a function
//! that creates the list.
//!
//! Behaviors communicate by messages (3.4.2.2): the AI does not depend on the physics, but sends a push to all
//! behaviors of its entity. A weapon sends a blow to those of another entity, through a queue of the game.

use super::{Ai, Blow, Bow, Flight, Kind, Npc, Physics, Sprite, Sword, foe_of};
use crate::part_one::Encoding;

/// A message from one behavior to all behaviors of an entity.
#[derive(Clone, Copy)]
pub enum Message {
    /// A change of velocity, for the sender's entity.
    Push([f32; 2]),
    /// For the foe.
    Strike(Blow),
}

/// A part of an entity, with data and logic.
pub trait Behavior {
    /// Advances by one frame. The returned message goes to every behavior of its receiver.
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
        if let Message::Push(by) = message {
            self.push(by);
        }
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

    fn handle(&mut self, message: Message) {
        if let Message::Strike(blow) = message {
            self.suffer(blow);
        }
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.draw(sprite);
    }
}

impl Behavior for Flight {
    fn update(&mut self) -> Option<Message> {
        self.flap();
        None
    }

    fn draw(&self, sprite: &mut Sprite) {
        self.draw(sprite);
    }
}

macro_rules! weapons {
    ($($name:ident . $verb:ident)*) => {$(
        impl Behavior for $name {
            fn update(&mut self) -> Option<Message> {
                self.$verb().map(Message::Strike)
            }

            fn draw(&self, sprite: &mut Sprite) {
                self.draw(sprite);
            }
        }
    )*};
}

weapons! { Sword.swing Bow.shoot }

/// An entity: a list of behaviors, and the place of its foe.
struct Entity {
    behaviors: Vec<Box<dyn Behavior>>,
    foe: Option<usize>,
}

impl Entity {
    fn with(mut self, behavior: impl Behavior + 'static) -> Self {
        self.behaviors.push(Box::new(behavior));
        self
    }

    fn update(&mut self, queue: &mut Queue) {
        for sender in 0..self.behaviors.len() {
            match self.behaviors[sender].update() {
                Some(message @ Message::Push(_)) => self.handle(message),
                Some(message @ Message::Strike(_)) => {
                    queue.extend(self.foe.map(|foe| (foe, message)));
                }
                None => {}
            }
        }
    }

    fn handle(&mut self, message: Message) {
        self.behaviors.iter_mut().for_each(|behavior| behavior.handle(message));
    }

    fn draw(&self) -> Sprite {
        let mut sprite = Sprite::default();
        self.behaviors.iter().for_each(|behavior| behavior.draw(&mut sprite));
        sprite
    }
}

fn make((place, kind): (usize, &Kind)) -> Entity {
    let character = |look| {
        let entity = Entity { behaviors: Vec::new(), foe: foe_of(place) };
        entity.with(Physics::default()).with(Ai::default()).with(Npc::new(look))
    };
    match kind {
        Kind::Skeleton => character('s'),
        Kind::Dragon => character('d').with(Flight::default()),
        Kind::Warrior => character('w'),
        Kind::SwordWarrior => character('w').with(Sword::default()),
        Kind::BowWarrior => character('w').with(Bow::default()),
        Kind::SwordBowWarrior => character('w').with(Sword::default()).with(Bow::default()),
    }
}

/// Messages to other entities, each with the place of its receiver.
type Queue = Vec<(usize, Message)>;

/// The game: its entities, and the messages of the frame.
pub struct Game {
    entities: Vec<Entity>,
    queue: Queue,
}

impl Encoding for Game {
    type Kind = Kind;
    type Seen = Sprite;

    fn new(kinds: &[Kind]) -> Self {
        Self { entities: kinds.iter().enumerate().map(make).collect(), queue: Vec::new() }
    }

    fn update(&mut self) {
        self.entities.iter_mut().for_each(|entity| entity.update(&mut self.queue));
        for (to, message) in self.queue.drain(..) {
            self.entities[to].handle(message);
        }
    }

    fn draw(&mut self) -> Vec<Sprite> {
        self.entities.iter().map(Entity::draw).collect()
    }
}
