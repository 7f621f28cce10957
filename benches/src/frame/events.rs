//! What systems pass on to later ones: events, and values of which a world has one.

use super::components::Position;

/// A unit has shot.
#[derive(Clone, Copy, Debug)]
pub struct Shot<H> {
    /// The number of the projectile.
    pub id: u32,
    /// Where it starts.
    pub from: Position,
    /// Its speed.
    pub speed: f32,
    /// Its damage.
    pub damage: i32,
    /// What it follows.
    pub target: H,
    /// The unit.
    pub owner: H,
}

/// A projectile has reached its target.
#[derive(Clone, Copy, Debug)]
pub struct Hit<H> {
    /// What is hit.
    pub target: H,
    /// Who has shot.
    pub owner: H,
    /// The damage of the projectile.
    pub damage: i32,
}

/// A unit has died.
#[derive(Clone, Copy, Debug)]
pub struct Death<H> {
    /// Its number.
    pub id: u32,
    /// Its target.
    pub target: H,
}

/// A pickup was collected, which is worth this number of points.
#[derive(Clone, Copy, Debug)]
pub struct Taken(pub u32);

/// A step is heard at this volume.
#[derive(Clone, Copy, Debug)]
pub struct Cue(pub f32);

/// An entity is drawn: its level of detail, and a key.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// The level of detail.
    pub lod: u32,
    /// A number made of its matrix.
    pub key: u32,
}

singletons! {
    /// The number of the frame.
    pub struct Frame(pub u32);
    /// Where the player is.
    pub struct Spot(pub [f32; 3]);
    /// What the camera sees.
    pub struct View {
        /// Where the camera is.
        pub from: [f32; 3],
        /// The direction in which it looks.
        pub forward: [f32; 3],
        /// How far it sees.
        pub range: f32,
    }
    /// The sounds that were heard: their number, and the sum of their volumes in thousandths.
    pub struct Mixer {
        /// The number of sounds.
        pub count: u32,
        /// The sum of the volumes.
        pub sum: u32,
    }
    /// What was drawn: the number for each level of detail, and the sum of the keys.
    pub struct Batches {
        /// The number for each level.
        pub counts: [u32; 4],
        /// The sum of the keys.
        pub sum: u32,
    }
}
