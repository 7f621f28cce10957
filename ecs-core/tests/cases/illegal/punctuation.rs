//! Punctuation: signs of other languages and formats, one too many, one too few.

// case equals_for_a_colon
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read = [A], run: |_| {} } //~ ECS0001 =
    //~> system Draw { read: [A], run: |_| {} }
}

// case equals_in_a_setting
use ecs_core::world;
world! {
    world W { entity_limit = fixed(8) } //~ ECS0001 =
    //~> world W { entity_limit: fixed(8) }
}

// case parentheses_for_a_list
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: (A, B), run: |_| {} } //~ ECS0001 (
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case braces_for_a_list
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: {A, B}, run: |_| {} } //~ ECS0001 {
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case list_without_brackets
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: A, B, run: |_| {} } //~ ECS0001 A
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case semicolons_between_keys
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: [A]; write: [B], run: |_| {} } //~ ECS0001 ;
    //~> system Draw { read: [A], write: [B], run: |_| {} }
}

// case semicolon_behind_code
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| e.a.0 += 1.0; } //~ ECS0001 ;
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case semicolons_in_a_list
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: [A; B], run: |_| {} } //~ ECS0001 ;
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case reference_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [&A], run: |_| {} } //~ ECS0001 &
    //~> system Draw { read: [A], run: |_| {} }
}

// case mutable_reference_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { write: [&mut A], run: |_| {} } //~ ECS0001 &
    //~> system Draw { write: [A], run: |_| {} }
}

// case mut_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { write: [mut A], run: |_| {} } //~ ECS0001 mut
    //~> system Draw { write: [A], run: |_| {} }
}

// case star_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [*], run: |_| {} } //~ ECS0001 *
    //~> system Draw { read: [A], run: |_| {} }
}

// case bar_in_a_list
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: [A | B], run: |_| {} } //~ ECS0001 |
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case two_commas
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A, B;
    system Draw { read: [A,, B], run: |_| {} } //~ ECS0001 ,
    //~> system Draw { read: [A, B], run: |_| {} }
}

// case two_commas_between_keys
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A],, run: |_| {} } //~ ECS0001 ,
    //~> system Draw { read: [A], run: |_| {} }
}

// case no_comma_between_components
use ecs_core::world;
struct A;
struct B;
world! {
    world W;
    component A B; //~ ECS0001 B
    //~> component A, B;
    system Draw { read: [A], run: |_| {} }
}

// case two_semicolons
use ecs_core::world;
struct A;
world! {
    world W;
    component A;; //~ ECS0001 ;
    //~> component A;
}

// case comma_behind_an_item
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], run: |_| {} }, //~ ECS0001 ,
    //~> system Draw { read: [A], run: |_| {} }
    system Show { read: [A], run: |_| {} }
}

// case brackets_for_a_body
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw [ read: [A], run: |_| {} ] //~ ECS0001 [
    //~> system Draw { read: [A], run: |_| {} }
}

// case arguments_of_a_system
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw(a: &A) { run: |_| {} } //~ ECS0001 (
    //~> system Draw { read: [A], run: |_| {} }
}

// case fn_behind_system
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system fn draw(a: &A) {} //~ ECS0001 fn
    //~> system Draw { read: [A], run: |_| {} }
}

// case colon_behind_a_system
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw: { read: [A], run: |_| {} } //~ ECS0001 {
    //~> system Draw { read: [A], run: |_| {} }
}

// case flag_as_a_call
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Clear { read: [A], despawn(), run: |_| {} } //~ ECS0001 (
    //~> system Clear { read: [A], despawn, run: |_| {} }
}

// case negated_flag
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Clear { read: [A], !despawn, run: |_| {} } //~ ECS0001 !
    //~> system Clear { read: [A], run: |_| {} }
}

// case value_of_a_flag
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Clear { read: [A], despawn = true, run: |_| {} } //~ ECS0001 =
    //~> system Clear { read: [A], despawn, run: |_| {} }
}

// case list_for_a_flag
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Clear { read: [A], despawn: [A], run: |_| {} } //~ ECS0001 :
    //~> system Clear { read: [A], despawn, run: |_| {} }
}

// case array_type_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [[A; 2]], run: |_| {} } //~ ECS0001 [
    //~> system Draw { read: [A], run: |_| {} }
}

// case stage_as_a_list
use ecs_core::world;
world! {
    world W;
    stages First -> Second;
    system A { stage: [First], run: |_| {} } //~ ECS0001 [
    //~> system A { stage: First, run: |_| {} }
}

// case key_without_a_value
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read, run: |_| {} } //~ ECS0001 ,
    //~> system Draw { read: [A], run: |_| {} }
}

// case colon_without_a_value
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: , run: |_| {} } //~ ECS0001 ,
    //~> system Draw { read: [A], run: |_| {} }
}

// case bundle_without_parentheses
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Make { spawn: A, run: |_| {} } //~ ECS0001 A
    //~> system Make { spawn: [A], run: |_| {} }
}
