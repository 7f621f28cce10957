//! The output of render: a fan of triangles per disc.

use ecs_core::Output;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Its position in pixels.
    pub position: [f32; 2],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
}

/// Triangles per disc.
const TRIANGLES: usize = 5;

/// The full turn in the thesis's program: slightly less than 2π.
#[expect(clippy::approx_constant, reason = "the definition says 6.28")]
const TURN: f32 = 6.28;

/// Vertices per disc.
pub const VERTICES_PER_DISC: usize = 3 * TRIANGLES;

/// The vertices of some discs, disc by disc.
///
/// They are overwritten in each frame instead of cleared, since they take megabytes.
#[derive(Debug, Default)]
pub struct Vertices(Vec<[Vertex; VERTICES_PER_DISC]>);

impl Vertices {
    /// The vertices of `count` discs, to be overwritten.
    pub fn for_discs(&mut self, count: usize) -> &mut [[Vertex; VERTICES_PER_DISC]] {
        // An exact capacity: doubling it would waste up to as much memory again.
        self.0.reserve_exact(count.saturating_sub(self.0.len()));
        self.0.resize(count, [Vertex::default(); VERTICES_PER_DISC]);
        &mut self.0
    }

    /// All vertices, three to a triangle.
    #[must_use]
    pub fn as_slice(&self) -> &[Vertex] {
        self.0.as_flattened()
    }
}

impl Output for Vertices {
    const CONCATENATES: bool = true;

    fn reset(&mut self) {}
}

/// The directions from the centre of a disc to its corners.
#[derive(Debug)]
pub struct Fan([[f32; 2]; TRIANGLES + 1]);

impl Default for Fan {
    fn default() -> Self {
        Self(std::array::from_fn(|corner| {
            let angle = TURN / TRIANGLES as f32 * corner as f32;
            [angle.cos(), angle.sin()]
        }))
    }
}

impl Fan {
    /// Writes the triangles of a disc. (Not by `map` and `for`: they take several times as long in a build that is not
    /// optimised.)
    #[inline]
    pub fn write(
        &self,
        corners: &mut [Vertex; VERTICES_PER_DISC],
        [x, y]: [f32; 2],
        radius: f32,
        color: [u8; 4],
    ) {
        let centre = Vertex { position: [x, y], color };
        let (mut from, mut to, mut corner) = (centre, centre, 0);
        while corner <= TRIANGLES {
            let [cos, sin] = self.0[corner];
            to.position = [radius * cos + x, radius * sin + y];
            if corner > 0 {
                let first = 3 * (corner - 1);
                corners[first] = centre;
                corners[first + 1] = from;
                corners[first + 2] = to;
            }
            from = to;
            corner += 1;
        }
    }
}
