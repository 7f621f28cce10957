//! Editions, and crates without the standard library or its prelude.

// case edition_2018, edition 2018
use ecs_core::{Data, Entity, System, World, world};
#[derive(Clone, Debug)]
struct Position(f32);
struct Gen(u8);
#[derive(Default)]
struct Score(u32);
#[derive(Default)]
struct Count { seen: u32 }
world! {
    world W { entity_limit: dynamic(4), staged_changes: refresh_before_dependents }
    component Position, Gen;
    resource Score;
    stages Early -> Late;
    query All { read: [Position] }
    system Move { write: [Position], read: [Gen], stage: Early, each: |e| e.position.0 += f32::from(e.gen_.0) }
    system Near { queries: [All], stage: Late, output: Vec<Entity>, run: |_| {} }
    system Count { inputs: [Near], dependencies: [Move], read: [Position], write_resources: [Score] }
}
impl System<W> for Count {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let mut n = self.seen;
        data.own.for_entities(|_| n += 1);
        data.resources.get_mut::<Score>().0 += n;
    }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((Position(1.0), Gen(2)));
    world.tick().unwrap();
    assert_eq!((world.get::<Position>(e).unwrap().0, world.resource::<Score>().0), (3.0, 1));
}

// case a_macro_in_edition_2018, edition 2018
struct A(u8);
macro_rules! declare { ($c:path, $($t:tt)*) => { ecs_core::world! { world W; component $c; $($t)* } }; }
declare!(A, system Grow { write: [A], each: |e| e.a.0 += 1 });

// case words_that_became_keywords, edition 2018
use ecs_core::world;
#[allow(non_camel_case_types)]
struct gen(u8);
world! {
    world W;
    component gen;
    system Grow { write: [gen], each: |e| e.gen_.0 += 1 }
}

// case edition_2021, edition 2021
use ecs_core::{World, world};
struct A(u8);
struct Gen(u8);
#[derive(Default)]
struct R(u8);
world! {
    world W;
    component A: hash_map;
    component Gen: sparse_set;
    resource R: transient;
    system Grow { write: [A], read: [Gen], parallelism: split_every(4), despawn, each: |e, effects| {
        e.a.0 += e.gen_.0;
        if e.a.0 > 100 { effects.despawn(e.entity); }
    } }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1), Gen(1)));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
}

// case a_set_in_edition_2021, edition 2021
pub struct A(u8);
ecs_core::set! { pub set Parts; component A; system Grow { write: [A], each: |e| e.a.0 += 1 } }
ecs_core::world! { world W; include Parts; }
fn main() {
    let mut world = ecs_core::World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
}

// case edition_2024
use ecs_core::{World, world};
struct A(u8);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| if let A(n @ 1..) = e.a && *n < 9 { *n += 1 } }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
}

// case no_std, lib
#![no_std]
#![deny(missing_docs, unused)]
//! A library without the standard library.
extern crate alloc;
use alloc::vec::Vec;
use ecs_core::{World, world};
/// A part.
pub struct A(pub u8);
/// A clock.
#[derive(Default)]
pub struct Clock(pub u32);
world! {
    /// A world.
    pub world W;
    component A;
    resource Clock;
    query All { read: [A] }
    /// A system.
    system Grow { write: [A], spawn: [A], output: Vec<u8>, parallelism: split_evenly(cores), each: |e| e.a.0 += 1 }
    /// Another one.
    system Look { queries: [All], inputs: [Grow], read_resources: [Clock], run: |_| {} }
}
/// Makes one.
pub fn make() -> World<W> {
    World::new()
}

// case no_std_in_edition_2018, edition 2018, lib
#![no_std]
pub struct A(pub u8);
ecs_core::world! {
    pub world W;
    component A;
    system Grow { write: [A], each: |e| e.a.0 += 1 }
}

// case no_core_prelude, lib
#![no_implicit_prelude]
#![no_std]
pub struct A(pub u8);
::ecs_core::set! { pub set Parts; component A; system Grow { write: [A], each: |e| e.a.0 += 1 } }
::ecs_core::world! { pub world W; include Parts; system Look { run: |_| {} } }
