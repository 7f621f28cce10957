//! Types: generics, paths, aliases, and what only looks like a type.

// case generic_without_arguments
use ecs_core::world;
struct Buffer<T>(T);
world! {
    world W;
    component Buffer; //~ E0107 Buffer: the arguments of types are the compiler's
    //~> component Buffer<u8>;
    system Draw { read: [Buffer], run: |_| {} }
}

// case too_many_arguments
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position<u8>; //~ E0107 Position: the arguments of types are the compiler's
    //~> component Position;
    system Draw { read: [Position], run: |_| {} }
}

// case undeclared_lifetime
use ecs_core::world;
struct Name<'a>(&'a str);
world! {
    world W;
    component Name<'a>; //~ ECS0001 'a
    //~> component Name<'static>;
    system Draw { read: [Name], run: |_| {} }
}

// case undeclared_parameter
use ecs_core::world;
struct Buffer<T>(T);
world! {
    world W;
    component Buffer<T>; //~ E0425 T: types in scope are the compiler's
    //~> component Buffer<u8>;
    system Draw { read: [Buffer], run: |_| {} }
}

// case undefined_component
use ecs_core::world;
world! {
    world W;
    component Missing; //~ E0425 Missing: types in scope are the compiler's
    //~> component Present;
    system Draw { read: [Missing], run: |_| {} }
    //~> system Draw { read: [Present], run: |_| {} }
}
struct Present;

// case undefined_resource
use ecs_core::world;
world! {
    world W;
    resource Missing; //~ E0425 Missing: types in scope are the compiler's
    //~> resource Present;
}
#[derive(Default)]
struct Present;

// case undefined_system
use ecs_core::world;
world! {
    world W;
    system Missing; //~ E0425 Missing: types in scope are the compiler's
    //~> system Present { run: |_| {} }
}

// case undefined_component_everywhere
use ecs_core::world;
#[derive(Clone)]
struct A;
world! {
    world W;
    component A;
    component Missing; //~ E0425 Missing: types in scope are the compiler's
    //~> component Present;
    query Near { read: [Missing], index: by_key(Missing) }
    //~> query Near { read: [Present], index: by_key(Present) }
    bundle Both { A, Missing }
    //~> bundle Both { A, Present }
    #[allow(unused_right)]
    system Draw { read: [Missing], insert: [Missing], spawn: [(Missing,), Both], run: |_| {} }
    //~> system Draw { read: [Present], insert: [Present], spawn: [(Present,), Both], run: |_| {} }
    system Seek { read_optional: [Missing], dependencies: [Draw], queries: [Near], run: |_| {} }
    //~> system Seek { read_optional: [Present], dependencies: [Draw], queries: [Near], run: |_| {} }
}
fn main() {
    let mut world = ecs_core::World::<W>::new();
    world.spawn((A,));
    let _ = world.clone();
}
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Present;

