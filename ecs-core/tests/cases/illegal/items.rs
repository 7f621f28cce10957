//! Items: Rust's own in their place, other libraries' forms, plurals, headers in the wrong place.

// case struct_in_the_declaration
use ecs_core::world;
struct Position { x: f32 }
world! {
    world W;
    struct Position { x: f32 } //~ ECS0004 struct
    //~> component Position;
}

// case function_in_the_declaration
use ecs_core::world;
fn help() {}
world! {
    world W;
    fn help() {} //~ ECS0004 fn
    //~>
    system Draw { run: |_| help() }
}

// case import_in_the_declaration
mod physics { pub struct Velocity; }
use ecs_core::world;
world! {
    world W;
    use physics::Velocity; //~ ECS0004 use
    //~>
    component physics::Velocity;
}

// case constant_in_the_declaration
use ecs_core::world;
const LIMIT: usize = 8;
world! {
    world W { entity_limit: fixed(LIMIT) }
    const LIMIT: usize = 8; //~ ECS0004 const
    //~>
}

// case impl_in_the_declaration
use ecs_core::{Data, System, world};
#[derive(Default)]
struct Move;
world! {
    world W;
    system Move;
    impl System<W> for Move { fn process(&self, _: &mut Data<'_, W, Self>) {} } //~ ECS0004 impl
    //~>
}
impl System<W> for Move {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

// case module_in_the_declaration
use ecs_core::world;
struct Position;
world! {
    world W;
    mod physics { component Position; } //~ ECS0004 mod
    //~> component Position;
}

// case let_in_the_declaration
use ecs_core::world;
#[derive(Default)]
struct Score(u32);
world! {
    world W;
    let score = Score(1); //~ ECS0004 let
    //~> resource Score = Score(1);
}

// case macro_in_the_declaration
use ecs_core::world;
struct Position;
#[allow(unused_macros)]
macro_rules! parts { () => { component Position; } }
world! {
    world W;
    parts!(); //~ ECS0004 parts
    //~> component Position;
}

// case plural
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    components A, B; //~ ECS0004 components
    //~> component A, B;
}

// case capital_word
use ecs_core::world;
struct A;
world! {
    world W;
    Component A; //~ ECS0004 Component
    //~> component A;
}

// case entity_as_item
use ecs_core::world;
struct A;
world! {
    world W;
    entity A; //~ ECS0004 entity
    //~> component A;
}

// case message_as_item
use ecs_core::world;
world! {
    world W;
    message Collision; //~ ECS0004 message
    //~> event Collision;
    system Hear { on: [Collision], run: |_| {} }
}
struct Collision;

// case event_with_fields
use ecs_core::{Entity, world};
world! {
    world W;
    event Collision { with: Entity } //~ ECS0001 {
    //~> event Collision;
    system Hear { on: [Collision], run: |_| {} }
}
struct Collision { with: Entity }

// case event_that_borrows
use ecs_core::world;
struct Named<'a>(&'a str);
world! {
    world W;
    event Named<'a>; //~ ECS0001 'a
    //~> event Named<'static>;
    system Hear { on: [Named], run: |_| {} }
}

// case struct_behind_component
use ecs_core::world;
struct Position { x: f32 }
world! {
    world W;
    component struct Position; //~ ECS0001 struct
    //~> component Position;
}

// case fields_of_a_component
use ecs_core::world;
struct Position { x: f32 }
world! {
    world W;
    component Position { x: f32 } //~ ECS0001 {
    //~> component Position;
    system Draw { read: [Position], each: |e| { let _ = e.position.x; } }
}

// case tuple_component
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position(f32); //~ ECS0001 (
    //~> component Position;
}

// case type_of_a_component
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position: f32; //~ ECS0014 f32
    //~> component Position;
}

// case generic_type_of_a_component
use ecs_core::world;
struct Path(Vec<f32>);
world! {
    world W;
    component Path: Vec<f32>; //~ ECS0014 Vec
    //~> component Path;
}

// case value_of_a_component
use ecs_core::world;
struct Health(u8);
world! {
    world W;
    component Health = Health(3); //~ ECS0001 =
    //~> component Health;
}

// case type_of_a_resource
use ecs_core::world;
#[derive(Default)]
struct Score(u32);
world! {
    world W;
    resource Score: u32 = 5; //~ ECS0001 u32
    //~> resource Score = Score(5);
}

// case call_as_resource
use ecs_core::world;
struct Score(u32);
world! {
    world W;
    resource Score(5); //~ ECS0001 (
    //~> resource Score = Score(5);
}

// case literal_as_resource
use ecs_core::world;
struct Score { now: u32 }
world! {
    world W;
    resource Score { now: 5 } //~ ECS0001 {
    //~> resource Score = Score { now: 5 };
}

// case mut_resource
use ecs_core::world;
#[derive(Default)]
struct Score(u32);
world! {
    world W;
    resource mut Score; //~ ECS0001 mut
    //~> resource Score;
}

// case public_component
use ecs_core::world;
pub struct Position;
world! {
    world W;
    pub component Position; //~ ECS0008 pub
    //~> component Position;
}

// case public_in_crate_system
use ecs_core::world;
world! {
    world W;
    pub(crate) system Draw { run: |_| {} } //~ ECS0008 pub
    //~> system Draw { run: |_| {} }
}

// case colon_behind_the_world
use ecs_core::world;
world! {
    world W: { entity_limit: fixed(8) } //~ ECS0001 :
    //~> world W { entity_limit: fixed(8) }
}

// case generic_world
use ecs_core::world;
world! {
    world W<T>; //~ ECS0001 <
    //~> world W;
}

// case world_twice
use ecs_core::world;
struct A;
world! {
    world First; //~ also ECS0003 First
    component A;
    world Second { entity_limit: fixed(1) } //~ ECS0003 world
    //~>
}

// case world_behind_the_items
use ecs_core::world;
struct A;
world! {
    component A; //~ ECS0002 component
    //~> world W; component A;
}

// case set_in_a_world
use ecs_core::world;
struct A;
world! {
    world W;
    set Physics; //~ ECS0041 set
    //~>
    component A;
}

// case world_in_a_set
struct A;
ecs_core::set! {
    set Physics;
    world W; //~ ECS0041 world
    //~>
    component A;
}

// case query_without_a_body
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    query Still; //~ ECS0001 ;
    //~> query Still { read: [A] }
}

// case query_of_a_type
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    query Still: Index { read: [A] } //~ ECS0001 :
    //~> query Still { read: [A] }
}

// case query_that_writes
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    query Still { write: [A] } //~ ECS0005 write
    //~> query Still { read: [A] }
}

// case stages_with_commas
use ecs_core::world;
world! {
    world W;
    stages First, Second; //~ ECS0001 ,
    //~> stages First -> Second;
    system A { stage: First, run: |_| {} }
}

// case order_with_commas
use ecs_core::world;
world! {
    world W;
    system A { run: |_| {} }
    system B { run: |_| {} }
    order A, B; //~ ECS0001 ,
    //~> order A -> B;
}

// case order_with_a_fat_arrow
use ecs_core::world;
world! {
    world W;
    system A { run: |_| {} }
    system B { run: |_| {} }
    order A => B; //~ ECS0001 =>
    //~> order A -> B;
}

// case order_of_one
use ecs_core::world;
world! {
    world W;
    system A { run: |_| {} }
    system B { run: |_| {} }
    order A; //~ ECS0001 ;
    //~> order A -> B;
}
