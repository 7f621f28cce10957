//! Declarations that a macro of the user's makes, and calls of `world!` where it cannot stand.

// case typo_in_an_argument
use ecs_core::world;
struct Position;
macro_rules! declare {
    ($world:ident, $component:ident) => {
        world! {
            world $world;
            component Position;
            system Draw { read: [$component], run: |_| {} }
        }
    };
}
declare!(W, Positoin); //~ ECS0011 Positoin
//~> declare!(W, Position);

// case typo_in_the_macro
use ecs_core::world;
struct Position;
macro_rules! declare {
    ($world:ident) => {
        world! {
            world $world;
            component Position;
            system Draw { read: [Positoin], run: |_| {} } //~ ECS0011 Positoin
            //~> system Draw { read: [Position], run: |_| {} }
        }
    };
}
declare!(W);

// case literal_for_a_name
use ecs_core::world;
struct Position;
macro_rules! declare {
    ($component:literal) => {
        world! {
            world W;
            component $component; //~ ECS0001 $component
        }
    };
    ($component:ident) => {
        world! {
            world W;
            component $component;
        }
    };
}
declare!("Position");
//~> declare!(Position);

// case repetition_without_a_comma
use ecs_core::world;
struct A;
struct B;
macro_rules! declare {
    ($($component:ident)*) => {
        world! {
            world W;
            component A, B;
            system Draw { read: [$($component)*], run: |_| {} }
            //~> system Draw { read: [$($component),*], run: |_| {} }
        }
    };
}
declare!(A B); //~ ECS0001 B

// case one_component_twice_by_a_repetition
use ecs_core::world;
struct A;
struct B;
macro_rules! declare {
    ($($component:ident)*) => {
        world! {
            world W;
            $(component $component;)*
        }
    };
}
declare! {
    A //~ also ECS0010 A
    A //~ ECS0010 A
    //~> B
}

// case empty_declaration
ecs_core::world! {} //~ ECS0002 ecs_core
//~> ecs_core::world! { world W; }

// case expression_position
use ecs_core::world;
fn main() {
    let w = world! { world W; }; //~ rustc W: what a macro may expand to is the compiler's
    //~> world! { world W; }
    let _ = ecs_core::World::<W>::new();
}

// case member_position, fault a world is several items, as its types have names, and each is refused by itself
struct Game;
impl Game {
    ecs_core::world! { world W; } //~ rustc ecs_core: what a macro may expand to is the compiler's
    //~>
}
ecs_core::world! { world Outside; }

// case parentheses_without_a_semicolon
ecs_core::world!( world W; ) //~ rustc (: where a macro ends is the compiler's
//~> ecs_core::world!( world W; );

// case two_worlds_of_one_name, fault no declaration sees another one, and its impls are for the first type of the name
use ecs_core::world;
struct A;
world! { world W; component A; }
world! { world W; component A; } //~ E0428 W: which names are taken is the compiler's
//~> world! { world V; component A; }

// case set_in_a_function
struct A;
fn main() {
    ecs_core::set! { set Parts; component A; } //~ E0432 Parts: what a module in a function sees is the compiler's
    //~>
}
ecs_core::set! { set Outside; component A; }

// case set_that_is_a_world
ecs_core::set! { world W; } //~ ECS0041 world
//~> ecs_core::set! { set W; }

// case world_that_is_a_set
ecs_core::world! { set W; } //~ ECS0041 set
//~> ecs_core::world! { world W; }

// case include_of_a_component
use ecs_core::world;
struct A;
world! {
    world W;
    include A; //~ rustc A: macros in scope are the compiler's
    //~> component A;
}

// case unknown_include
use ecs_core::world;
struct A;
world! {
    world W;
    include Physics; //~ rustc Physics: macros in scope are the compiler's
    //~>
    component A;
    system Draw { read: [A], each: |a| { let _ = a.a; } }
}

// case include_from_an_unknown_module
use ecs_core::world;
struct A;
world! {
    world W;
    include physics::Physics; //~ E0433 physics: modules in scope are the compiler's
    //~>
    component A;
    system Draw { read: [A], each: |a| { let _ = a.a; } }
}

// case use_of_an_unknown_include, fault the set's macro is to make the impls of the world, so each use of that is an error
use ecs_core::world;
world! {
    world W;
    include Physics; //~ rustc Physics: macros in scope are the compiler's
    //~>
}
fn main() {
    let _ = ecs_core::World::<W>::new();
}
