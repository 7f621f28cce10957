//! Code in the declaration: what is no function, what it cannot see, and patterns that do not fit.

// case block_as_code
use ecs_core::world;
world! {
    world W;
    system Greet { run: { println!("hello"); } } //~ E0277 {: what can be called is the compiler's
    //~> system Greet { run: |_| println!("hello") }
}

// case call_as_code
use ecs_core::world;
fn greet() {}
world! {
    world W;
    system Greet { run: greet() } //~ E0277 greet: what can be called is the compiler's
    //~> system Greet { run: |_| greet() }
}

// case function_without_a_parameter
use ecs_core::world;
fn greet() {}
world! {
    world W;
    system Greet { run: greet } //~ E0061 greet: the parameters of functions are the compiler's
    //~> system Greet { run: |_| greet() }
}

// case closure_without_a_parameter
use ecs_core::world;
world! {
    world W;
    system Greet { run: || println!("hello") } //~ ECS0009 run
    //~> system Greet { run: |_| println!("hello") }
}

// case function_that_is_not_there
use ecs_core::world;
world! {
    world W;
    system Greet { run: greet } //~ E0425 greet: functions in scope are the compiler's
    //~> system Greet { run: |_| {} }
}

// case arrow_of_another_language
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: e => e.a.0 += 1.0 } //~ ECS0001 =>
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case thin_arrow
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: e -> e.a.0 += 1.0 } //~ ECS0001 ->
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case function_item_as_code
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: fn(e) { e.a.0 += 1.0 } } //~ ECS0001 fn
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case open_closure
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e } //~ ECS0001 }
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case code_without_a_value
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: } //~ ECS0001 each
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case entities_of_nothing
use ecs_core::world;
world! {
    world W;
    system Grow { each: |_| {} } //~ ECS0009 each
    //~> system Grow { run: |_| {} }
}

// case four_parameters
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e, effects, resources, world| e.a.0 += 1.0 } //~ ECS0009 each
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case self_in_code
use ecs_core::world;
struct A(f32);
struct Speed(f32);
world! {
    world W;
    component A;
    resource Speed = Speed(1.0);
    system Grow { write: [A], read_resources: [Speed], each: |e, _| e.a.0 += self.0 } //~ E0424 self: what `self` is is the compiler's
    //~> system Grow { write: [A], read_resources: [Speed], each: |e, _, resources| e.a.0 += resources.get::<Speed>().0 }
}

// case local_of_the_function
use ecs_core::world;
struct A(f32);
fn main() {
    const SPEED: f32 = 1.0;
    let speed = 1.0_f32;
    world! {
        world W;
        component A;
        system Grow { write: [A], each: |e| e.a.0 += speed } //~ E0434 speed: what items can capture is the compiler's
        //~> system Grow { write: [A], each: |e| e.a.0 += SPEED }
    }
    let _ = (speed, SPEED);
}

// case parameter_of_the_generated_function
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| { let _ = __data; e.a.0 += 1.0; } } //~ E0425 __data: names in scope are the compiler's
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case pattern_of_another_struct
use ecs_core::world;
struct A(f32);
struct Other { a: f32 }
world! {
    world W;
    component A;
    system Grow { write: [A], each: |Other { a }| assert!(a > 0.0) } //~ E0308 Other: the types of parameters are the compiler's
    //~> system Grow { write: [A], each: |GrowEntry { a, .. }| a.0 += Other { a: 1.0 }.a }
}

// case closure_that_counts
use ecs_core::world;
struct A;
#[derive(Default)]
struct Count(u32);
world! {
    world W;
    component A;
    resource Count;
    system Tally { with: [A], each: |_| count += 1 } //~ E0425 count: names in scope are the compiler's
    //~> system Tally { with: [A], write_resources: [Count], run: |data| data.resources.get_mut::<Count>().0 += 1 }
}

// case code_and_a_type
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow: Growth { write: [A], each: |e| e.a.0 += 1.0 } //~ ECS0009 Growth
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case two_codes
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Grow { write: [A], each: |e| e.a.0 += 1.0, run: |_| {} } //~ ECS0009 run
    //~> system Grow { write: [A], each: |e| e.a.0 += 1.0 }
}

// case misspelt_field
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position;
    system Grow { write: [Position], each: |e| e.positon.0 += 1.0 } //~ E0609 positon: fields are the compiler's, which proposes the right one
    //~> system Grow { write: [Position], each: |e| e.position.0 += 1.0 }
}

