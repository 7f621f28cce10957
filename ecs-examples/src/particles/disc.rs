//! One particle, with all its components side by side.

/// A particle as it is created, loaded, dumped and drawn: the values of all its components.
///
/// A world keeps these values in columns of its own; this struct is only how they travel in and
/// out (thesis, section 15.2).
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
    /// Seconds left to live; the disc dies in the frame in which this reaches zero.
    pub life: f32,
}
