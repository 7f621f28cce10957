//! Types: generics, const generics, aliases, paths, re-exports, visibility.

// case const_generics
use ecs_core::{World, world};
const N: usize = 2;
struct Grid<const W: usize, const H: usize>([[u8; W]; H]);
world! {
    world W;
    component Grid<3, { N + 1 }>;
    system Fill { write: [Grid], each: |e| e.grid.0[2][2] = 7 }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((Grid::<3, 3>([[0; 3]; 3]),));
    world.tick().unwrap();
    assert_eq!(world.get::<Grid<3, 3>>(e).unwrap().0[2][2], 7);
}

// case generics_with_lifetimes_and_types
use ecs_core::world;
use std::borrow::Cow;
use std::marker::PhantomData;
struct Tagged<'s, T, const N: usize>(Cow<'s, str>, PhantomData<fn(T) -> [u8; N]>);
world! {
    world W;
    component Tagged<'static, Vec<Option<u8>>, 4>;
    system Show { read: [Tagged], each: |e| { let _ = (&e.tagged.0, e.tagged.1); } }
}

// case arguments_in_lists
use ecs_core::world;
struct Buffer<T>(T);
world! {
    world W;
    component Buffer<u8>;
    system Fill { write: [Buffer<u8>], each: |e| e.buffer.0 += 1 }
    system Show { read: [Buffer], dependencies: [Fill], insert: [Buffer<u8>], spawn: [(Buffer<u8>,)], run: |_| {} }
}

// case aliases
use ecs_core::{World, world};
type Matrix = [f32; 4];
type Name = &'static str;
type Callback = fn(u8) -> u8;
type Pair = (u8, u8);
type Handler = Box<dyn Fn(u8) -> u8 + Send + Sync>;
world! {
    world W;
    component Matrix, Name, Callback, Pair, Handler;
    system Call { read: [Callback, Name, Handler], write: [Matrix, Pair], each: |e| {
        e.pair.0 = (e.callback)(e.pair.1) + (e.handler)(1) + e.name.len() as u8;
        e.matrix[0] += 1.0;
    } }
}
fn main() {
    let mut world = World::<W>::new();
    let handler: Handler = Box::new(|n| n + 10);
    let callback: Callback = |n| n + 1;
    let e = world.spawn(([0.0; 4], "ab", callback, (0_u8, 5_u8), handler));
    world.tick().unwrap();
    assert_eq!(world.get::<Pair>(e).unwrap().0, 19);
}

// case alias_of_a_generic
use ecs_core::world;
struct Vector<T, const N: usize>([T; N]);
type Position = Vector<f32, 3>;
type Velocity = Vector<f64, 3>;
world! {
    world W;
    component Position, Velocity;
    system Move { write: [Position], read: [Velocity], each: |e| e.position.0[0] += e.velocity.0[0] as f32 }
}

// case paths_of_every_kind, alone
mod physics {
    pub mod bodies { pub struct Velocity(pub f32); pub struct Mass(pub f32); }
    pub use self::bodies::Mass;
    pub mod world {
        pub struct Local(pub f32);
        ecs_core::world! {
            pub(in crate::physics) world Inner;
            component self::Local, super::Mass, super::bodies::Velocity, crate::Outer;
            system Move { write: [Local], read: [Velocity, Mass, Outer], each: |e| {
                e.local.0 += e.velocity.0 * e.mass.0 + e.outer.0;
            } }
        }
    }
    pub fn run() {
        let mut world = ecs_core::World::<world::Inner>::new();
        world.spawn((world::Local(0.0), Mass(1.0), bodies::Velocity(1.0), crate::Outer(1.0)));
        world.tick().unwrap();
    }
}
pub struct Outer(f32);
fn main() {
    physics::run();
}

// case re_exports_and_globs
mod inner { pub struct Position(pub u8); pub fn grow(e: super::GrowEntry<'_>) { e.position.0 += 1; } }
mod prelude { pub use super::inner::*; pub use ecs_core::{self as engine, world as declare}; }
use prelude::*;
declare! {
    world W;
    component Position;
    system Grow { write: [Position], each: grow }
}
fn main() {
    let mut world = engine::World::<W>::new();
    world.spawn((Position(1),));
    world.tick().unwrap();
}

// case macro_by_path
struct A;
ecs_core::world! {
    world W;
    component A;
    query All { read: [A] }
    system Draw { queries: [All], run: |_| {} }
}

// case renamed_crate, renamed
struct A(u8);
engine::world! {
    world W;
    component A;
    resource Clock;
    query All { read: [A] }
    system Grow { write: [A], spawn: [A], parallelism: split_evenly(cores), each: |e| e.a.0 += 1 }
    system Look { queries: [All], inputs: [Grow], output: u32, run: |_| {} }
}
#[derive(Default)]
struct Clock;
fn main() {
    let mut world = engine::World::<W>::new();
    world.spawn((A(1),));
    world.tick().unwrap();
}

// case renamed_crate_in_a_set, renamed
pub struct A(u8);
engine::set! {
    pub set Parts;
    component A;
    system Grow { write: [A], each: |e| e.a.0 += 1 }
}
engine::world! {
    world W;
    include Parts;
}
fn main() {
    let mut world = engine::World::<W>::new();
    world.spawn((A(1),));
    world.tick().unwrap();
}

// case extern_crate_by_another_name, alone
extern crate ecs_core as library;
struct A(u8);
library::world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| e.a.0 += 1 }
}

