//! The numbers that define the box, the grid and the frame.

/// Width of the box in pixels: positions on the x axis lie between 0 and this.
pub const BOX_WIDTH: f32 = 1440.0;

/// Height of the box in pixels: positions on the y axis lie between 0 and this, growing downwards.
pub const BOX_HEIGHT: f32 = 900.0;

/// Simulated seconds per frame.
pub const FRAME_SECONDS: f32 = 0.04;

/// Width and height of a cell of the spatial partition, in pixels.
pub const CELL_SIZE: f32 = 8.0;

/// Cells of the spatial partition beyond each side of the box.
pub const SPARE_CELLS: usize = 2;

/// Largest radius, in pixels, of a disc that fits into the box (and into the spatial partition)
/// on both axes.
pub const MAX_RADIUS: f32 = BOX_HEIGHT / 2.0;

/// Upper bound, in seconds, of the life of a randomly created disc.
pub const LONGEST_RANDOM_LIFE: f32 = 25.0;
