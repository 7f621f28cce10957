//! Names: keywords, raw identifiers, literals in their place, letters that look alike.

// case keyword_as_component
use ecs_core::world;
struct Module;
world! {
    world W;
    component mod; //~ ECS0001 mod
    //~> component Module;
}

// case keyword_of_an_edition, edition 2018
use ecs_core::world;
struct Dyn;
world! {
    world W;
    component dyn; //~ ECS0001 dyn
    //~> component Dyn;
}

// case keyword_as_system
use ecs_core::world;
world! {
    world W;
    system loop { run: |_| {} } //~ ECS0001 loop
    //~> system Loop { run: |_| {} }
}

// case keyword_as_resource
use ecs_core::world;
#[derive(Default)]
struct Crate(u32);
world! {
    world W;
    resource crate; //~ ECS0001 crate
    //~> resource Crate;
}

// case keyword_as_world
use ecs_core::world;
world! {
    world impl; //~ ECS0001 impl
    //~> world Impl;
}

// case keyword_in_a_list
use ecs_core::world;
struct Type(u8);
world! {
    world W;
    component Type;
    system Draw { read: [type], run: |_| {} } //~ ECS0001 type
    //~> system Draw { read: [Type], run: |_| {} }
}

// case super_as_system
use ecs_core::world;
world! {
    world W;
    system super { run: |_| {} } //~ ECS0001 super
    //~> system Super { run: |_| {} }
}

// case self_as_world
use ecs_core::world;
world! {
    world Self; //~ ECS0001 Self
    //~> world Selves;
}

// case self_in_dependencies
use ecs_core::world;
world! {
    world W;
    system Move { run: |_| {} }
    system Draw { dependencies: [Self], run: |_| {} } //~ ECS0001 Self
    //~> system Draw { dependencies: [Move], run: |_| {} }
}

// case underscore_as_component
use ecs_core::world;
struct Position;
world! {
    world W;
    component _; //~ ECS0001 _
    //~> component Position;
}

// case underscore_in_a_list
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Draw { read: [_], run: |_| {} } //~ ECS0001 _
    //~> system Draw { read: [Position], run: |_| {} }
}

// case string_as_component
use ecs_core::world;
struct Position;
world! {
    world W;
    component "Position"; //~ ECS0001 "Position"
    //~> component Position;
}

// case string_in_dependencies
use ecs_core::world;
world! {
    world W;
    system Move { run: |_| {} }
    system Draw { dependencies: ["Move"], run: |_| {} } //~ ECS0001 "Move"
    //~> system Draw { dependencies: [Move], run: |_| {} }
}

// case number_as_system
use ecs_core::world;
world! {
    world W;
    system 2 { run: |_| {} } //~ ECS0001 2
    //~> system Second { run: |_| {} }
}

// case lifetime_as_component
use ecs_core::world;
struct A;
world! {
    world W;
    component 'a; //~ ECS0001 '
    //~> component A;
}

// case letters_that_look_alike, alone
#![allow(confusable_idents, mixed_script_confusables)]
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Draw { read: [Роsition], run: |_| {} } //~ ECS0011 Роsition
    //~> system Draw { read: [Position], run: |_| {} }
}

// case lower_case_in_a_list
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Draw { read: [position], run: |_| {} } //~ ECS0011 position
    //~> system Draw { read: [Position], run: |_| {} }
}

// case unicode_typo
use ecs_core::world;
struct Größe(f32);
world! {
    world W;
    component Größe;
    system Wachse { write: [Grösse], each: |e| e.größe.0 += 1.0 } //~ ECS0011 Grösse
    //~> system Wachse { write: [Größe], each: |e| e.größe.0 += 1.0 }
}

// case system_named_as_the_world
use ecs_core::world;
world! {
    world Game; //~ also ECS0010 Game
    system Game { run: |_| {} } //~ ECS0010 Game
    //~> system Play { run: |_| {} }
}

// case system_named_as_a_component
use ecs_core::world;
struct Fire;
world! {
    world W;
    component Fire; //~ also ECS0010 Fire
    system Fire { run: |_| {} } //~ ECS0010 Fire
    //~> system Burn { run: |_| {} }
}

// case stage_named_as_a_system
use ecs_core::world;
world! {
    world W;
    stages Physics -> Draw; //~ also ECS0010 Draw
    system Draw { stage: Draw, run: |_| {} } //~ ECS0010 Draw
    //~> system Paint { stage: Draw, run: |_| {} }
}

// case query_named_as_a_system
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    query Enemies { read: [Position] } //~ also ECS0010 Enemies
    system Enemies { queries: [Enemies], run: |_| {} } //~ ECS0010 Enemies
    //~> system Hunt { queries: [Enemies], run: |_| {} }
}

// case entry_named_as_a_system
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Move { read: [Position], run: |_| {} } //~ also ECS0010 Move
    system MoveEntry { dependencies: [Move], run: |_| {} } //~ ECS0010 MoveEntry
    //~> system Entry { dependencies: [Move], run: |_| {} }
}