// case capital_field
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position;
    system Grow { write: [Position], each: |e| e.Position.0 += 1.0 } //~ E0609 Position: fields are the compiler's, which proposes the right one
    //~> system Grow { write: [Position], each: |e| e.position.0 += 1.0 }
}

// case misspelt_type_of_a_parameter
use ecs_core::world;
struct Position(f32);
struct Speed(f32);
world! {
    world W;
    component Position, Speed;
    system Grow { each: |at: &mut Positon, by: &Speed| at.0 += by.0 } //~ ECS0011 Positon
    //~> system Grow { each: |at: &mut Position, by: &Speed| at.0 += by.0 }
}

// case component_twice_in_a_query
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position;
    system Push { write: [Position], run: |data| {
        for (at, also) in data.own.query::<(&mut Position, &mut Position)>() { //~ ECS0072 (
            //~> for at in data.own.query::<&mut Position>() {
            at.0 += also.0;
            //~> at.0 += at.0;
        }
    } }
}

// case written_and_read_in_a_nested_query
use ecs_core::{Data, Entity, System, world};
#[derive(Clone, Copy)]
struct A(f32);
struct B(f32);
world! {
    world W;
    component A, B;
    system Push { write: [B], write_optional: [A] }
}
#[derive(Default)]
struct Push;
impl System<W> for Push {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<(Entity, (Option<&mut A>, &B), Option<&A>)>().for_each(|(_, (a, b), _)| { //~ ECS0072 (
            //~> data.own.query::<(Entity, (Option<&mut A>, &B), Entity)>().for_each(|(_, (a, b), _)| {
            if let Some(a) = a {
                a.0 += b.0;
            }
        });
    }
}

// case component_twice_in_a_set
use ecs_core::world;
struct A(f32);
struct B(f32);
struct C(f32);
ecs_core::set! {
    set Parts;
    component A, B;
    system Push { write: [A], read: [B], run: |data| {
        data.own.query::<(&mut A, &B)>().for_each(|(a, b)| a.0 += b.0);
        data.own.query::<(&A, &mut A)>().for_each(|(_, a)| a.0 += 1.0); //~ ECS0072 (
        //~> data.own.query::<&mut A>().for_each(|a| a.0 += 1.0);
    } }
}
world! {
    world W;
    include Parts;
    component C;
    system Pull { dependencies: [Push], write: [A], read: [B, C], run: |data| {
        data.own.query::<(&mut A, &C, &B)>().for_each(|(a, c, b)| a.0 += c.0 + b.0);
    } }
}
fn main() {
    let mut world = ecs_core::World::<W>::new();
    world.iter_mut::<(&mut A, &mut B, &C)>().for_each(|_| {});
}

// case component_twice_in_all_entities
use ecs_core::{World, world};
struct A(f32);
world! {
    world W;
    component A;
}
fn main() {
    let mut world = World::<W>::new();
    for (a, b) in world.iter_mut::<(&mut A, &A)>() { //~ ECS0072 (
        //~> for (a, b) in world.iter_mut::<(&mut A, ecs_core::Entity)>() {
        let _ = (a, b);
    }
}

// case component_twice_in_members
use ecs_core::world;
struct A(f32);
struct B(f32);
world! {
    world W;
    component A, B;
    query Flock { read: [A] }
    system Push { sequential, queries: [Flock], write: [A, B], run: |data| {
        data.now().roll_pairs::<Flock>(|mut pair| {
            let (a, _) = pair.get_member::<(&mut A, &A)>(); //~ ECS0072 (
            //~> let a = pair.get_member::<&mut A>();
            a.0 += 1.0;
        });
    } }
}

// case no_term_in_a_tuple
use ecs_core::world;
struct A(f32);
struct B(f32);
world! {
    world W;
    component A, B;
    system Push { write: [A], read: [B], run: |data| {
        let _ = data.own.query::<(B, &mut A)>(); //~ ECS0069 (
        //~> let _ = data.own.query::<(&B, &mut A)>();
    } }
}

// case undeclared_in_a_tuple
use ecs_core::world;
struct A(f32);
struct B(f32);
world! {
    world W;
    component A, B;
    system Push {
        write: [A],
        //~> write: [A], read: [B],
        run: |data| data.own.query::<(&B, &mut A)>().for_each(|(b, a)| a.0 += b.0), //~ ECS0050 (
    }
}

