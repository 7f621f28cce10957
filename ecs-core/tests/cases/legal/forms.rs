//! Forms: commas, brackets, order of items, comments, attributes, places where a declaration may stand.

// case commas_at_every_end
use ecs_core::world;
struct A;
struct B;
struct C;
struct D;
#[derive(Default)]
struct R;
world! {
    world W { entity_limit: dynamic(8,), rows: in_order, }
    component (A, B,): contiguous_buffer;
    component C, D,;
    resource R;
    system First { read: [A, B,], read_resources: [R,], parallelism: split_evenly(cores,), run: |_| {}, }
    system Second { dependencies: [First,], spawn: [(A, B,), B,], output: (), run: |_| {}, }
}

// case empty_everything
use ecs_core::world;
world! {
    world W {}
    system First { read: [], write: [], dependencies: [], spawn: [], run: |_| {} }
}

// case parentheses, alone
ecs_core::world!(world First; system A { run: |_| {} });
mod other { ecs_core::world![pub world Second;]; }
fn main() {
    assert!(ecs_core::World::<First>::new().tick().is_ok());
    let _ = ecs_core::World::<other::Second>::new();
}

// case items_in_reverse
use ecs_core::{World, world};
world! {
    order Grow -> Show;
    system Show { queries: [All], stage: Late, run: |_| {} }
    query All { read: [A] }
    system Grow { write: [A], read_resources: [R], stage: Early, each: |e, _| e.a.0 += 1 }
    resource R;
    component A;
    stages Early -> Late;
    world W;
}
struct A(u8);
#[derive(Default)]
struct R;
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
}

// case comments_everywhere
use ecs_core::world;
struct A;
world! {
    // A line.
    /* A block, /* nested */ */
    /// The world.
    /// Two lines.
    world /* here */ W /* and here */ {
        /// The limit.
        entity_limit: /* n */ fixed(8), // the end
    }
    /** A block of documentation. */
    component A;
    #[doc = "A draw."]
    #[doc(alias = "render")]
    system Draw {
        /// What it reads.
        read: [/* all */ A /* it */], // and no more
        /// Nothing.
        run: |_| { /* nothing */ },
    }
}

// case attributes_that_mean_something
#![deny(missing_docs)]
use ecs_core::{World, world};
/// A part.
pub struct A(u8);
world! {
    /// A world.
    #[derive(Default, PartialEq, Eq, Hash)]
    #[must_use]
    pub world W;
    /// A part.
    #[allow(dead_code)]
    component A;
    /// A system.
    #[derive(PartialEq)]
    #[non_exhaustive]
    system Grow { write: [A], each: |e| e.a.0 += 1 }
}
fn main() {
    let _ = World::<W>::new();
    assert!(W == W::default() && Grow == Grow);
}

// case cfg_on_the_whole
#[cfg(any())]
ecs_core::world! { world W; component Missing; }
#[cfg(all())]
ecs_core::world! { world W; }
fn main() {
    let _ = ecs_core::World::<W>::new();
}

// case in_a_function
use ecs_core::{World, world};
fn main() {
    struct A(u8);
    const BY: u8 = 3;
    fn grow(e: GrowEntry<'_>) { e.a.0 += BY; }
    world! {
        world W;
        component A;
        resource R;
        query All { read: [A] }
        system Grow { write: [A], each: grow }
        system Look { queries: [All], dependencies: [Grow], read_resources: [R], run: |_| {} }
    }
    #[derive(Default)]
    struct R;
    let mut world = World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 4);
}

// case in_blocks_of_every_kind
fn main() {
    let by_closure = || {
        struct A(u8);
        ecs_core::world! { world W; component A; system Grow { write: [A], each: |e| e.a.0 += 1 } }
        let mut world = ecs_core::World::<W>::new();
        let e = world.spawn((A(1),));
        world.tick().unwrap();
        world.get::<A>(e).unwrap().0
    };
    if by_closure() == 2 {
        ecs_core::world! { world W; }
        let _ = ecs_core::World::<W>::new();
    }
    mod deep { pub fn run() { ecs_core::world! { world W; } let _ = ecs_core::World::<W>::new(); } }
    deep::run();
}
const _: () = {
    ecs_core::world! { world W; }
};