// case undefined_path_everywhere
use ecs_core::world;
mod physics { pub struct Mass; #[derive(Default)] pub struct Clock; }
world! {
    world W;
    component physics::Weight; //~ E0425 Weight: types in scope are the compiler's
    //~> component physics::Mass;
    resource physics::Clock;
    system Draw { read: [Weight], spawn: [(Weight,)], run: |_| {} }
    //~> system Draw { read: [Mass], spawn: [(Mass,)], run: |_| {} }
}

// case trait_as_component
use ecs_core::world;
trait Weapon {}
struct Sword;
impl Weapon for Sword {}
world! {
    world W;
    component Weapon; //~ E0782 Weapon: traits in scope are the compiler's
    //~> component Sword;
}

// case trait_as_component_everywhere
use ecs_core::world;
trait Weapon {}
struct Sword;
impl Weapon for Sword {}
world! {
    world W;
    component Weapon; //~ E0782 Weapon: traits in scope are the compiler's
    //~> component Sword;
    bundle Armed { Weapon }
    //~> bundle Armed { Sword }
    system Draw { read: [Weapon], spawn: [Armed], run: |_| {} }
    //~> system Draw { read: [Sword], spawn: [Armed], run: |_| {} }
    system Duel { read_optional: [Weapon], dependencies: [Draw], run: |_| {} }
    //~> system Duel { read_optional: [Sword], dependencies: [Draw], run: |_| {} }
}

// case enum_variant_as_component
use ecs_core::world;
enum Shape { Disc, Box }
world! {
    world W;
    component Shape::Disc; //~ E0573 Shape: what is a type is the compiler's
    //~> component Shape;
}

// case constant_as_component
use ecs_core::world;
const SPEED: f32 = 1.0;
struct Speed(f32);
world! {
    world W;
    component SPEED; //~ E0573 SPEED: what is a type is the compiler's
    //~> component Speed;
    system Draw { write: [SPEED], run: |_| {} }
    //~> system Draw { write: [Speed], each: |e| e.speed.0 = SPEED }
}

// case module_as_component
use ecs_core::world;
mod physics { pub struct Velocity; }
world! {
    world W;
    component physics; //~ E0573 physics: what is a type is the compiler's
    //~> component physics::Velocity;
}

// case function_as_component
use ecs_core::world;
fn position() {}
struct Position;
world! {
    world W;
    component position; //~ E0573 position: what is a type is the compiler's
    //~> component Position;
    system Move { run: |_| position() }
}

// case unsized_component
use ecs_core::world;
struct Name(String);
world! {
    world W;
    component str; //~ ECS0001 str
    //~> component Name;
}

// case reference_as_component
use ecs_core::world;
type Name = &'static str;
world! {
    world W;
    component &'static str; //~ ECS0001 &
    //~> component Name;
}

// case array_as_component
use ecs_core::world;
type Matrix = [f32; 9];
world! {
    world W;
    component [f32; 9]; //~ ECS0001 [
    //~> component Matrix;
}

// case function_pointer_as_component
use ecs_core::world;
type Callback = fn(u8);
world! {
    world W;
    component fn(u8); //~ ECS0001 fn
    //~> component Callback;
}

// case trait_object_as_component
use ecs_core::world;
type Shared = Box<dyn Fn() + Send + Sync>;
world! {
    world W;
    component dyn Fn(); //~ ECS0001 dyn
    //~> component Shared;
}

// case qualified_path_as_component
use ecs_core::world;
trait Kind { type Part; }
struct Disc;
struct Radius;
impl Kind for Disc { type Part = Radius; }
type Part = <Disc as Kind>::Part;
world! {
    world W;
    component <Disc as Kind>::Part; //~ ECS0001 <
    //~> component Part;
}

// case shared_counter_as_component
use ecs_core::world;
use std::rc::Rc;
use std::sync::Arc;
type Shared = Rc<u8>;
type Sent = Arc<u8>;
world! {
    world W;
    component Shared; //~ ECS0068 Shared
    //~> component Sent;
    system Keep { with: [Shared], run: |_| { let _ = Rc::new(Sent::new(0)); } }
    //~> system Keep { with: [Sent], run: |_| { let _: Shared = Rc::new(0); } }
}

// case shared_counter_everywhere
use ecs_core::world;
use std::rc::Rc;
use std::sync::Arc;
#[derive(Clone)]
struct Age(u32);
#[derive(Clone)]
struct Shared(Rc<u8>);
#[derive(Clone)]
struct Sent(Arc<u8>);
world! {
    world W;
    component Age;
    component Shared; //~ ECS0068 Shared
    //~> component Sent as Shared;
    bundle Person { Age, Shared }
    system Meet {
        write: [Age], read: [Shared], insert: [Shared], spawn: [Person],
        run: |data| {
            data.own.for_entities(|e| {
                e.age.0 += u32::from(*e.shared.0);
                data.effects.insert(e.entity, e.shared.clone());
                data.effects.spawn((Age(0), e.shared.clone()));
                data.effects.spawn(Person { age: Age(0), shared: e.shared.clone() });
            });
        },
    }
}
fn main() {
    let mut world = ecs_core::World::<W>::new();
    let all = [0, 1].map(|at| (Age(at), made()));
    let made = world.spawn_batch(all).len();
    let one = world.spawn((made_one(), Age(2)));
    world.tick().expect("there is room");
    world.insert(one, made_one()).expect("it lives");
    assert_eq!(world.clone().iter::<&Age>().count(), 2 * 3 + made + 1);
}
fn made() -> Shared { Shared(Rc::new(1)) }
//~> fn made() -> Sent { let _ = Shared(Rc::new(1)).0; Sent(Arc::new(1)) }
fn made_one() -> Shared { made() }
//~> fn made_one() -> Sent { made() }

// case shared_counter_in_external_storage
use ecs_core::world;
use std::rc::Rc;
struct Shared(Rc<u8>);
struct Sent(u8);
world! {
    world W;
    component Shared: hash_map; //~ ECS0068 Shared
    //~> component Sent: hash_map;
    system Make { spawn: [(Shared,)], run: |data| data.effects.spawn((Shared(Rc::new(1)),)) }
    //~> system Make { spawn: [(Sent,)], run: |data| data.effects.spawn((Sent(*Shared(Rc::new(1)).0),)) }
}
fn main() {
    let mut world = ecs_core::World::<W>::new();
    world.tick().expect("there is room");
    assert_eq!(world.entity_count(), 1);
}

// case cell_as_resource
use ecs_core::world;
use std::cell::Cell;
#[derive(Default)]
struct Count(Cell<u32>);
#[derive(Default)]
struct Total(u32);
world! {
    world W;
    resource Count; //~ ECS0068 Count
    //~> resource Total;
}

// case cell_as_resource_of_a_clone, fault a clone of the world asks for the same again, as a resource has no strategy that could
use ecs_core::world;
use std::cell::Cell;
#[derive(Clone, Default)]
struct Count(Cell<u32>);
#[derive(Clone, Default)]
struct Total(u32);
world! {
    world W;
    resource Count; //~ ECS0068 Count
    //~> resource Total;
}
fn main() {
    let _ = ecs_core::World::<W>::new().clone();
}

// case borrowed_component
use ecs_core::world;
struct Name<'n>(&'n str);
world! {
    world W;
    component Name<'_>; //~ ECS0001 '_
    //~> component Name<'static>;
}

