//! Names: raw identifiers, other scripts, names of the language, of the library and of generated code.

// case raw_identifiers
use ecs_core::world;
struct r#Struct(u8);
#[allow(non_camel_case_types)]
struct r#match(u8);
#[derive(Default)]
struct r#Mod(u32);
world! {
    world r#Enum;
    component r#Struct, r#match;
    resource r#Mod;
    system r#Loop { write: [r#Struct], read: [r#match], each: |e| e.struct_.0 += e.match_.0 }
    system r#While { dependencies: [r#Loop], write_resources: [r#Mod], run: |data| data.resources.get_mut::<r#Mod>().0 += 1 }
}
fn main() {
    let mut world = ecs_core::World::<self::r#Enum>::new();
    let e = world.spawn((r#Struct(1), r#match(2)));
    world.tick().unwrap();
    assert_eq!(world.get::<Struct>(e).unwrap().0, 3);
    let _ = Enum;
}

// case raw_and_plain_are_one
use ecs_core::world;
struct Position;
world! {
    world W;
    component r#Position;
    system Draw { read: [Position], run: |_| {} }
}

// case other_scripts
use ecs_core::{World, world};
struct Größe(f32);
struct Δt(f32);
#[allow(non_camel_case_types)]
struct Масса(f32);
world! {
    world Världen;
    component Größe, Масса;
    resource Δt = Δt(0.5);
    system Wächst { write: [Größe], read: [Масса], read_resources: [Δt], each: |e, _, resources| {
        e.größe.0 += e.масса.0 * resources.get::<Δt>().0;
    } }
}
fn main() {
    let mut world = World::<Världen>::new();
    let e = world.spawn((Größe(1.0), Масса(2.0)));
    world.tick().unwrap();
    assert_eq!(world.get::<Größe>(e).unwrap().0, 2.0);
}

// case names_of_generated_code
use ecs_core::world;
struct Declaration(u8);
struct Data(u8);
struct System(u8);
struct Index(u8);
struct Entry(u8);
struct World(u8);
struct Strategy(u8);
world! {
    world Terms;
    component Declaration, Data, System, Index, Entry, World, Strategy;
    system Output { write: [Data], read: [System, Index, Entry, World, Strategy, Declaration], each: |e| {
        e.data.0 += e.system.0 + e.index.0 + e.entry.0 + e.world.0 + e.strategy.0 + e.declaration.0;
    } }
    system Parallelism { dependencies: [Output], run: |_| {} }
}
fn main() {
    let mut world = ecs_core::World::<Terms>::new();
    let parts = (Declaration(1), Data(2), System(3), Index(4), Entry(5), World(6), Strategy(7));
    let e = world.spawn(parts);
    world.tick().unwrap();
    assert_eq!(world.get::<Data>(e).unwrap().0, 28);
}

// case words_of_the_declaration
use ecs_core::{World, world};
#[allow(non_camel_case_types)]
struct component(u8);
#[allow(non_camel_case_types)]
struct system(u8);
#[allow(non_camel_case_types)]
struct read(u8);
#[derive(Default)]
#[allow(non_camel_case_types)]
struct resource(u8);
world! {
    world World_;
    component component, system, read;
    resource resource;
    system Stage { read: [read], write: [component], with: [system], each: |e| e.component.0 += e.read.0 }
    system Order { dependencies: [Stage], run: |_| {} }
}
fn main() {
    let mut world = World::<World_>::new();
    let e = world.spawn((component(1), system(0), read(2)));
    world.tick().unwrap();
    assert_eq!(world.get::<component>(e).unwrap().0, 3);
}

// case primitive_and_foreign_types
use ecs_core::{World, world};
use std::collections::BTreeMap;
use std::time::Duration;
world! {
    world W;
    component i32, String, Duration, BTreeMap<u8, String>;
    system Age { write: [i32, Duration], read: [String, BTreeMap], each: |e| {
        *e.i32 += e.string.len() as i32 + e.b_tree_map.len() as i32;
        *e.duration += Duration::from_secs(1);
    } }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((1, String::from("ab"), Duration::ZERO, BTreeMap::<u8, String>::new()));
    world.tick().unwrap();
    assert_eq!(*world.get::<i32>(e).unwrap(), 3);
}

// case a_component_and_a_resource_of_one_type
use ecs_core::{World, world};
#[derive(Default)]
struct Score(u32);
world! {
    world W;
    component Score;
    resource Score;
    system Sum { read: [Score], write_resources: [Score], run: |data| {
        let total = data.resources.get_mut::<Score>();
        data.own.for_entities(|e| total.0 += e.score.0);
    } }
}
fn main() {
    let mut world = World::<W>::new();
    world.spawn((Score(2),));
    world.tick().unwrap();
    assert_eq!(world.resource::<Score>().0, 2);
}

// case entity_as_component
use ecs_core::{Entity, World, world};
world! {
    world W;
    component Entity;
    system Follow { read: [Entity], each: |e| assert_ne!(e.entity, *e.entity_) }
}
fn main() {
    let mut world = World::<W>::new();
    let first = world.spawn(());
    world.spawn((first,));
    world.tick().unwrap();
}

// case lower_case_names
use ecs_core::world;
#[allow(non_camel_case_types)]
struct vec3(f32, f32, f32);
world! {
    world W;
    component vec3;
    system Move { write: [vec3], each: |e| e.vec3.0 += 1.0 }
}

// case blanket_methods
use ecs_core::{World, world};
trait Anything {
    fn run(&self) {}
    fn put(&self) {}
    fn process(&self) {}
    fn for_entities(&self) {}
    fn default(&self) {}
    fn fmt(&self) {}
}
impl<T: ?Sized> Anything for T {}
#[derive(Default)]
struct Clock(u32);
struct A(u32);
world! {
    world W;
    component A;
    resource Clock;
    system Tick { write_resources: [Clock], run: |data| data.resources.get_mut::<Clock>().0 += 1 }
    system Grow { write: [A], each: |e| e.a.0 += 1 }
}
fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
    0_u8.run(); 0_u8.put(); 0_u8.process(); 0_u8.for_entities(); 0_u8.default(); Anything::fmt(&0_u8);
    assert_eq!(world.resource::<Clock>().0, 1);
}

// case macros_of_the_users
#![allow(unused_macros)]
macro_rules! panic { ($($t:tt)*) => { compile_error!("not this one") }; }
macro_rules! vec { ($($t:tt)*) => { compile_error!("not this one") }; }
macro_rules! matches { ($($t:tt)*) => { compile_error!("not this one") }; }
macro_rules! assert { ($($t:tt)*) => { compile_error!("not this one") }; }
struct A(u8);
ecs_core::world! {
    world W;
    component A;
    system Grow { write: [A], parallelism: split_evenly(cores), each: |e| e.a.0 += 1 }
}

// case modules_of_the_users
mod core {}
mod std {}
mod alloc {}
#[allow(unused)]
mod ecs_core { pub fn nothing() {} }
struct A(u8);
::ecs_core::world! {
    world W;
    component A;
    system Grow { write: [A], spawn: [A], despawn, output: Vec<u8>, each: |e, _| e.a.0 += 1 }
}

// case constants_of_the_users
use ecs_core::{World, world};
#[allow(non_upper_case_globals)]
mod constants { pub const e: u8 = 1; pub const effects: u8 = 2; pub const value: u8 = 3; }
#[allow(unused)]
use constants::value;
struct A(u8);
#[derive(Default)]
struct R(u8);
world! {
    world W;
    component A;
    resource R;
    system Grow { write: [A], read_resources: [R], each: |each, _| each.a.0 += constants::e + constants::effects }
}
fn main() {
    let mut world = World::<W>::new();
    let grown = world.spawn((A(0),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(grown).unwrap().0, 3);
}