// case in_a_method
struct Game;
impl Game {
    fn run(&self) -> usize {
        struct A;
        ecs_core::world! { world W; component A; }
        let mut world = ecs_core::World::<W>::new();
        let e = world.spawn((A,));
        usize::from(world.is_alive(e))
    }
}
fn main() {
    assert_eq!(Game.run(), 1);
}

// case two_worlds_in_a_module
use ecs_core::{World, world};
struct Position(u8);
struct Sprite(u8);
world! {
    world Server;
    component Position;
    system Simulate { write: [Position], each: |e| e.position.0 += 1 }
}
world! {
    world Client;
    component Position, Sprite;
    system Draw { read: [Position], write: [Sprite], each: |e| e.sprite.0 = e.position.0 }
}
fn main() {
    let (mut server, mut client) = (World::<Server>::new(), World::<Client>::new());
    let e = server.spawn((Position(1),));
    server.tick().unwrap();
    let moved = server.get::<Position>(e).unwrap().0;
    let e = client.spawn((Position(moved), Sprite(0)));
    client.tick().unwrap();
    assert_eq!(client.get::<Sprite>(e).unwrap().0, 2);
}

// case two_worlds_with_one_body
use ecs_core::access::Writes;
use ecs_core::SystemName;
use ecs_core::{Data, Declaration, System, world};
struct A(u8);
#[derive(Default)]
struct Grow;
mod first { use super::*; world! { pub(super) world First; component A; system GrowFirst: Grow { write: [A] } } }
mod second { use super::*; world! { pub(super) world Second; component A; system GrowSecond: Grow { write: [A] } } }
impl<D: Declaration + ecs_core::HasComponent<A>, N: SystemName<D> + Writes<A, D>> System<D, N> for Grow {
    fn process(&self, data: &mut Data<'_, D, N>) { data.own.query::<&mut A>().for_each(|a| a.0 += 1); }
}
fn main() {
    let mut world = ecs_core::World::<first::First>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
    let _ = ecs_core::World::<second::Second>::new();
}

// case many_components_in_one_item
struct A; struct B; struct C; struct D; struct E; struct F; struct G; struct H;
struct I; struct J; struct K; struct L; struct M; struct N; struct O; struct P;
ecs_core::world! {
    world W;
    component A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P;
    system All { read: [A, B, C, D, E, F, G, H], write: [I, J, K, L, M, N, O, P], run: |_| {} }
}

// case a_bundle_in_parentheses
use ecs_core::{World, world};
struct A;
world! {
    world W;
    component A;
    system Make { spawn: [(A)], run: |data| { data.effects.spawn((A,)); } }
}
fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}

// case self_is_the_system
use ecs_core::{World, world};
struct A(u8);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| Self::grow(&mut e.a.0, Self::BY) }
    system Look { read: [A], dependencies: [Grow], run: Self::look }
}
impl Grow {
    const BY: u8 = 2;
    fn grow(a: &mut u8, by: u8) { *a += by; }
}
impl Look {
    fn look(data: &mut ecs_core::Data<'_, W, Self>) {
        data.own.for_entities(|e| assert_eq!(e.a.0, 3));
    }
}
fn main() {
    let mut world = World::<W>::new();
    world.spawn((A(1),));
    world.tick().unwrap();
}

