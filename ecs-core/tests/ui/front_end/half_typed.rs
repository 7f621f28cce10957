//! Half-typed items: one error each, after what is there. The other items stand, and nothing is said about the order of
//! a system that is incomplete.

struct Position(f32);
struct Velocity(f32);
struct Frozen;
struct Late;

ecs_core::world! {
    world W;
    component
    component Position;
    syst
    component Velocity, Frozen,
    system Move { write: [Position], each: |one| one.position.0 += 1.0 }
    system Turn { write: [Position], dependencies: }
    system Stop { write: [Position], with: [Frozen], depend }
    order
    system Last { write: [Velocity], each: |one| one.velocity.0 += 1.0 }
    stages
    component Late
    query Near { read: [Position] }
    resource
    system Done;
}

#[derive(Default)]
struct Done;

impl ecs_core::System<W> for Done {
    fn process(&self, _: &mut ecs_core::Data<'_, W, Self>) {}
}


fn main() {
    let _ = ecs_core::World::<W>::new().spawn((Velocity(1.0), Frozen));
}
