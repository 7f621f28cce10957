//! What is seen and heard.

#![expect(clippy::needless_pass_by_value, reason = "the form that bevy asks of a system")]
#![expect(clippy::type_complexity, reason = "the type of a query says what a system accesses")]

use bevy_ecs::prelude::*;
use bevy_utils::Parallel;

use super::systems::for_each;
use super::{
    Animation, Batches, Bounds, Brain, Camera, Color, Cue, Culling, Damage, Draw, Draws, Id,
    Lifetime, Lod, Mixer, Pickup, Pose, Position, Rotation, Scale, Sound, Spin, Split, Spot,
    Static, Sway, Transform, Velocity, View,
};
use crate::frame::rules;

pub(super) fn fade_colors(mut query: Query<'_, '_, (&mut Color, &Lifetime), Without<Damage>>) {
    query.iter_mut().for_each(|(mut color, lifetime)| rules::fade(&mut color, lifetime));
}

pub(super) fn pulse_pickups(mut query: Query<'_, '_, (&mut Scale, &Pickup), Without<Sway>>) {
    query.iter_mut().for_each(|(mut scale, pickup)| rules::pulse(&mut scale, pickup));
}

pub(super) fn choose_clips(mut query: Query<'_, '_, (&mut Animation, &Brain)>) {
    query.iter_mut().for_each(|(mut animation, brain)| rules::choose_clip(&mut animation, brain));
}

pub(super) fn play_animations(mut query: Query<'_, '_, &mut Animation>) {
    query.iter_mut().for_each(|mut animation| rules::play(&mut animation));
}

type Following = (With<Camera>, Without<Velocity>, Without<Pickup>);

pub(super) fn follow_player(
    mut camera: Single<'_, '_, &mut Position, Following>,
    spot: Res<'_, Spot>,
) {
    rules::follow(&mut camera, *spot);
}

type Aiming = (Without<Sway>, Without<Spin>, Without<Velocity>, Without<Pickup>);

pub(super) fn aim_camera(
    camera: Single<'_, '_, (&mut Rotation, &Position, &Camera), Aiming>,
    (spot, mut view): (Res<'_, Spot>, ResMut<'_, View>),
) {
    let (mut rotation, position, camera) = camera.into_inner();
    rules::aim(&mut rotation, position, camera, (*spot, &mut view));
}

type Placed = (&'static mut Transform, &'static Position, &'static Rotation, &'static Scale);
type Moving = (Without<Static>, Without<Sway>, Without<Color>, Without<Camera>);

pub(super) fn build_transforms(mut query: Query<'_, '_, Placed, Moving>, split: Res<'_, Split>) {
    for_each(&mut query, *split, |(mut transform, position, rotation, scale)| {
        rules::build(&mut transform, position, rotation, scale);
    });
}

type Swaying =
    (With<Sway>, With<Static>, Without<Velocity>, Without<Pickup>, Without<Camera>, Without<Spin>);

pub(super) fn sway_transforms(mut query: Query<'_, '_, Placed, Swaying>) {
    for (mut transform, position, rotation, scale) in &mut query {
        rules::build(&mut transform, position, rotation, scale);
    }
}

pub(super) fn cull(
    mut query: Query<'_, '_, (&mut Culling, &Position, &Bounds), (Without<Color>, Without<Camera>)>,
    (view, split): (Res<'_, View>, Res<'_, Split>),
) {
    for_each(&mut query, *split, |(mut culling, position, bounds)| {
        rules::cull(&mut culling, position, bounds, &view);
    });
}

pub(super) fn choose_lods(mut query: Query<'_, '_, (&mut Lod, &Culling)>) {
    query.iter_mut().for_each(|(mut lod, culling)| rules::choose_lod(&mut lod, culling));
}

pub(super) fn attenuate(mut query: Query<'_, '_, (&mut Sound, &Culling)>) {
    query.iter_mut().for_each(|(mut sound, culling)| rules::attenuate(&mut sound, culling));
}

pub(super) fn pose_bodies(
    mut query: Query<'_, '_, (&mut Pose, &Animation, &Culling)>,
    split: Res<'_, Split>,
) {
    for_each(&mut query, *split, |(mut pose, animation, culling)| {
        rules::pose(&mut pose, animation, culling);
    });
}

pub(super) fn footsteps(
    query: Query<'_, '_, (&Animation, &Sound)>,
    mut cues: MessageWriter<'_, Cue>,
) {
    for (animation, sound) in &query {
        if let Some(cue) = rules::footstep(animation, sound) {
            cues.write(cue);
        }
    }
}

pub(super) fn mix_sounds(mut cues: MessageReader<'_, '_, Cue>, mut mixer: ResMut<'_, Mixer>) {
    rules::mix_sounds(&mut mixer, cues.read().copied());
}

type Drawn = (&'static Id, &'static Culling, &'static Transform, Option<&'static Lod>);

/// Lists of threads are joined where systems are split.
pub(super) fn list_draws(
    query: Query<'_, '_, Drawn>,
    (mut draws, split): (ResMut<'_, Draws>, Res<'_, Split>),
    mut lists: Local<'_, Parallel<Vec<Draw>>>,
) {
    draws.0.clear();
    if split.0 {
        query.par_iter().for_each_init(
            || lists.borrow_local_mut(),
            |list, (id, culling, transform, lod)| {
                list.extend(rules::draw(*id, culling, transform, lod));
            },
        );
        lists.drain_into(&mut draws.0);
    } else {
        let all = query.iter();
        draws.0.extend(
            all.filter_map(|(id, culling, matrix, lod)| rules::draw(*id, culling, matrix, lod)),
        );
    }
}

pub(super) fn batch(draws: Res<'_, Draws>, mut batches: ResMut<'_, Batches>) {
    rules::batch(&mut batches, draws.0.iter().copied());
}