// case names_of_parameters_are_free
use ecs_core::{World, world};
struct A(u8);
struct B(u8);
#[derive(Default)]
struct R(u8);
#[derive(Default)]
struct S(u8);
world! {
    world W;
    component A, B;
    resource R, S;
    system Grow {
        despawn,
        each: |__entry: &mut A, __own: &B, __resources: &R, __written: &mut S, __effects| {
            __entry.0 += __own.0 + __resources.0;
            __written.0 += 1;
            let _ = __effects;
        },
    }
    system Look { dependencies: [Grow], read: [A], run: |__resources, __own, __resource1: &S| {
        let _ = __own;
        __resources.for_entities(|e| assert_eq!(e.a.0, 3));
        assert_eq!(__resource1.0, 1);
    } }
}
fn main() {
    let mut world = World::<W>::new();
    world.spawn((A(1), B(2)));
    world.tick().unwrap();
}

// case a_world_more_visible_than_its_set
use ecs_core::{World, set, world};
pub struct Position(pub f32);
#[derive(Default)]
pub struct Gravity(pub f32);
mod inner {
    pub struct Mass(pub f32);
    ecs_core::set! { pub(super) set Weights; component Mass; }
}
set! { set Physics; component Position; resource Gravity; system Fall { each: |p: &mut Position, g: &Gravity| p.0 -= g.0 } }
world! { pub world W; include Physics; include inner::Weights; }
fn main() {
    World::<W>::new().tick().unwrap();
}

// case items_in_the_code
use ecs_core::{World, world};
struct Position(f32);
#[derive(Default)]
struct Score(u32);
mod other { pub struct Score(pub u32); }
#[derive(Clone, Copy)]
enum Kind { Position, Other }
fn kind(x: f32) -> Kind { if x > 0.0 { Kind::Position } else { Kind::Other } }
world! {
    world W;
    component Position;
    resource Score;
    system A { each: |p: &mut Position| {
        use Kind::*;
        match kind(p.0) { Position => p.0 += 1.0, Other => p.0 -= 1.0 }
    } }
    system B { run: |score: &mut Score| {
        use other::Score;
        score.0 += Score(2).0;
    } }
}
fn main() {
    let mut world = World::<W>::new();
    let disc = world.spawn((Position(1.0),));
    world.tick().unwrap();
    assert_eq!(world.get::<Position>(disc).unwrap().0, 2.0);
    assert_eq!(world.resource::<Score>().0, 2);
}

// case strictest_lints, alone
//! A strict crate.
#![deny(
    clippy::pedantic, elided_lifetimes_in_paths, explicit_outlives_requirements, missing_copy_implementations,
    missing_debug_implementations, missing_docs, non_ascii_idents, single_use_lifetimes, trivial_casts,
    unreachable_pub, unused, unused_lifetimes, unused_qualifications, unused_results, variant_size_differences,
    rust_2018_idioms, rust_2024_compatibility, future_incompatible, let_underscore, nonstandard_style
)]
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use ecs_core::{access::*, generated::*, settings::*, signature::*, *};
/// A component.
#[derive(Clone, Copy, Debug)]
pub struct A(u8);
/// A component.
#[derive(Clone, Copy, Debug)]
pub struct B(u8);
/// A resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct R;
world! {
    pub world W;
    component A, B;
    resource R;
    stages Early -> Late;
    query All { read: [A] }
    bundle Both { A, B }
    system Grow { write: [A], stage: Early, parallelism: none_below_threshold(64, split_evenly(cores)), each: |e| e.a.0 += 1 }
    system Add { dependencies: [Grow], stage: Early, spawn: [Both], each: |a: &mut A, b: &B, effects| { a.0 += b.0; effects.spawn((A(0), B(0))); } }
    system Look { queries: [All], read_resources: [R], stage: Late, output: Vec<u8>, run: |_| {} }
}

