//! Through `ecs-core`.

use bytemuck::{Pod, Zeroable};
use ecs_core::{Threads, World, world};
use serde::{Deserialize, Serialize};

use super::{ENTITIES, Row, row};

macro_rules! world_of {
    ($name:ident { $($derive:tt)* }) => {
        mod $name {
            use super::*;

            #[derive(Clone, Copy, $($derive)*)]
            #[repr(C)]
            pub(super) struct Position(pub(super) [f32; 3]);
            #[derive(Clone, Copy, $($derive)*)]
            #[repr(C)]
            pub(super) struct Velocity(pub(super) [f32; 3]);
            #[derive(Clone, Copy, $($derive)*)]
            #[repr(C)]
            pub(super) struct Health(pub(super) [u32; 3]);

            world! {
                pub(super) world Game;
                component Position, Velocity, Health;
            }

            pub(super) fn rows() -> Row {
                let mut world = World::<Game>::on(Threads::Inline);
                let _ = world.spawn_batch((0..ENTITIES).map(|n| {
                    let value = n as f32;
                    (Position([value; 3]), Velocity([value / 2.0; 3]), Health([n as u32; 3]))
                }));
                let mut other = World::<Game>::on(Threads::Inline);
                row(
                    20,
                    || {
                        let mut bytes = Vec::new();
                        world.save(&mut bytes).expect("memory takes it");
                        bytes
                    },
                    Vec::len,
                    |bytes| other.load(bytes).expect("a save"),
                )
            }
        }
    };
}

world_of! { plain_data { Pod, Zeroable } }
world_of! { by_serde { Serialize, Deserialize } }

pub(crate) fn plain() -> Row {
    plain_data::rows()
}

pub(crate) fn serial() -> Row {
    by_serde::rows()
}
