//! The components, and the work on one entity, which are the same for every contender.

#![expect(unreachable_pub, reason = "gecs and freecs ask for public components")]

use std::hint::black_box;

/// Declares components for all libraries; those of `specs` lie in vectors, indexed by entity.
macro_rules! components {
    ($($(#[$doc:meta])* $name:ident($part:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[derive(bytemuck::Pod, bytemuck::Zeroable)]
        #[derive(bevy_ecs::component::Component, flecs_ecs::macros::Component, shipyard::Component)]
        #[repr(transparent)]
        pub struct $name(pub $part);

        impl specs::Component for $name {
            type Storage = specs::VecStorage<Self>;
        }
    )*};
}

components! {
    /// A 4 × 4 matrix, row by row.
    Transform([f32; 16]);
    /// A point in space.
    Position([f32; 3]);
    /// An axis, scaled by an angle.
    Rotation([f32; 3]);
    /// A change of position.
    Velocity([f32; 3]);
    /// The number of steps before the entity is despawned.
    Life(f32);
    /// The component that all entities of `fragmented_iter` have.
    Data(f32);
}

/// What an empty system does: each is a function of its own, as the systems of a program are. A processor would predict
/// calls of one function through many pointers better than it predicts those of many functions.
pub(crate) fn nothing<const SYSTEM: usize>() {
    black_box(SYSTEM);
}

/// `$make` of each of the numbers of 50 systems, in an array.
macro_rules! fifty {
    ($make:ident) => {
        fifty!(@ $make: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49)
    };
    (@ $make:ident: $($number:literal)*) => { [$($make!($number)),*] };
}

/// Calls a macro with the 26 letters, after its other arguments.
macro_rules! with_letters {
    ($macro:ident) => {
        $macro! { A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    };
}
pub(crate) use {fifty, with_letters};

/// Components A to Z.
pub(crate) mod letters {
    macro_rules! letters {
        ($($name:ident)*) => {
            components! {$(
                /// A number.
                $name(f32);
            )*}
        };
    }

    with_letters!(letters);
}

/// One entity's components.
pub(crate) type Bundle = (Transform, Position, Rotation, Velocity);

/// Quarter turns about the three axes.
static TURNS: [Transform; 3] = [quarter_turn(0), quarter_turn(1), quarter_turn(2)];

/// A quarter turn about an axis.
const fn quarter_turn(axis: usize) -> Transform {
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut turn = [0.0; 16];
    turn[5 * axis] = 1.0;
    turn[4 * next + last] = 1.0;
    turn[4 * last + next] = -1.0;
    turn[15] = 1.0;
    Transform(turn)
}

/// The components of the `i`-th created entity. They cost little: what `simple_insert` times is the spawning.
///
/// All are small whole numbers, so sums are exact. The matrix is a quarter turn about one of the axes, so its
/// inverse is exact, too, however often it is inverted.
#[inline]
pub(crate) fn bundle(i: usize) -> Bundle {
    (TURNS[i % 3], position(i), Rotation([1.0, 0.0, 0.0]), velocity(i))
}

/// The position of the `i`-th created entity.
#[inline]
pub(crate) fn position(i: usize) -> Position {
    Position([(i % 1024) as f32, 2.0, 3.0])
}

/// The velocity of the `i`-th created entity.
#[inline]
pub(crate) fn velocity(i: usize) -> Velocity {
    Velocity([1.0, (i % 4) as f32, 0.5])
}

/// The numbers from 0 to `count - 1` in random order, the same at each call.
pub(crate) fn shuffled(count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut state = 1_u64;
    for last in (1..count).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(last, (state >> 33) as usize % (last + 1));
    }
    numbers
}

/// The remaining steps of the first entities: one for every hundredth, two for every hundredth, and so on, so that one
/// in a hundred is despawned in each step.
pub(crate) fn lives(count: usize) -> Vec<Life> {
    shuffled(count).into_iter().map(|n| Life((n % FULL_LIFE as usize + 1) as f32)).collect()
}

/// The remaining steps of a spawned entity.
const FULL_LIFE: f32 = 100.0;

/// One step of a life. At its end it returns the components of the entity that replaces this one.
#[inline]
pub(crate) fn age(life: &mut Life, velocity: &Velocity) -> Option<(Position, Velocity, Life)> {
    life.0 -= 1.0;
    let is_over = life.0 <= 0.0;
    if is_over { Some((Position([0.0; 3]), *velocity, Life(FULL_LIFE))) } else { None }
}

/// One step of a movement.
#[inline]
pub(crate) fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

/// One step of all movements, over flat slices of numbers.
pub(crate) fn advance_flat(positions: &mut [f32], velocities: &[f32]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        *position += velocity;
    }
}

/// The work of `heavy_compute` on one entity: one function for all contenders, so that all run the same machine code.
#[inline(never)]
pub(crate) fn turn(transform: &mut Transform, position: &mut Position) {
    for _ in 0..100 {
        transform.0 = inverse(&transform.0);
    }
    let (m, [x, y, z]) = (&transform.0, position.0);
    for (axis, part) in position.0.iter_mut().enumerate() {
        *part = m[4 * axis] * x + m[4 * axis + 1] * y + m[4 * axis + 2] * z;
    }
}

/// The inverse of a matrix, by the minors of its upper and lower halves.
#[inline]
fn inverse(m: &[f32; 16]) -> [f32; 16] {
    let minor =
        |top: usize, i: usize, j: usize| m[top + i] * m[top + 4 + j] - m[top + 4 + i] * m[top + j];
    let [a, b, c, d, e, f] =
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| minor(0, i, j));
    let [p, q, r, s, t, u] =
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| minor(8, i, j));
    let k = 1.0 / (a * u - b * t + c * s + d * r - e * q + f * p);
    [
        (m[5] * u - m[6] * t + m[7] * s) * k,
        (m[2] * t - m[1] * u - m[3] * s) * k,
        (m[13] * f - m[14] * e + m[15] * d) * k,
        (m[10] * e - m[9] * f - m[11] * d) * k,
        (m[6] * r - m[4] * u - m[7] * q) * k,
        (m[0] * u - m[2] * r + m[3] * q) * k,
        (m[14] * c - m[12] * f - m[15] * b) * k,
        (m[8] * f - m[10] * c + m[11] * b) * k,
        (m[4] * t - m[5] * r + m[7] * p) * k,
        (m[1] * r - m[0] * t - m[3] * p) * k,
        (m[12] * e - m[13] * c + m[15] * a) * k,
        (m[9] * c - m[8] * e - m[11] * a) * k,
        (m[5] * q - m[4] * s - m[6] * p) * k,
        (m[0] * s - m[1] * q + m[2] * p) * k,
        (m[13] * b - m[12] * d - m[14] * a) * k,
        (m[8] * d - m[9] * b + m[10] * a) * k,
    ]
}