// case events
use ecs_core::{World, world};
mod deep { pub struct Far(pub u8); }
struct Pair<T>(T, T);
struct Quiet;
#[derive(Default)]
struct Sum(u32);
world! {
    world W;
    resource Sum;
    event deep::Far, Pair<u8>;
    event Pair<Vec<u16>> as Pairs: keep(1), delayed;
    event Quiet: transient;
    system Emit {
        emit: [Far, Pair, Pairs, Quiet],
        run: |data| {
            data.effects.emit(deep::Far(1));
            data.effects.emit(Pair(2_u8, 3));
            data.effects.emit(Pair(vec![4_u16], vec![5]));
            data.effects.emit(Quiet);
        },
    }
    system Hear {
        on: [deep::Far, Pair<u8>, Pairs, Quiet],
        run: |effects, sum: &mut Sum| {
            sum.0 += effects.events::<deep::Far>().map(|far| u32::from(far.0)).sum::<u32>();
            sum.0 += effects.events::<Pair<u8>>().map(|pair| u32::from(pair.0 + pair.1)).sum::<u32>();
            for pair in effects.events::<Pair<Vec<u16>>>() {
                sum.0 += 100 * u32::from(pair.0[0]);
                sum.0 += 1000 * u32::from(pair.1[0]);
            }
            sum.0 += 10 * effects.events::<Quiet>().len() as u32;
        },
    }
}
fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
    assert_eq!(world.resource::<Sum>().0, 16);
    world.tick().unwrap();
    assert_eq!(world.resource::<Sum>().0, 16 + 16 + 5400);
}

// case by_name
use ecs_core::{World, world};
type Level = u8;
type Rank = u16;
type Names = String;
world! {
    world W;
    component (Level, Rank): by_name;
    component Names: storage(ecs_core::storage::HashMapStorage<_>), by_name;
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((1_u8, 2_u16, String::from("a")));
    world.set_by_name(e, "Names", "b").unwrap();
    let all: Vec<_> = world.names_of(e).map(|name| world.get_by_name(e, name).unwrap()).collect();
    assert_eq!(all, ["1", "2", "b"]);
}

// case forms_of_values_of_templates
use ecs_core::{World, world};
struct Health(u32);
struct Poison {
    left: u32,
}
struct Frozen;
#[derive(Debug, PartialEq)]
enum Team {
    Red,
    Blue(u8),
}
struct Buffer<T>(Vec<T>);
impl<T> Buffer<T> {
    const EMPTY: Self = Self(Vec::new());
    fn of(value: T) -> Self {
        Self(vec![value])
    }
}
mod far {
    pub struct Position(pub f32);
    pub fn origin() -> Position {
        Position(0.0)
    }
}
world! {
    world W;
    component Health, Team, far::Position, Buffer<u8> as Bytes, Buffer<f32> as Samples;
    component Poison: hash_map, expires(left);
    component Frozen: empty;
    system Wear { expire: Poison }
    template Empty {}
    template Orc { Health(10), Poison { left: 2 }, Frozen, Team::Blue(3), Position: far::origin(), }
    template Troll { Team::Red, far::Position(1.0), Buffer::<u8>::of(3), Samples: Buffer::EMPTY, Health(4).doubled() }
    system Spawn { spawn: [Orc, Empty], run: |data| data.effects.spawn(Orc::default()) }
}
impl Health {
    fn doubled(self) -> Self {
        Self(self.0 * 2)
    }
}
pub fn main() {
    let mut world = World::<W>::new();
    let orc = world.spawn(Orc::default());
    let troll = world.spawn(Troll { health: Health(1), ..Default::default() });
    world.spawn(Troll::default());
    world.spawn(Empty::default());
    assert_eq!((world.get(orc), world.get(troll)), (Some(&Team::Blue(3)), Some(&Team::Red)));
    assert_eq!(world.get::<Buffer<u8>>(troll).map(|bytes| bytes.0.len()), Some(1));
    assert!(world.get::<Buffer<f32>>(troll).is_some_and(|samples| samples.0.is_empty()));
    assert_eq!(world.iter::<&Health>().map(|health| health.0).sum::<u32>(), 10 + 1 + 8);
    assert!(world.contains::<Frozen>(orc) && world.get::<far::Position>(orc).is_some_and(|at| at.0 == 0.0));
    world.tick().unwrap();
    world.tick().unwrap();
    assert!(!world.contains::<Poison>(orc));
}
