//! One particle, with the values of all its components.

/// A particle as it is created, loaded, dumped and drawn: the values of all its components.
///
/// A world stores these values in columns; this struct only transfers them into and
/// out of the world (thesis, section 15.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre, in pixels from the top left corner of the box.
    pub position: [f32; 2],
    /// Pixels per second.
    pub velocity: [f32; 2],
    /// Pixels per second, per second.
    pub acceleration: [f32; 2],
    /// Red, green, blue and alpha, 0 to 255 each.
    pub color: [u8; 4],
    /// Radius in pixels.
    pub radius: f32,
    /// Remaining life in seconds. The disc is despawned in the frame in which this reaches zero.
    pub life: f32,
}