// case generic_system_types
use ecs_core::{Data, System, World, world};
use std::marker::PhantomData;
struct A(i32);
struct Up;
struct Down;
trait Direction: 'static { const BY: i32; }
impl Direction for Up { const BY: i32 = 1; }
impl Direction for Down { const BY: i32 = -2; }
struct Adjust<D>(PhantomData<fn() -> D>);
impl<D> Default for Adjust<D> { fn default() -> Self { Self(PhantomData) } }
world! {
    world W;
    component A;
    system Rise: Adjust<Up> { write: [A] }
    system Fall: Adjust<Down> { write: [A], dependencies: [Rise] }
}
impl<D: Direction> System<W, Rise> for Adjust<D> {
    fn process(&self, data: &mut Data<'_, W, Rise>) { data.own.for_entities(|e| e.a.0 += D::BY); }
}
impl<D: Direction> System<W, Fall> for Adjust<D> {
    fn process(&self, data: &mut Data<'_, W, Fall>) { data.own.for_entities(|e| e.a.0 += D::BY); }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(0),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, -1);
}

// case system_with_arguments_as_its_name
use ecs_core::{Data, System, world};
struct A(u8);
#[derive(Default)]
struct Count<const N: u8>;
world! {
    world W;
    component A;
    system Count<4> { write: [A] }
}
impl System<W> for Count<4> {
    fn process(&self, data: &mut Data<'_, W, Self>) { data.own.for_entities(|e: CountEntry<'_>| e.a.0 += 4); }
}

// case world_as_visible_as_its_parts
mod game {
    pub(super) struct A(pub(super) u8);
    ecs_core::world! {
        pub(super) world Game { entity_limit: fixed(4) }
        component A;
        system Grow { write: [A], each: |e| e.a.0 += 1 }
    }
    impl Game { pub(super) const NAME: &'static str = "game"; }
}
fn main() {
    let mut world = ecs_core::World::<game::Game>::new();
    assert!(world.step(|step| step.spawn((game::A(1),))).is_ok());
    assert_eq!(game::Game::NAME, "game");
}

// case outputs_of_every_kind
use ecs_core::world;
use std::collections::BTreeMap;
world! {
    world W;
    system First { output: Vec<(u8, Option<Box<[u16; 4]>>)>, run: |_| {} }
    system Second { output: BTreeMap<String, Vec<u8>>, run: |_| {} }
    system Third { output: f64, inputs: [First, Second], run: |_| {} }
}

// case values_of_every_kind
use ecs_core::{World, world};
const LIMIT: usize = 4;
mod limits { pub const fn half(n: usize) -> usize { n / 2 } pub struct Of<const N: usize>; impl<const N: usize> Of<N> { pub const ALL: usize = N; } }
struct Table([u8; 4]);
struct Names(Vec<&'static str>);
struct Chosen(u8);
world! {
    world W { entity_limit: fixed(limits::half(LIMIT) * 2 + limits::Of::<3>::ALL) }
    resource Table = Table(std::array::from_fn(|n| n as u8));
    resource Names = Names(vec!["a", "b"]);
    resource Chosen = Chosen(if cfg!(any()) { 1 } else { match 2 { 2 => 5, _ => 0 } });
}
fn main() {
    let world = World::<W>::new();
    assert_eq!((world.resource::<Table>().0[3], world.resource::<Chosen>().0), (3, 5));
    assert_eq!(world.resource::<Names>().0.len(), 2);
}

// case accumulated_types_of_every_kind
use ecs_core::{Accumulate, Entity, World, world};
struct Aim(Entity);
struct Sum<T>(T);
impl<T: core::ops::AddAssign + Send + Sync + 'static> Accumulate for Sum<T> {
    fn accumulate(&mut self, other: Self) { self.0 += other.0; }
}
mod deep {
    pub struct List<const N: usize>(pub Vec<[u8; N]>);
    impl<const N: usize> ecs_core::Accumulate for List<N> {
        fn accumulate(&mut self, other: Self) { self.0.extend(other.0); }
    }
}
world! {
    world W;
    component Aim, Sum<f32>, deep::List<2>;
    system Add { accumulate: [Sum<f32>, List], each: |aim: &Aim, effects| {
        effects.accumulate(aim.0, Sum(0.5));
        effects.accumulate(aim.0, deep::List([[1, 2]].into()));
    } }
    system Again { with: [Aim], accumulate: [Sum], each: |e: Entity, effects| effects.accumulate(e, Sum(1.0)) }
}
fn main() {
    let mut world = World::<W>::new();
    let target = world.spawn(());
    world.spawn_batch([target; 3].map(|target| (Aim(target),)));
    world.tick().unwrap();
    assert_eq!(world.get::<Sum<f32>>(target).unwrap().0, 1.5);
    assert_eq!(world.get::<deep::List<2>>(target).unwrap().0, [[1, 2]; 3]);
    assert_eq!(world.iter::<&Sum<f32>>().count(), 4);
}
