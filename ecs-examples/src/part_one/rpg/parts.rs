//! The parts of characters, with their behavior: the same for every encoding.

use super::DT;

/// Position and velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Physics {
    position: [f32; 2],
    velocity: [f32; 2],
}

impl Physics {
    /// Moves.
    pub fn advance(&mut self) {
        for (position, velocity) in self.position.iter_mut().zip(self.velocity) {
            *position += velocity * DT;
        }
    }

    /// Adds to the velocity.
    pub fn push(&mut self, by: [f32; 2]) {
        for (velocity, by) in self.velocity.iter_mut().zip(by) {
            *velocity += by;
        }
    }

    /// Shows the position.
    pub fn draw(&self, sprite: &mut Sprite) {
        sprite.position = self.position;
    }
}

/// An AI, which changes its direction over time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ai {
    thoughts: u32,
}

impl Ai {
    /// The next change of velocity.
    pub fn think(&mut self) -> [f32; 2] {
        self.thoughts += 1;
        let angle = self.thoughts as f32 * 0.1;
        [1.0 - angle, angle]
    }
}

/// The look of a character, and its wounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Npc {
    look: char,
    wounds: u32,
}

/// A message to a character that is struck: how many wounds it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow(pub u32);

/// Where the foe of the character at that place is: before it. The first one has none.
pub fn foe_of(place: usize) -> Option<usize> {
    place.checked_sub(1)
}

impl Npc {
    /// A character drawn as that letter.
    pub fn new(look: char) -> Self {
        Self { look, wounds: 0 }
    }

    /// Is wounded.
    pub fn suffer(&mut self, blow: Blow) {
        self.wounds += blow.0;
    }

    /// Shows the letter, and the wounds.
    pub fn draw(&self, sprite: &mut Sprite) {
        (sprite.look, sprite.wounds) = (self.look, self.wounds);
    }
}

/// Wings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flight {
    altitude: f32,
}

impl Flight {
    /// Rises, at a decreasing speed.
    pub fn flap(&mut self) {
        self.altitude += (100.0 - self.altitude) * DT;
    }

    /// Shows the altitude.
    pub fn draw(&self, sprite: &mut Sprite) {
        sprite.altitude = self.altitude;
    }
}

/// A sword.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sword {
    frames: u32,
}

impl Sword {
    /// Swings in every third frame.
    pub fn swing(&mut self) -> Option<Blow> {
        self.frames += 1;
        self.frames.is_multiple_of(3).then_some(Blow(2))
    }

    /// Shows the number of swings.
    pub fn draw(&self, sprite: &mut Sprite) {
        sprite.swings = self.frames / 3;
    }
}

/// A bow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bow {
    frames: u32,
}

impl Bow {
    /// Shoots in every fifth frame.
    pub fn shoot(&mut self) -> Option<Blow> {
        self.frames += 1;
        self.frames.is_multiple_of(5).then_some(Blow(1))
    }

    /// Shows the number of arrows.
    pub fn draw(&self, sprite: &mut Sprite) {
        sprite.arrows = self.frames / 5;
    }
}

/// The visible state of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sprite {
    /// The letter it is drawn as.
    pub look: char,
    /// The position.
    pub position: [f32; 2],
    /// The altitude.
    pub altitude: f32,
    /// Swings of a sword so far.
    pub swings: u32,
    /// Arrows shot so far.
    pub arrows: u32,
    /// Wounds so far.
    pub wounds: u32,
}