// case parameter_twice
use ecs_core::world;
struct A(f32);
world! {
    world W;
    component A;
    system Push {
        each: |
            a: &mut A, //~ also ECS0020 A
            b: &mut A, //~ ECS0020 A
            //~>
        | a.0 += b.0,
        //~> | a.0 += a.0,
    }
}

// case written_in_a_loop_and_read_by_declaration
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position;
    system Push {
        read: [Position],
        //~> write: [Position],
        run: |data| data.own.for_entities(|e| {
            e.position.0 = 1.0; //~ ECS0113 position
        }),
    }
}

// case borrowed_in_a_loop_and_read_by_declaration
use ecs_core::world;
struct Names(Vec<u8>);
world! {
    world W;
    component Names;
    system Push {
        read: [Names],
        //~> write: [Names],
        run: |data| data.own.for_entities(|e| {
            e.names.0.push(1); //~ E0596 e: what a reference allows is the compiler's
        }),
    }
}

// case written_by_a_function_and_read_by_declaration
use ecs_core::{Data, world};
struct Position(f32);
world! {
    world W;
    component Position;
    system Push { read: [Position], run: push }
    //~> system Push { write: [Position], run: push }
}
fn push(data: &mut Data<'_, W, Push>) {
    data.own.for_entities(|e| {
        e.position.0 = 1.0; //~ E0594 e: what a reference allows is the compiler's
    });
}

// case loop_in_a_loop
use ecs_core::world;
struct Position(f32);
world! {
    world W;
    component Position;
    query Others { read: [Position] }
    system Push {
        read: [Position],
        queries: [Others],
        run: |data| {
            for one in data.own.iter() {
                for other in data.own.iter() { //~ E0499 data: borrows are the compiler's
                    //~> for other in data.effects.members::<Others, &Position>().entities() {
                    let _ = (one.position.0, other.entity);
                    //~> let _ = (one.position.0, other);
                }
            }
        },
    }
}

// case condition_as_a_value
use ecs_core::world;
#[derive(Default)]
struct Mode(u8);
world! {
    world W;
    resource Mode;
    system Play { run_if: Mode == 1, run: |_| {} } //~ ECS0001 Mode == 1
    //~> system Play { run_if: |mode: &Mode| mode.0 == 1, run: |_| {} }
}

// case condition_with_two_functions
use ecs_core::world;
#[derive(Default)]
struct Mode(u8);
fn is_on(mode: &Mode) -> bool {
    mode.0 > 0
}
fn is_paused(mode: &Mode) -> bool {
    mode.0 == 2
}
world! {
    world W;
    resource Mode;
    system Play { run_if: is_on && !is_paused, run: |_| {} } //~ ECS0001 is_on && !is_paused
    //~> system Play { run_if: |mode: &Mode| is_on(mode) && !is_paused(mode), run: |_| {} }
}

// case condition_as_a_list
use ecs_core::world;
#[derive(Default)]
struct Mode(u8);
world! {
    world W;
    resource Mode;
    system Play { run_if: [Mode], run: |_| {} } //~ ECS0001 [Mode]
    //~> system Play { run_if: |mode: &Mode| mode.0 == 1, run: |_| {} }
}

// case condition_that_writes
use ecs_core::world;
#[derive(Default)]
struct Left(u8);
world! {
    world W;
    resource Left;
    system Play { run_if: |left: &mut Left| left.0 > 0, run: |_| {} } //~ ECS0130 &mut Left
    //~> system Play { run_if: |left: &Left| left.0 > 0, run: |_| {} }
}

// case condition_on_a_component
use ecs_core::world;
struct Alive;
#[derive(Default)]
struct Mode(u8);
world! {
    world W;
    component Alive: empty;
    resource Mode;
    system Play { run_if: |_: &Alive| true, run: |_| {} } //~ ECS0013 Alive
    //~> system Play { run_if: |_: &Mode| true, run: |_| {} }
}

// case condition_of_another_library
use ecs_core::world;
#[derive(Default)]
struct Mode(u8);
world! {
    world W;
    resource Mode;
    system Play { runs_if: |mode: &Mode| mode.0 > 0, run: |_| {} } //~ ECS0005 runs_if
    //~> system Play { run_if: |mode: &Mode| mode.0 > 0, run: |_| {} }
}
