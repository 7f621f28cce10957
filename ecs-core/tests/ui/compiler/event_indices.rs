//! Types that the index of an event cannot be made from, and questions that an index does not answer.

use ecs_core::joins::Numbered;
use ecs_core::world;

struct At([f32; 2]);
struct Shout([f32; 2]);
struct Cry([f32; 2]);
struct Paid(f32);
struct Sign(u8);
struct Call([f64; 2]);
struct Rank(u8);
struct Died;
struct Hit;

mod types {
    use super::{Call, Cry, Numbered, Paid, Rank, Shout, Sign, world};

    world! {
        world Types;
        event Shout: by_cell(Shout, 1.0);
        event Cry: by_cell(|cry: &Cry| -> [f32; 2] { cry.0 }, 1.0).within([0.0; 2], [9.0; 2]);
        event Paid: by_key(|paid: &Paid| -> f32 { paid.0 });
        event Sign: by_key(Sign);
        event Call: by_cell(|call: &Call| -> [f64; 2] { call.0 }, 1.0);
        event Rank: by_key(|rank: &Rank| -> Numbered<(), 4> { Numbered::new(rank.0.into(), ()) });
        system Read { on: [Shout, Cry, Paid, Sign, Call, Rank], run: |_| {} }
    }
}

world! {
    world W;
    component At;
    event Shout, Died;
    event Cry: by_cell(|cry: &Cry| -> [f32; 2] { cry.0 }, 1.0);
    event Sign: by_key(|sign: &Sign| -> u8 { sign.0 });
    event Hit: addressed;
    system Hear {
        on: [Shout, Cry, Hit],
        read: [At],
        run: |data| {
            // No index.
            data.for_events_by::<Shout>(|one| one.at.0, |_, _, _| ());
            // Not in `on`.
            let _ = data.effects.events_by::<Sign>();
            // To one entity.
            let _ = data.effects.events_by::<Hit>();
            // No point.
            let _ = data.effects.events_by::<Cry>().at(7);
        },
    }
    system Count { on: [Died, Sign], run: |_| {} }
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
