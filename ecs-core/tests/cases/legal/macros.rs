//! Declarations that a macro of the user's makes, with fragments of every kind.

// case fragments
use ecs_core::{World, world};
struct A(u8);
#[derive(Default)]
struct R(u8);
macro_rules! declare {
    (
        $(#[$attribute:meta])* $visibility:vis $name:ident, $limit:literal, $component:ty, $resource:path = $value:expr,
        $body:expr, $list:tt, $strategy:tt
    ) => {
        world! {
            $(#[$attribute])*
            $visibility world $name { entity_limit: fixed($limit) }
            component $component;
            resource $resource = $value;
            system Grow { write: $list, parallelism: $strategy, each: $body }
        }
    };
}
declare!(#[must_use] pub(self) W, 8, A, R = R(1), |e| e.a.0 += 1, [A], none);
fn main() {
    let mut world = World::<W>::new();
    let e = world.step(|step| step.spawn((A(1),))).unwrap();
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 2);
}

// case list_as_an_expression
use ecs_core::world;
struct A;
macro_rules! declare {
    ($list:expr) => { world! { world W; component A; system Draw { read: $list, run: |_| {} } } };
}
declare!([A]);

// case repetitions
use ecs_core::{World, world};
macro_rules! declare {
    ($world:ident: $($component:ident($type:ty) by $system:ident { $($key:tt)* })*) => {
        $(struct $component($type);)*
        world! {
            world $world;
            $(component $component;)*
            $(system $system { write: [$component], $($key)* })*
        }
    };
}
declare! {
    W:
    A(u8) by GrowA { each: |e| e.a.0 += 1 }
    B(u16) by GrowB { each: |e| e.b.0 += 2, dependencies: [GrowA] }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1), B(1)));
    world.tick().unwrap();
    assert_eq!((world.get::<A>(e).unwrap().0, world.get::<B>(e).unwrap().0), (2, 3));
}

// case separators_of_a_repetition
use ecs_core::world;
struct A;
struct B;
macro_rules! both { () => { declare_pair! { A, B } }; }
macro_rules! declare_pair { ($a:ident, $b:ident) => { declare! { $a, $b; First -> Second -> Third } }; }
macro_rules! declare {
    ($($component:ident),*; $first:ident $(-> $system:ident)*) => {
        world! {
            world W;
            component $($component),*;
            system $first { read: [$($component),*], run: |_| {} }
            $(system $system { write_optional: [], run: |_| {} })*
            order $first $(-> $system)*;
        }
    };
}
both!();

// case one_macro_two_worlds
macro_rules! declare {
    ($module:ident, $by:expr) => {
        mod $module {
            pub struct A(pub u8);
            ecs_core::world! {
                pub world World;
                component A;
                system Grow { write: [A], each: |e| e.a.0 += $by }
            }
        }
    };
}
declare!(slow, 1);
declare!(fast, 10);
fn main() {
    let mut world = ecs_core::World::<fast::World>::new();
    let e = world.spawn((fast::A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<fast::A>(e).unwrap().0, 11);
    let _ = ecs_core::World::<slow::World>::new();
    let _ = slow::A(0);
}

// case paths_of_the_macros_crate, alone
pub mod parts { pub struct Position(pub u8); #[derive(Default)] pub struct Clock(pub u8); }
#[macro_export]
macro_rules! declare {
    ($world:ident) => {
        $crate::ecs::world! {
            pub world $world;
            component $crate::parts::Position;
            resource $crate::parts::Clock;
            system Move {
                write: [$crate::parts::Position],
                read_resources: [$crate::parts::Clock],
                spawn: [($crate::parts::Position,)],
                each: |e, _| e.position.0 += 1,
            }
        }
    };
}
pub use ecs_core as ecs;
mod game { declare!(Game); }
fn main() {
    let mut world = ecs::World::<game::Game>::new();
    let e = world.spawn((parts::Position(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<parts::Position>(e).unwrap().0, 2);
}

// case names_of_a_macro_are_its_own
use ecs_core::{World, world};
struct A(u8);
macro_rules! declare {
    ($by:expr) => {
        world! {
            world W;
            component A;
            system Grow { write: [A], each: |e| { let one = 1; let by = $by; e.a.0 += one + by; } }
        }
    };
}
const BY: u8 = 10;
declare!(BY);
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(0),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 11);
}

// case a_block_as_a_fragment
use ecs_core::{World, world};
struct A(u8);
macro_rules! declare {
    ($name:ident |$e:ident| $body:block) => {
        world! { world W; component A; system $name { write: [A], each: |$e| $body } }
    };
}
declare!(Grow |entry| { entry.a.0 += 3; });
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(0),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 3);
}

// case a_set_by_a_macro
macro_rules! parts {
    ($set:ident, $component:ident, $system:ident) => {
        pub struct $component(pub u8);
        ecs_core::set! {
            pub set $set;
            component $component;
            system $system { write: [$component], run: |_| {} }
        }
    };
}
parts!(Physics, Velocity, Fall);
ecs_core::world! { world W; include Physics; }
fn main() {
    let mut world = ecs_core::World::<W>::new();
    world.spawn((Velocity(1),));
    world.tick().unwrap();
}
