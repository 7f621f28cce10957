//! Values of settings and keys: numbers, words and calls that do not fit.

// case limit_without_a_number
use ecs_core::world;
world! {
    world W { entity_limit: dynamic } //~ ECS0001 dynamic
    //~> world W { entity_limit: dynamic(8) }
}

// case limit_with_nothing_in_parentheses
use ecs_core::world;
world! {
    world W { entity_limit: dynamic() } //~ ECS0001 )
    //~> world W { entity_limit: dynamic(8) }
}

// case limit_of_two_numbers
use ecs_core::world;
world! {
    world W { entity_limit: fixed(8, 9) } //~ ECS0001 9
    //~> world W { entity_limit: fixed(8) }
}

// case negative_limit
use ecs_core::world;
world! {
    world W { entity_limit: fixed(-8) } //~ ECS0001 -
    //~> world W { entity_limit: fixed(8) }
}

// case limit_as_a_string
use ecs_core::world;
world! {
    world W { entity_limit: fixed("8") } //~ ECS0001 "8"
    //~> world W { entity_limit: fixed(8) }
}

// case limit_as_a_float
use ecs_core::world;
world! {
    world W { entity_limit: fixed(1e3) } //~ ECS0001 1e3
    //~> world W { entity_limit: fixed(1_000) }
}

// case limit_beyond_all_numbers
use ecs_core::world;
world! {
    world W { entity_limit: fixed(99_999_999_999_999_999_999_999_999_999_999_999_999_999) } //~ rustc 99: such literals are the compiler's
    //~> world W { entity_limit: fixed(99_999) }
}

// case limit_of_another_type
use ecs_core::world;
const LIMIT: u32 = 8;
world! {
    world W { entity_limit: fixed(LIMIT) } //~ E0308 LIMIT: the types of constants are the compiler's
    //~> world W { entity_limit: fixed(LIMIT as usize) }
}

// case threshold_of_another_type
use ecs_core::world;
const PARTS: u32 = 8;
struct A;
world! {
    world W;
    component A;
    system Draw {
        write: [A],
        parallelism: split_evenly(PARTS), //~ E0308 PARTS: the types of constants are the compiler's
        //~> parallelism: split_evenly(PARTS as usize),
        each: |a| { let _ = &a.a; },
    }
}

// case limit_that_is_not_there
use ecs_core::world;
world! {
    world W { entity_limit: fixed(LIMIT) } //~ E0425 LIMIT: constants in scope are the compiler's
    //~> world W { entity_limit: fixed(8) }
}

// case infinite_limit
use ecs_core::world;
world! {
    world W { entity_limit: unlimited } //~ ECS0015 unlimited
    //~> world W { entity_limit: dynamic(8) }
}

// case scheduler_as_a_string
use ecs_core::world;
world! {
    world W { scheduler: "sequential" } //~ ECS0001 "sequential"
    //~> world W { scheduler: sequential }
}

// case boolean_setting
use ecs_core::world;
world! {
    world W { inner_parallelism: false } //~ ECS0015 false
    //~> world W { inner_parallelism: disallow }
}

// case word_of_another_setting
use ecs_core::world;
world! {
    world W { rows: after_step } //~ ECS0015 after_step
    //~> world W { rows: in_order }
}

// case boolean_of_staged_changes
use ecs_core::world;
world! {
    world W { staged_changes: true } //~ ECS0015 true
    //~> world W { staged_changes: deny }
}

// case negative_seed
use ecs_core::world;
world! {
    world W { seed: -1 } //~ ECS0001 -
    //~> world W { seed: 1 }
}

// case seed_of_more_than_64_bits
use ecs_core::world;
world! {
    world W { seed: 0x1_0000_0000_0000_0000 } //~ ECS0017 0x1_0000_0000_0000_0000
    //~> world W { seed: 0x1_0000_0000_0000 }
}

// case seed_of_another_type
use ecs_core::world;
const SEED: u32 = 8;
world! {
    world W { seed: SEED } //~ E0308 SEED: the types of constants are the compiler's
    //~> world W { seed: SEED as u64 }
}

// case seed_in_a_system
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], seed: 7, run: |_| {} } //~ ECS0005 seed
    //~> system Draw { read: [A], run: |_| {} }
}

// case key_of_a_system_in_the_world
use ecs_core::world;
world! {
    world W { parallelism: none } //~ ECS0005 parallelism
    //~> world W { inner_parallelism: disallow }
}

// case split_without_a_number
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: split_evenly, run: |_| {} } //~ ECS0001 split_evenly
    //~> system Draw { read: [A], parallelism: split_evenly(cores), run: |_| {} }
}

