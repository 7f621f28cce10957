//! Vertices: five triangles per disc.

use super::columns::Look;
use std::array;
use wide::f32x4;

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
/// Words of a disc.
pub(super) const WORDS: usize = 3 * VERTICES;

/// Cosine and sine of the angles between the triangles.
pub(super) type Fan = [[f32; 2]; TRIANGLES + 1];

pub(super) fn fan() -> Fan {
    array::from_fn(|step| {
        let angle = 6.28_f32 / TRIANGLES as f32 * step as f32;
        [angle.cos(), angle.sin()]
    })
}

pub(super) fn render(fan: &Fan, positions: &[[f32; 2]], looks: &[Look], vertices: &mut [[f32; WORDS]]) {
    let fan = *fan;
    for ((target, &[x, y]), look) in vertices.iter_mut().zip(positions).zip(looks) {
        let c = f32::from_bits(u32::from_ne_bytes(look.color));
        let r = look.radius;
        let p = fan.map(|[cos, sin]| [r * cos + x, r * sin + y]);
        let words = [
            [x, y, c, p[0][0]],
            [p[0][1], c, p[1][0], p[1][1]],
            [c, x, y, c],
            [p[1][0], p[1][1], c, p[2][0]],
            [p[2][1], c, x, y],
            [c, p[2][0], p[2][1], c],
            [p[3][0], p[3][1], c, x],
            [y, c, p[3][0], p[3][1]],
            [c, p[4][0], p[4][1], c],
            [x, y, c, p[4][0]],
            [p[4][1], c, p[5][0], p[5][1]],
        ];
        let (chunks, last) = target.as_chunks_mut::<4>();
        for (chunk, word) in chunks.iter_mut().zip(words) {
            *chunk = f32x4::new(word).to_array();
        }
        last[0] = c;
    }
}
