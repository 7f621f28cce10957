//! Through `bevy_ggrs`.

use core::hash::{Hash, Hasher as _};
use std::time::Duration;

use bevy::MinimalPlugins;
use bevy::ecs::system::RunSystemOnce as _;
use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_ggrs::{
    AdvanceWorld, LoadWorld, RollbackFrameCount, SaveWorld, SnapshotPlugin, checksum_hasher,
};

use super::{BACK, Change, ENTITIES, RING, time};

#[derive(Component, Clone, Copy)]
struct Position([f32; 3]);
#[derive(Component, Clone, Copy)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, Copy)]
struct Health([u32; 3]);
#[derive(Component, Clone, Copy)]
struct Changing;

fn hash(values: impl Hash) -> u64 {
    let mut hasher = checksum_hasher();
    values.hash(&mut hasher);
    hasher.finish()
}

fn change(mut all: Query<(&mut Position, &mut Velocity, &mut Health), With<Changing>>) {
    for (mut position, mut velocity, mut health) in &mut all {
        position.0[0] += 1.0;
        velocity.0[1] += 1.0;
        health.0[2] += 1;
    }
}

/// Times of a save with a checksum, a save without, and a load.
pub(crate) fn times(changed: Change) -> [Duration; 3] {
    let mut best = [Duration::MAX; 3];
    for has_checksum in [true, false] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SnapshotPlugin));
        app.add_systems(AdvanceWorld, change);
        app.rollback_component_with_copy::<Position>();
        app.rollback_component_with_copy::<Velocity>();
        app.rollback_component_with_copy::<Health>();
        if has_checksum {
            app.checksum_component::<Position>(|position| hash(position.0.map(f32::to_bits)));
            app.checksum_component::<Velocity>(|velocity| hash(velocity.0.map(f32::to_bits)));
            app.checksum_component::<Health>(|health| hash(health.0));
        }
        app.update();
        let spawn = move |mut commands: Commands| {
            for n in 0..ENTITIES {
                let value = n as f32;
                let mut entity = commands.spawn((
                    Position([value; 3]),
                    Velocity([1.0; 3]),
                    Health([n as u32; 3]),
                    Rollback,
                ));
                if changed.has(n) {
                    entity.insert(Changing);
                }
            }
        };
        app.world_mut().run_system_once(spawn).expect("it has no parameters that could fail");
        let mut frame = 0;
        for round in 0..3 * RING {
            app.world_mut().run_schedule(AdvanceWorld);
            frame += 1;
            app.insert_resource(RollbackFrameCount(frame));
            time(&mut best[usize::from(!has_checksum)], || {
                app.world_mut().run_schedule(SaveWorld);
            });
            if round % RING == RING - 1 {
                frame -= BACK as i32;
                app.insert_resource(RollbackFrameCount(frame));
                time(&mut best[2], || app.world_mut().run_schedule(LoadWorld));
            }
        }
    }
    best
}