// case split_with_nothing_in_parentheses
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: split_evenly(), run: |_| {} } //~ ECS0001 )
    //~> system Draw { read: [A], parallelism: split_evenly(cores), run: |_| {} }
}

// case split_by_two_numbers
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: split_evenly(cores, 2), run: |_| {} } //~ ECS0001 2
    //~> system Draw { read: [A], parallelism: split_evenly(cores), run: |_| {} }
}

// case threshold_without_a_strategy
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: none_below_threshold(64), run: |_| {} } //~ ECS0001 )
    //~> system Draw { read: [A], parallelism: none_below_threshold(64, split_evenly(cores)), run: |_| {} }
}

// case number_for_a_strategy
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: 4, run: |_| {} } //~ ECS0001 4
    //~> system Draw { read: [A], parallelism: split_evenly(4), run: |_| {} }
}

// case negative_split
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: split_every(-1), run: |_| {} } //~ ECS0001 -
    //~> system Draw { read: [A], parallelism: split_every(1), run: |_| {} }
}

// case boolean_strategy
use ecs_core::world;
struct A;
world! {
    world W;
    component A;
    system Draw { read: [A], parallelism: true, run: |_| {} } //~ ECS0016 true
    //~> system Draw { read: [A], parallelism: split_evenly(cores), run: |_| {} }
}

// case storage_without_a_type
use ecs_core::world;
struct A;
world! {
    world W;
    component A: storage; //~ ECS0001 storage
    //~> component A: hash_map;
}

// case storage_of_nothing
use ecs_core::world;
struct A;
world! {
    world W;
    component A: storage(); //~ ECS0001 storage
    //~> component A: hash_map;
}

// case storage_as_a_call
use ecs_core::world;
struct A;
world! {
    world W;
    component A: hash_map(); //~ ECS0001 (
    //~> component A: hash_map;
}

// case storage_in_capitals
use ecs_core::world;
struct A;
world! {
    world W;
    component A: HashMap; //~ ECS0014 HashMap
    //~> component A: hash_map;
}

// case empty_storage_of_a_field
use ecs_core::world;
struct A(u8);
world! {
    world W;
    component A: empty; //~ ECS0079 A
    //~> component A;
}

// case resource_of_another_type
use ecs_core::world;
struct Score(u32);
world! {
    world W;
    resource Score = 5; //~ E0308 5: the types of values are the compiler's
    //~> resource Score = Score(5);
}

// case resource_without_a_default
use ecs_core::world;
struct Score(u32);
world! {
    world W;
    resource Score; //~ E0277 Score: the compiler names the type and the trait, and offers the derive
    //~> resource Score = Score(0);
}

// case state_of_another_type
use ecs_core::{Data, System, world};
struct Count(u32);
world! {
    world W;
    system Count { state: 5 } //~ E0308 5: the types of values are the compiler's
    //~> system Count { state: Count(5) }
}
impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

// case output_without_its_argument
use ecs_core::world;
world! {
    world W;
    system Count { output: Vec, run: |_| {} } //~ E0107 Vec: the arguments of types are the compiler's
    //~> system Count { output: Vec<u32>, run: |_| {} }
}

// case output_behind_an_arrow
use ecs_core::world;
world! {
    world W;
    system Count { output -> Vec<u32>, run: |_| {} } //~ ECS0001 ->
    //~> system Count { output: Vec<u32>, run: |_| {} }
}

// case value_of_a_template
use ecs_core::world;
struct Health(u32);
world! {
    world W;
    component Health;
    template Orc { Health("ten") } //~ E0308 "ten": the constructor says what it takes
    //~> template Orc { Health(10) }
}

// case misspelt_component_of_a_template
use ecs_core::world;
struct Health(u32);
world! {
    world W;
    component Health;
    template Orc { Helth(10) } //~ ECS0011 Helth
    //~> template Orc { Health(10) }
}

// case number_as_value_of_a_template
use ecs_core::world;
struct Health(u32);
world! {
    world W;
    component Health;
    template Orc { 10 } //~ ECS0001 10
    //~> template Orc { Health(10) }
}

// case another_type_behind_a_component
use ecs_core::world;
struct Health(u32);
fn ten() -> u32 {
    10
}
world! {
    world W;
    component Health;
    template Orc { Health: ten() } //~ E0308 ten: `rustc` says which type is expected
    //~> template Orc { Health(ten()) }
}

// case prefab_as_an_item
use ecs_core::world;
struct Health(u32);
world! {
    world W;
    component Health;
    prefab Orc { Health(10) } //~ ECS0004 prefab
    //~> template Orc { Health(10) }
}
