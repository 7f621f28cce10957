//! The components of the benchmarks that compare two forms.

/// A 4 × 4 matrix.
#[derive(Clone, Copy, Debug)]
pub struct Transform(pub [f32; 16]);

/// A point in space.
#[derive(Clone, Copy, Debug)]
pub struct Position(pub [f32; 3]);

/// An axis, scaled by an angle.
#[derive(Clone, Copy, Debug)]
pub struct Rotation(pub [f32; 3]);

/// A change of position.
#[derive(Clone, Copy, Debug)]
pub struct Velocity(pub [f32; 3]);

/// One entity's components.
pub type Bundle = (Transform, Position, Rotation, Velocity);

/// The initial components of every entity.
#[must_use]
pub fn bundle() -> Bundle {
    let mut transform = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        transform[diagonal] = 1.0;
    }
    (
        Transform(transform),
        Position([1.0, 0.0, 0.0]),
        Rotation([1.0, 0.0, 0.0]),
        Velocity([1.0, 0.5, 0.25]),
    )
}
