//! Indices that events cannot have. Nothing follows from what is reported.

use ecs_core::world;

struct At([f32; 2]);
struct Shout([f32; 2]);
struct Hit(u8);
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sign(u8);
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mark(u8);
struct Late(u8);

world! {
    world W;
    component At;
    event Shout: by_cell(|at: &At| -> [f32; 2] { at.0 }, 4.0);
    event Hit: by_key(|hit: &Hit| -> u8 { hit.0 }), addressed;
    event Sign, Mark: by_key(Sign);
    event Late: by_key(|late| late.0);
    system Read {
        on: [Shout, Hit, Sign, Mark, Late],
        read: [At],
        run: |data| data.for_events_by::<Shout>(|one| one.at.0, |_, _, _| ()),
    }
}

fn main() {}
