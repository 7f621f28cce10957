//! Vertices: five triangles per disc.

use super::columns::Look;
use std::array;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Where it is, in pixels.
    pub position: [f32; 2],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
}

/// Triangles of a disc.
const TRIANGLES: usize = 5;
/// Vertices of a disc.
pub(super) const VERTICES: usize = 3 * TRIANGLES;

/// Cosine and sine of the angles between the triangles.
pub(super) type Fan = [[f32; 2]; TRIANGLES + 1];

pub(super) fn fan() -> Fan {
    array::from_fn(|step| {
        let angle = 6.28_f32 / TRIANGLES as f32 * step as f32;
        [angle.cos(), angle.sin()]
    })
}

pub(super) fn render(fan: &Fan, positions: &[[f32; 2]], looks: &[Look], vertices: &mut [Vertex]) {
    let (targets, _) = vertices.as_chunks_mut::<VERTICES>();
    for ((target, &[x, y]), look) in targets.iter_mut().zip(positions).zip(looks) {
        let vertex = |x, y| Vertex { position: [x, y], color: look.color };
        let centre = vertex(x, y);
        let rim: [Vertex; TRIANGLES + 1] =
            fan.map(|[cos, sin]| vertex(look.radius * cos + x, look.radius * sin + y));
        for triangle in 0..TRIANGLES {
            target[3 * triangle] = centre;
            target[3 * triangle + 1] = rim[triangle];
            target[3 * triangle + 2] = rim[triangle + 1];
        }
    }
}
