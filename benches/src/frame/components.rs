//! The components that hold no handle: 38 of the 40.
//!
//! The macro `components!` is defined where this folder is a module, with the derives that a library asks for.

components! {
    /// A number from which all that is random about an entity follows. Almost always it is different from others.
    pub struct Id(pub u32);
    /// A point in space.
    pub struct Position(pub [f32; 3]);
    /// A change of the position in a frame.
    pub struct Velocity(pub [f32; 3]);
    /// A change of the velocity that an entity strives for.
    pub struct Steering(pub [f32; 3]);
    /// The part of the velocity that is left after a frame.
    pub struct Damping(pub f32);
    /// The highest speed.
    pub struct Speed(pub f32);
    /// A quaternion.
    pub struct Rotation(pub [f32; 4]);
    /// A rotation per frame: an axis, scaled by an angle.
    pub struct Spin(pub [f32; 3]);
    /// The size relative to the model's.
    pub struct Scale(pub f32);
    /// A 4 × 4 matrix, column by column.
    pub struct Transform(pub [f32; 16]);
    /// The radius of a sphere around the entity.
    pub struct Bounds(pub f32);
    /// What the camera sees of the entity.
    pub struct Culling {
        /// The distance from the camera.
        pub distance: f32,
        /// Whether it is seen.
        pub is_visible: bool,
    }
    /// The level of detail, from 0, the finest.
    pub struct Lod(pub u32);
    /// It does not move.
    pub struct Static;
    /// It sways in the wind.
    pub struct Sway {
        /// The time within a period, from 0 to 1.
        pub phase: f32,
        /// How far it sways.
        pub amplitude: f32,
    }
    /// Below 1 the entity is dead.
    pub struct Health {
        /// What is left of it.
        pub now: i32,
        /// The most that there can be.
        pub max: i32,
    }
    /// A point of health is regained in each period.
    pub struct Regeneration {
        /// In frames.
        pub period: u32,
        /// The frames that are left.
        pub timer: u32,
    }
    /// What is subtracted from the damage of each hit.
    pub struct Armor(pub i32);
    /// What is hit before the health is.
    pub struct Shield {
        /// What is left of it.
        pub now: i32,
        /// The most that there can be.
        pub max: i32,
    }
    /// Grows with hits, and cools down.
    pub struct Heat(pub i32);
    /// The frames until the fire is out.
    pub struct Burning(pub u32);
    /// The frames until the weapon is ready.
    pub struct Cooldown(pub u32);
    /// What a unit shoots with.
    pub struct Weapon {
        /// The damage of a projectile.
        pub damage: i32,
        /// The frames between two shots.
        pub period: u32,
        /// The speed of a projectile.
        pub speed: f32,
    }
    /// The state machine of a unit.
    pub struct Brain {
        /// What the unit does.
        pub state: State,
        /// The frames in that state.
        pub timer: u32,
        /// The distance of the target.
        pub range: f32,
    }
    /// The number of the place to which a unit patrols.
    pub struct Waypoint(pub u32);
    /// The number of the team, from 0 to 3.
    pub struct Team(pub u32);
    /// Points for hits and pickups.
    pub struct Score(pub u32);
    /// The clip that is played.
    pub struct Animation {
        /// The number of the clip.
        pub clip: u32,
        /// The time in the clip, from 0 to 1.
        pub time: f32,
        /// Whether the clip has begun again in this frame.
        pub has_looped: bool,
    }
    /// The weights of the joints.
    pub struct Pose(pub [f32; 8]);
    /// The sound of an entity.
    pub struct Sound {
        /// From 0 to 1.
        pub volume: f32,
        /// The volume as it is heard from the camera.
        pub heard: f32,
    }
    /// The frames until the entity is despawned.
    pub struct Lifetime(pub u32);
    /// The damage of a projectile.
    pub struct Damage(pub i32);
    /// Red, green, blue and opacity.
    pub struct Color(pub [f32; 4]);
    /// What spawns particles.
    pub struct Emitter {
        /// The frames until the next burst.
        pub timer: u32,
        /// The frames between two bursts.
        pub period: u32,
        /// The number of particles so far.
        pub serial: u32,
    }
    /// What the player collects.
    pub struct Pickup {
        /// The time within a period, from 0 to 1.
        pub phase: f32,
        /// How often it was collected.
        pub taken: u32,
    }
    /// One of the bosses.
    pub struct Boss {
        /// How often it has risen again.
        pub phase: u32,
        /// The frames in that phase.
        pub timer: u32,
    }
    /// The player's entity.
    pub struct Player {
        /// The direction of the stick.
        pub input: [f32; 2],
    }
    /// The camera.
    pub struct Camera {
        /// How far it sees.
        pub range: f32,
    }
}

/// What a unit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It walks from place to place.
    #[default]
    Patrol,
    /// It follows its target.
    Chase,
    /// It shoots at its target.
    Attack,
    /// It runs away from its target.
    Flee,
}

/// Calls a macro with the names of the components that hold no handle.
macro_rules! with_components {
    ($macro:ident) => {
        $macro! {
            Id Position Velocity Steering Damping Speed Rotation Spin Scale Transform Bounds Culling Lod Static Sway
            Health Regeneration Armor Shield Heat Burning Cooldown Weapon Brain Waypoint Team Score Animation Pose
            Sound Lifetime Damage Color Emitter Pickup Boss Player Camera
        }
    };
}
pub(crate) use with_components;
