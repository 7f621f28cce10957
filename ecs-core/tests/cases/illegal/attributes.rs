//! Attributes and doc comments where they mean nothing, or something else.

// case derive_on_a_component
use ecs_core::world;
struct A;
world! {
    world W;
    #[derive(Clone)] component A; //~ E0774 #: what attributes stand on is the compiler's
    //~> component A;
}

// case repr_on_a_component
use ecs_core::world;
struct A;
world! {
    world W;
    #[repr(C)] component A; //~ E0517 C: what attributes stand on is the compiler's
    //~> component A;
}

// case unknown_attribute
use ecs_core::world;
struct A;
world! {
    world W;
    #[component] component A; //~ rustc component: attributes in scope are the compiler's
    //~> component A;
}

// case attribute_on_a_key
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { #[allow(unused)] read: [A], run: |_| {} } //~ ECS0001 #
    //~> system Draw { read: [A], run: |_| {} }
}

// case inner_attribute
use ecs_core::world;
world! {
    #![allow(unused)] //~ ECS0001 !
    //~>
    world W;
}

// case inner_doc_comment
use ecs_core::world;
world! {
    //! The world of the game. //~ ECS0001 //!
    //~> /// The world of the game.
    world W;
}

// case cfg_on_an_item
use ecs_core::world;
struct A;
world! {
    world W;
    #[cfg(debug_assertions)] component A; //~ ECS0007 cfg
    //~> component A;
}

// case cfg_attr_on_an_item
use ecs_core::world;
struct A;
world! {
    world W;
    #[cfg_attr(debug_assertions, allow(unused))] component A; //~ ECS0007 cfg_attr
    //~> #[allow(unused)] component A;
}

// case cfg_on_a_key
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], #[cfg(debug_assertions)] despawn, run: |_| {} } //~ ECS0007 cfg
    //~> system Draw { read: [A], despawn, run: |_| {} }
}

// case doc_comment_behind_the_last_item
use ecs_core::world;
world! {
    world W;
    /// Nothing follows. //~ ECS0001 ///
    //~>
}

// case attribute_in_a_list
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [#[allow(unused)] A], run: |_| {} } //~ ECS0001 #
    //~> system Draw { read: [A], run: |_| {} }
}

// case argument_of_an_attribute
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    #[non_exhaustive(all)] system Draw { read: [A], run: |_| {} } //~ E0565 #: what attributes take is the compiler's
    //~> #[non_exhaustive] system Draw { read: [A], run: |_| {} }
}