// case entry_named_as_a_component
use ecs_core::world;
struct MoveEntry(f32);
world! {
    world W;
    component MoveEntry; //~ ECS0010 MoveEntry
    system Move { write: [MoveEntry], each: |e| e.move_entry.0 += 1.0 } //~ also ECS0010 Move
    //~> system Walk { write: [MoveEntry], each: |e| e.move_entry.0 += 1.0 }
}

// case entry_named_as_the_world
use ecs_core::world;
struct Position(f32);
world! {
    world MoveEntry; //~ ECS0010 MoveEntry
    //~> world W;
    component Position;
    system Move { write: [Position], each: |e| e.position.0 += 1.0 } //~ also ECS0010 Move
}

// case resource_named_as_the_world
use ecs_core::world;
#[derive(Default)]
struct Game(u32);
world! {
    world Game; //~ ECS0010 Game
    //~> world W;
    resource Game; //~ also ECS0010 Game
}

// case resource_in_read
use ecs_core::world;
#[derive(Default)]
struct Clock(f32);
world! {
    world W;
    resource Clock;
    system Tick { read: [Clock], run: |_| {} } //~ ECS0011 Clock
    //~> system Tick { read_resources: [Clock], run: |_| {} }
}

// case component_in_write_resources
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Tick { write_resources: [Position], run: |_| {} } //~ ECS0013 Position
    //~> system Tick { write: [Position], run: |_| {} }
}

// case world_in_dependencies
use ecs_core::world;
world! {
    world Game;
    system Move { run: |_| {} }
    system Draw { dependencies: [Game], run: |_| {} } //~ ECS0012 Game
    //~> system Draw { dependencies: [Move], run: |_| {} }
}

// case entry_in_read
use ecs_core::world;
struct Position;
world! {
    world W;
    component Position;
    system Move { write: [Position], run: |_| {} }
    system Draw { read: [MoveEntry], dependencies: [Move], run: |_| {} } //~ ECS0011 MoveEntry
    //~> system Draw { read: [Position], dependencies: [Move], run: |_| {} }
}

// case field_that_expires
use ecs_core::world;
struct Poison {
    left: u32,
}
world! {
    world W;
    component Poison: expires(rest); //~ E0609 rest: `rustc` names the fields
    //~> component Poison: expires(left);
    system Wear { expire: Poison }
}

// case private_field_that_expires
use ecs_core::world;
mod magic {
    pub struct Poison {
        left: u32,
    }
}
use magic::Poison;
world! {
    world W;
    component Poison: expires(left); //~ E0616 left: `rustc` says that it is private
    //~> component Poison;
    system Wear { expire: Poison }
    //~> system Wear { with: [Poison], run: |_| {} }
}

// case brackets_around_what_expires
use ecs_core::world;
struct Poison(u32);
world! {
    world W;
    component Poison: expires(0);
    system Wear { expire: [Poison] } //~ ECS0001 [
    //~> system Wear { expire: Poison }
}

// case expires_in_place_of_expire
use ecs_core::world;
struct Poison(u32);
world! {
    world W;
    component Poison: expires(0);
    system Wear { expires: Poison } //~ ECS0005 expires
    //~> system Wear { expire: Poison }
}

// case expire_in_place_of_expires
use ecs_core::world;
struct Poison(u32);
world! {
    world W;
    component Poison: expire(0); //~ ECS0014 expire
    //~> component Poison: expires(0);
    system Wear { expire: Poison }
}

// case signed_countdown
use ecs_core::world;
struct Poison(i32);
//~> struct Poison(u32);
world! {
    world W;
    component Poison: expires(0); //~ ECS0137 0
    system Wear { expire: Poison }
}

// case variant_that_the_enum_lacks
use ecs_core::{States, world};
#[derive(Clone, Copy, Debug, PartialEq, Eq, States)]
enum Mode {
    Menu,
    Playing,
}
world! {
    world W;
    state Mode = Mode { Menu, Playin }; //~ E0599 Playin: `rustc` proposes the right name
    //~> state Mode = Mode { Menu, Playing };
}

// case state_of_an_enum_without_derive
use ecs_core::world;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
//~> #[derive(Clone, Copy, Debug, PartialEq, Eq, ecs_core::States)]
enum Mode {
    Menu,
    Playing,
}
world! {
    world W;
    state Mode = Mode { Menu, Playing }; //~ ECS0135 Mode
}

// case another_order_of_variants
use ecs_core::{States, world};
#[derive(Clone, Copy, Debug, PartialEq, Eq, States)]
enum Mode {
    Menu,
    Playing,
}
world! {
    world W;
    state Mode = Mode { Playing, Menu }; //~ ECS0139 Mode
    //~> state Mode = Mode { Menu, Playing };
}
