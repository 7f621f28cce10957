//! Code in the declaration: closures and functions of every form.

// case patterns
use ecs_core::{World, world};
struct A(u8);
struct B(u8);
world! {
    world W;
    component A, B;
    system First { write: [A], read: [B], each: |FirstEntry { a: A(a), b: &B(b), .. }| *a += b }
    system Second { write: [A], dependencies: [First], each: |mut e: SecondEntry<'_>| { e = e; e.a.0 += 1; } }
    system Third { write: [A], dependencies: [Second], each: |ThirdEntry { a, entity: _ }| a.0 *= 2 }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1), B(2)));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 8);
}

// case bodies
use ecs_core::{World, world};
struct A(u8);
static BY: u8 = 2;
world! {
    world W;
    component A;
    system Early { write: [A], each: |e| { if e.a.0 == 0 { return; } e.a.0 += BY; } }
    system Moved { write: [A], dependencies: [Early], each: move |e| e.a.0 += 1 }
    system Asked { write: [A], dependencies: [Moved], each: |e| {
        let checked = || -> Option<()> { e.a.0 = e.a.0.checked_add(1)?; Some(()) };
        let mut checked = checked;
        assert!(checked().is_some());
    } }
    system Typed { write: [A], dependencies: [Asked], each: |e| -> () { e.a.0 += 1 } }
    system Wrapped { write: [A], dependencies: [Typed], each: (|e| e.a.0 += 1) }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 7);
}

// case functions
use ecs_core::{Data, World, world};
use std::ops::AddAssign;
struct A(u8);
mod bodies {
    pub fn plain(e: super::FirstEntry<'_>) { e.a.0 += 1; }
    pub struct Rules;
    impl Rules { pub fn apply(data: &mut super::Data<'_, super::W, super::Third>) { data.own.for_entities(|e| e.a.0 += 4); } }
}
fn generic<T: AddAssign + From<u8>>(e: SecondEntry<'_>) where u8: AddAssign<T> { e.a.0 += T::from(2); }
trait Apply { fn apply(data: &mut Data<'_, W, Fourth>); }
impl Apply for bodies::Rules { fn apply(data: &mut Data<'_, W, Fourth>) { data.own.for_entities(|e| e.a.0 += 8); } }
const FIFTH: fn(FifthEntry<'_>) = |e| e.a.0 += 16;
world! {
    world W;
    component A;
    system First { write: [A], each: bodies::plain }
    system Second { write: [A], dependencies: [First], each: generic::<u8> }
    system Third { write: [A], dependencies: [Second], run: bodies::Rules::apply }
    system Fourth { write: [A], dependencies: [Third], run: <bodies::Rules as Apply>::apply }
    system Fifth { write: [A], dependencies: [Fourth], each: FIFTH }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(0),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 31);
}

// case macros_in_code
use ecs_core::{World, world};
struct A(u8);
macro_rules! twice { ($e:expr) => { $e * 2 }; }
macro_rules! grow { () => { |e| e.a.0 = twice!(e.a.0) }; }
world! {
    world W;
    component A;
    system First { write: [A], each: |e| e.a.0 = twice!(e.a.0) }
    system Second { write: [A], dependencies: [First], each: |e| { assert!(matches!(e.a, A(1..)), "{}", e.a.0); } }
    system Third { write: [A], dependencies: [Second], each: grow!() }
}
fn main() {
    let mut world = World::<W>::new();
    let e = world.spawn((A(1),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 4);
}

// case a_block_that_makes_a_function
use ecs_core::world;
struct A(u8);
world! {
    world W;
    component A;
    system Grow { write: [A], each: { const BY: u8 = 2; |e| e.a.0 += BY } }
}

// case items_in_code
use ecs_core::{World, world};
struct A(u8);
world! {
    world Outer;
    component A;
    system Grow { write: [A], each: |e| {
        struct B(u8);
        ecs_core::world! { world Inner; component B; system Shrink { write: [B], each: |e| e.b.0 -= 1 } }
        let mut world = World::<Inner>::new();
        let inner = world.spawn((B(e.a.0),));
        world.tick().unwrap();
        e.a.0 = world.get::<B>(inner).unwrap().0;
    } }
}
fn main() {
    let mut world = World::<Outer>::new();
    let e = world.spawn((A(5),));
    world.tick().unwrap();
    assert_eq!(world.get::<A>(e).unwrap().0, 4);
}

// case typed_parameters
use ecs_core::{Entity, World, world};
struct Place { speed: u8 }
struct Speed(u8);
#[derive(Default)]
struct Seen(Vec<Entity>);
world! {
    world W;
    component Place, Speed;
    resource Seen;
    system Grow { each: |place: &mut Place, by: Option<&Speed>| place.speed += by.map_or(1, |by| by.0) }
    system Note { dependencies: [Grow], with: [Place], each: |entity: Entity, seen: &mut Seen| seen.0.push(entity) }
}
fn main() {
    let mut world = World::<W>::new();
    let both = world.spawn((Place { speed: 1 }, Speed(2)));
    world.tick().unwrap();
    assert_eq!(world.get::<Place>(both).unwrap().speed, 3);
    assert_eq!(world.resource::<Seen>().0, [both]);
}

// case conditions
use ecs_core::{World, world};
mod modes {
    #[derive(Default)]
    pub struct Mode(pub u8);
    pub fn is<const MODE: u8>(mode: &Mode) -> bool {
        mode.0 == MODE
    }
}
#[derive(Default)]
struct Ticks(u32);
#[derive(Default)]
struct Log(String);
world! {
    world W;
    resource modes::Mode, Ticks, Log;
    system Count { run: |ticks: &mut Ticks| ticks.0 += 1 }
    system Play {
        run_if: modes::is::<1>,
        run: |log: &mut Log| log.0.push('p'),
    }
    system Sometimes {
        run_if: |modes::Mode(mode): &modes::Mode, Ticks(ticks): &Ticks| {
            let often = *mode == 2;
            often || ticks % 2 == 1
        },
        dependencies: [Play],
        before: [Count],
        run: |log: &mut Log| log.0.push('s'),
    }
}
fn main() {
    let mut world = World::<W>::new();
    for mode in [0, 0, 1, 2, 2] {
        world.resource_mut::<modes::Mode>().0 = mode;
        world.tick().unwrap();
    }
    assert_eq!(world.resource::<Log>().0, "spss");
}