// case one_type_by_two_names, fault each trait with an impl for both names is an error of its own, as overlaps are found trait by trait
use ecs_core::world;
struct Position;
type Place = Position;
struct Room;
world! {
    world W;
    component Position;
    component Place; //~ E0119 Place: which types are equal is the compiler's
    //~> component Room;
    system Move { write: [Position], read: [Place], run: |_| {} }
    //~> system Move { write: [Position], read: [Room], run: |_| {} }
}

// case one_type_by_two_paths
use ecs_core::world;
mod physics { pub struct Velocity; }
mod sea { #[allow(unused)] pub use super::physics::Velocity as Speed; }
world! {
    world W;
    component physics::Velocity;
    component sea::Speed; //~ E0119 Speed: which types are equal is the compiler's
    //~>
}

// case one_name_for_two_types
use ecs_core::world;
mod land { pub struct Speed; }
mod sea { pub struct Speed; }
#[allow(unused)] use sea::Speed as Knots;
world! {
    world W;
    component land::Speed; //~ also ECS0010 Speed
    component sea::Speed; //~ ECS0010 Speed
    //~> component Knots;
}

// case one_resource_by_two_names
use ecs_core::world;
#[derive(Default)]
struct Clock(f32);
type Watch = Clock;
world! {
    world W;
    resource Clock;
    resource Watch; //~ E0119 Watch: which types are equal is the compiler's
    //~>
}

// case private_component
mod physics { pub struct Public; struct Velocity; impl Velocity { const _N: u8 = 0; } }
use ecs_core::world;
world! {
    world W;
    component physics::Velocity; //~ E0603 Velocity: what is visible is the compiler's
    //~> component physics::Public;
}

// case path_to_nowhere
mod physics { pub struct Velocity; }
use ecs_core::world;
world! {
    world W;
    component phisics::Velocity; //~ E0433 phisics: modules in scope are the compiler's
    //~> component physics::Velocity;
    system Fall { read: [Velocity], run: |_| {} }
}

// case global_path, fault the compiler words it in another way within a constant, so that two reports do not become one
use ecs_core::world;
struct Velocity;
world! {
    world W;
    component ::Velocity; //~ E0425 Velocity: crates are the compiler's
    //~> component self::Velocity;
}

// case open_path
use ecs_core::world;
mod physics { pub struct Velocity; }
world! {
    world W;
    component physics::; //~ ECS0001 physics
    //~> component physics::Velocity;
}

// case system_with_a_lifetime
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw<'a> { read: [A], run: |_| {} } //~ ECS0001 <
    //~> system Draw { read: [A], run: |_| {} }
}

