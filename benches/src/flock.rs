//! The rules of a flock of boids: separation, alignment and cohesion, after Reynolds.

/// The distance within which boids see each other, and the size of the cells of a grid.
pub const SIGHT: f32 = 4.0;
/// The size of a cell: more than [`SIGHT`], because positions are rounded.
pub const CELL: f32 = SIGHT * 1.001;
/// The distance within which boids keep apart.
const CROWDED: f32 = 1.5;
/// The time of a step.
const TIME: f32 = 0.05;

/// A point or a vector.
pub type Vector = [f32; 2];

/// The side of the square in which this number of boids see about 20 others each.
#[must_use]
pub fn side(boids: usize) -> f32 {
    (boids as f32 * SIGHT * SIGHT * core::f32::consts::PI / 20.0).sqrt()
}

/// What a boid sees of the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    count: u32,
    center: Vector,
    heading: Vector,
    push: Vector,
}

impl Seen {
    /// Adds another boid, if the one at `own` sees it.
    #[inline(always)]
    pub fn add(&mut self, own: Vector, position: Vector, velocity: Vector) {
        let apart = [own[0] - position[0], own[1] - position[1]];
        let square = apart[0] * apart[0] + apart[1] * apart[1];
        if square >= SIGHT * SIGHT {
            return;
        }
        self.count += 1;
        let crowded = if square < CROWDED * CROWDED { 1.0 } else { 0.0 };
        for axis in 0..2 {
            self.center[axis] += position[axis];
            self.heading[axis] += velocity[axis];
            self.push[axis] += apart[axis] * crowded;
        }
    }

    /// The acceleration of a boid that sees this. It sees itself, so it sees at least one.
    #[inline]
    #[must_use]
    pub fn steering(&self, position: Vector, velocity: Vector) -> Vector {
        let count = self.count as f32;
        core::array::from_fn(|axis| {
            let cohesion = self.center[axis] / count - position[axis];
            let alignment = self.heading[axis] / count - velocity[axis];
            cohesion * 0.5 + alignment * 0.8 + self.push[axis] * 2.0
        })
    }
}

/// Moves a boid on. It turns back at the border of the square.
#[inline]
pub fn advance(position: &mut Vector, velocity: &mut Vector, steering: Vector, side: f32) {
    for axis in 0..2 {
        velocity[axis] = (velocity[axis] + steering[axis] * TIME).clamp(-5.0, 5.0);
        position[axis] += velocity[axis] * TIME;
        if position[axis] < 0.0 {
            velocity[axis] = velocity[axis].abs();
        } else if position[axis] > side {
            velocity[axis] = -velocity[axis].abs();
        }
    }
}

/// Boids at random in the square: positions and velocities.
#[must_use]
pub fn boids(count: usize) -> Vec<(Vector, Vector)> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let side = side(count);
    let mut vector =
        |scale: f32, offset: f32| [random() * scale + offset, random() * scale + offset];
    (0..count).map(|_| (vector(side, 0.0), vector(6.0, -3.0))).collect()
}
