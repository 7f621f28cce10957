//! The order of the systems: that which the library's declaration has.

use bevy_ecs::message::message_update_system;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{LogLevel, Schedule, ScheduleBuildSettings, SingleThreadedExecutor};

use super::picture as p;
use super::systems as s;

/// The schedule that starts a frame, and the one with all systems, for one thread or for several.
pub(super) fn schedules(threads: usize) -> (Schedule, Schedule) {
    let (mut first, mut all) = (Schedule::default(), Schedule::default());
    first.set_executor(SingleThreadedExecutor::new());
    if threads == 1 {
        all.set_executor(SingleThreadedExecutor::new());
    }
    // Two systems in conflict without an order are an error.
    all.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..ScheduleBuildSettings::default()
    });
    first.add_systems(message_update_system);
    wants(&mut all);
    motion(&mut all);
    hits(&mut all);
    picture(&mut all);
    coming_and_going(&mut all);
    (first, all)
}

/// What happens to units by itself, and what they want.
fn wants(schedule: &mut Schedule) {
    schedule.add_systems((
        s::advance_frame,
        s::read_input.after(s::advance_frame),
        s::cool_weapons,
        s::regenerate,
        s::recharge_shields,
        s::cool_heat,
        s::burn.after(s::regenerate),
        s::retarget.after(s::advance_frame),
        s::sense.after(s::retarget),
        s::think.after(s::sense).after(s::burn),
        s::patrol.after(s::think),
        s::chase.after(s::patrol),
        s::gather_bosses,
        s::avoid_bosses.after(s::chase).after(s::gather_bosses),
        s::boss_phases.after(s::burn),
        s::drive_player.after(s::read_input),
    ));
}

/// Velocities, positions and rotations.
fn motion(schedule: &mut Schedule) {
    schedule.add_systems((
        s::accelerate.after(s::avoid_bosses).after(s::boss_phases).after(s::drive_player),
        s::fall,
        s::home,
        s::damp.after(s::accelerate).after(s::fall).after(s::home),
        s::limit_speed.after(s::damp),
        s::fire.after(s::cool_weapons).after(s::think),
        s::advance.after(s::limit_speed).after(s::fire),
        s::confine.after(s::advance),
        s::ground.after(s::advance),
        s::sway_trees,
        s::turn,
        s::face.after(s::confine),
        s::bob.after(s::chase).after(s::home),
        s::locate_player.after(s::confine),
        s::pick_up.after(s::bob).after(s::locate_player),
    ));
}

/// Hits and points.
fn hits(schedule: &mut Schedule) {
    schedule.add_systems((
        s::age,
        s::strike.after(s::age).after(s::ground).after(s::pick_up).after(p::follow_player),
        s::apply_hits.after(s::strike).after(s::cool_heat).after(s::recharge_shields),
        s::score_hits.after(s::strike),
        s::score_pickups.after(s::pick_up).after(s::score_hits),
    ));
}

/// What is seen and heard.
fn picture(schedule: &mut Schedule) {
    schedule.add_systems((
        p::fade_colors.after(s::age),
        p::pulse_pickups.after(s::pick_up),
        p::choose_clips.after(s::think),
        p::play_animations.after(p::choose_clips),
        p::follow_player.after(s::locate_player),
        p::aim_camera.after(p::follow_player),
        p::build_transforms.after(s::turn).after(s::face).after(p::pulse_pickups),
        p::sway_transforms.after(s::sway_trees),
        p::cull.after(s::pick_up).after(p::aim_camera),
        p::choose_lods.after(p::cull),
        p::attenuate.after(p::cull),
        p::pose_bodies.after(p::play_animations).after(p::cull),
        p::footsteps.after(p::play_animations).after(p::attenuate),
        p::mix_sounds.after(p::footsteps),
        p::list_draws.after(p::build_transforms).after(p::sway_transforms).after(p::choose_lods),
        p::batch.after(p::list_draws),
    ));
}

/// Entities that come and go. Their commands are applied when all systems have run, so no system waits for that.
fn coming_and_going(schedule: &mut Schedule) {
    schedule.add_systems((
        s::emit,
        s::expire.after(s::strike),
        s::launch.after(s::fire),
        s::reap.after(s::apply_hits),
        s::respawn.after_ignore_deferred(s::reap),
        s::ignite.after(s::apply_hits),
        s::quench.after(s::apply_hits),
    ));
}