// case system_of_a_path_with_code
use ecs_core::world;
mod physics {}
struct A;
world! {
    world W;
    component A;
    system physics::Draw { read: [A], run: |_| {} } //~ ECS0009 Draw
    //~> system Draw { read: [A], run: |_| {} }
}

// case single_parenthesis_as_bundle
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Make {
        spawn: [
            A, //~ also ECS0020 A
            (A), //~ ECS0020 A
            //~>
        ],
        run: |_| {},
    }
}

// case bundle_of_references
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Make { spawn: [(&A,)], run: |_| {} } //~ ECS0011 &
    //~> system Make { spawn: [(A,)], run: |_| {} }
}

// case reference_as_bundle
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Make { spawn: [&A], run: |_| {} } //~ ECS0011 &
    //~> system Make { spawn: [A], run: |_| {} }
}

// case bundle_of_bundles
use ecs_core::world;
struct A;
struct B;
struct C;
world! {
    world W;
    component A, B, C;
    system Make { spawn: [(A, (B, C))], run: |_| {} } //~ ECS0011 (
    //~> system Make { spawn: [(A, B, C)], run: |_| {} }
}

// case bundle_of_an_array
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Make { spawn: [([f32; 3], A)], run: |_| {} } //~ ECS0011 [
    //~> system Make { spawn: [(A,)], run: |_| {} }
}

// case constant_as_system
use ecs_core::world;
const SPEED: f32 = 1.0;
world! {
    world W;
    system SPEED; //~ E0573 SPEED: what is a type is the compiler's
    //~> system Speed { run: |_| { let _ = SPEED; } }
}

// case constant_as_resource
use ecs_core::world;
const SPEED: f32 = 1.0;
#[derive(Default)]
struct Speed(f32);
world! {
    world W;
    resource SPEED; //~ E0573 SPEED: what is a type is the compiler's
    //~> resource Speed;
    system Draw { write_resources: [SPEED], run: |_| {} }
    //~> system Draw { write_resources: [Speed], run: |data| { data.resources.get_mut::<Speed>().0 = SPEED } }
}

// case insert_of_a_bundle
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Grow { with: [A], insert: [(A, B)], run: |_| {} } //~ ECS0001 (
    //~> system Grow { with: [A], insert: [A, B], run: |_| {} }
}

// case accumulated_without_a_merge
use ecs_core::world;
struct Damage(u32);
//~> struct Damage(u32); impl ecs_core::Accumulate for Damage { fn accumulate(&mut self, other: Self) { self.0 += other.0; } }
world! {
    world W;
    component Damage;
    system Burn { with: [Damage], accumulate: [Damage], run: |_| {} } //~ ECS0126 Damage
}

// case by_name_without_text
use ecs_core::set;
pub struct Speed(pub f32);
set! {
    pub set Motion;
    component Speed: by_name; //~ ECS0148 Speed
    //~> component Speed;
}
