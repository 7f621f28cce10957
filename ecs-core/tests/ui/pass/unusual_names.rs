//! Names that the generated code could trip over: constants and tuple structs in lower case, keywords, Unicode, types with
//! one last segment, and functions of other forms as code.

#![deny(warnings)]
#![allow(non_camel_case_types, non_upper_case_globals, unused_qualifications)]

use ecs_core::{Entity, Executor, Step, World, world};

pub const f: u8 = 0;
pub const data: u8 = 0;
pub const row: u8 = 0;
pub const entity: u8 = 0;
pub const index: u8 = 0;
pub const visitor: u8 = 0;
pub const sink: u8 = 0;
pub const found: u8 = 0;
pub const hasher: u8 = 0;
pub const velocity: u8 = 0;

#[derive(Clone, ecs_core::StateHash)]
struct vec3(f32);
#[derive(Clone, ecs_core::StateHash)]
struct 位置(f32);
#[derive(Clone, ecs_core::StateHash)]
struct Velocity {
    x: f32,
}
#[derive(Clone, ecs_core::StateHash)]
struct Gen(u8);
#[derive(Clone, ecs_core::StateHash)]
struct Type(u8);
#[derive(Clone, ecs_core::StateHash)]
struct Buf<T>(T);
mod near {
    #[derive(Clone, ecs_core::StateHash)]
    pub struct Pos(pub f32);
}
mod far {
    #[derive(Clone, ecs_core::StateHash)]
    pub struct Pos(pub f32);
}

world! {
    world Big;
    component vec3, 位置, Velocity, Gen, Type,;
    component Buf<f32> as Floats, Buf<u8>,: hash_map;
    component (near::Pos, far::Pos as FarPos): contiguous_buffer;
    system V {
        write: [vec3, 位置, Velocity, Gen, Type],
        each: |one, _| {
            one.vec3.0 += 1.0;
            one.位置.0 += 1.0;
            one.velocity.x += 1.0;
            one.gen_.0 += 1;
            one.type_.0 += 1;
        },
    }
    system Fill { read: [Buf<f32>], write: [Buf<u8>], each: |one| one.buf.0 = one.floats.0 as u8 }
    system Move { read: [FarPos], write: [Pos], dependencies: [V], each: |one| one.pos.0 += one.far_pos.0 }
    #[allow(redundant_order)]
    system Forget { read: [Velocity], dependencies: [V, Move], each: drop }
    #[allow(redundant_order)]
    order V -> Forget;
    system Count { read: [Velocity], dependencies: [Forget], run: count }
}

/// A function over any data.
fn count<T>(_: &mut T) {}

fn fill(step: &mut Step<'_, Big>) -> Entity {
    step.spawn((vec3(0.0), 位置(0.0), Velocity { x: 0.0 }, Gen(0), Type(0)))
}

fn main() {
    let mut world = World::<Big>::new();
    let one = world.step(fill).expect("a step");
    let two = world.spawn((Buf(7.0_f32), Buf(0_u8), near::Pos(1.0), far::Pos(2.0)));
    world.tick().expect("a step");
    assert_eq!(world.get::<vec3>(one).map(|value| value.0), Some(1.0));
    assert_eq!(world.get::<位置>(one).map(|value| value.0), Some(1.0));
    assert_eq!(world.get::<Gen>(one).map(|value| value.0), Some(1));
    assert_eq!(world.get::<Buf<u8>>(two).map(|value| value.0), Some(7));
    assert_eq!(world.get::<near::Pos>(two).map(|value| value.0), Some(3.0));
    let _ = (f, data, row, entity, index, visitor, sink, found, hasher, velocity);
    let _: Option<&Executor<'_, Big, V>> = None;
    assert_eq!(world.state_hash(), world.clone().state_hash());
}
