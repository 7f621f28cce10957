//! Animations, sounds, the camera, and what is drawn.

use super::{difference, direction, dot, wave};
use crate::frame::components::{
    Animation, Bounds, Brain, Camera, Color, Culling, Id, Lifetime, Lod, Pickup, Pose, Position,
    Rotation, Scale, Sound, State, Transform,
};
use crate::frame::events::{Batches, Cue, Draw, Mixer, Spot, View};

/// `FadeColors`.
#[inline]
pub fn fade(color: &mut Color, lifetime: &Lifetime) {
    color.0[3] = lifetime.0 as f32 / 50.0;
    color.0[1] *= 0.98;
}

/// `PulsePickups`.
#[inline]
pub fn pulse(scale: &mut Scale, pickup: &Pickup) {
    scale.0 = 0.5 + wave(pickup.phase * 2.0) * 0.05;
}

/// `ChooseClips`.
#[inline]
pub fn choose_clip(animation: &mut Animation, brain: &Brain) {
    let clip = match brain.state {
        State::Patrol => 0,
        State::Chase => 1,
        State::Attack if brain.range < 20.0 => 2,
        State::Attack => 3,
        State::Flee => 4,
    };
    if clip != animation.clip {
        *animation = Animation { clip, time: 0.0, has_looped: false };
    }
}

/// `PlayAnimations`.
#[inline]
pub fn play(animation: &mut Animation) {
    let time = animation.time + 0.02 + animation.clip as f32 * 0.005;
    animation.has_looped = time >= 1.0;
    animation.time = time.fract();
}

/// `PoseBodies`: those that are seen.
#[inline]
pub fn pose(pose: &mut Pose, animation: &Animation, culling: &Culling) {
    if !culling.is_visible {
        return;
    }
    for (joint, weight) in pose.0.iter_mut().enumerate() {
        let wanted = wave(animation.time + joint as f32 * 0.125);
        *weight = *weight * 0.5 + wanted * 0.5;
    }
}

/// `Footsteps`: a step that is heard.
#[inline]
pub fn footstep(animation: &Animation, sound: &Sound) -> Option<Cue> {
    (animation.has_looped && sound.heard > 0.0).then_some(Cue(sound.heard))
}

/// `MixSounds`.
pub fn mix_sounds(mixer: &mut Mixer, cues: impl IntoIterator<Item = Cue>) {
    for Cue(volume) in cues {
        mixer.count = mixer.count.wrapping_add(1);
        mixer.sum = mixer.sum.wrapping_add((volume * 1000.0) as u32);
    }
}

/// `LocatePlayer`.
pub fn locate(spot: &mut Spot, position: &Position) {
    spot.0 = position.0;
}

/// `FollowPlayer`.
pub fn follow(position: &mut Position, spot: Spot) {
    for axis in 0..2 {
        position.0[axis] += (spot.0[axis] - position.0[axis]) * 0.1;
    }
}

/// `AimCamera`.
pub fn aim(
    rotation: &mut Rotation,
    position: &Position,
    camera: &Camera,
    (spot, view): (Spot, &mut View),
) {
    let [x, y, z] = direction(difference(spot.0, [128.0, 128.0, 0.0]));
    let length = ((1.0 + x) * (1.0 + x) + y * y + 1e-6).sqrt();
    rotation.0 = [0.0, 0.0, y / length, (1.0 + x) / length];
    *view = View { from: position.0, forward: [x, y, z], range: camera.range };
}

/// `BuildTransforms` and `SwayTransforms`.
#[inline]
pub fn build(transform: &mut Transform, position: &Position, rotation: &Rotation, scale: &Scale) {
    let [x, y, z, w] = rotation.0;
    let s = scale.0;
    let [px, py, pz] = position.0;
    transform.0 = [
        (1.0 - 2.0 * (y * y + z * z)) * s,
        2.0 * (x * y + z * w) * s,
        2.0 * (x * z - y * w) * s,
        0.0,
        2.0 * (x * y - z * w) * s,
        (1.0 - 2.0 * (x * x + z * z)) * s,
        2.0 * (y * z + x * w) * s,
        0.0,
        2.0 * (x * z + y * w) * s,
        2.0 * (y * z - x * w) * s,
        (1.0 - 2.0 * (x * x + y * y)) * s,
        0.0,
        px,
        py,
        pz,
        1.0,
    ];
}

/// `Cull`.
#[inline]
pub fn cull(culling: &mut Culling, position: &Position, bounds: &Bounds, view: &View) {
    let way = difference(position.0, view.from);
    culling.distance = dot(way, way).sqrt();
    let is_ahead = dot(way, view.forward) > -bounds.0;
    culling.is_visible = is_ahead && culling.distance < view.range + bounds.0;
}

/// `ChooseLods`.
#[inline]
pub fn choose_lod(lod: &mut Lod, culling: &Culling) {
    lod.0 = match culling.distance {
        distance if distance < 30.0 => 0,
        distance if distance < 60.0 => 1,
        distance if distance < 100.0 => 2,
        _ => 3,
    };
}

/// `Attenuate`.
#[inline]
pub fn attenuate(sound: &mut Sound, culling: &Culling) {
    sound.heard = sound.volume * (1.0 - culling.distance / 80.0).max(0.0);
}

/// `ListDraws`: an entity that is seen.
#[inline]
pub fn draw(id: Id, culling: &Culling, transform: &Transform, lod: Option<&Lod>) -> Option<Draw> {
    if !culling.is_visible {
        return None;
    }
    let [x, y] = [transform.0[12], transform.0[13]].map(f32::to_bits);
    Some(Draw { lod: lod.map_or(3, |lod| lod.0), key: id.0 ^ x ^ y.rotate_left(11) })
}

/// `Batch`.
pub fn batch(batches: &mut Batches, draws: impl IntoIterator<Item = Draw>) {
    for Draw { lod, key } in draws {
        let count = &mut batches.counts[lod as usize & 3];
        *count = count.wrapping_add(1);
        batches.sum = batches.sum.wrapping_add(key);
    }
}
