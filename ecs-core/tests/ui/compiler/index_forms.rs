//! The library's indices of components that do not fit, and systems that ask for what a query does not show them.

use ecs_core::{Data, World, world};

struct Name(String);
#[derive(Clone, Copy)]
struct Position([f32; 2]);
struct Weight(u32);

mod places {
    use super::{Name, Position, world};

    world! {
        world Places;
        component Name, Position;
        query Cells { index: by_cell(Name, 1.0) }
        query Points { index: by_cell(|at: &Position| -> [f64; 2] { at.0.map(f64::from) }, 1.0) }
    }
}

mod copies {
    use super::{Name, Position, world};

    world! {
        world Copies;
        component Name, Position;
        query Bounded {
            read: [Name],
            index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 1.0).within([0.0; 2], [9.0; 2]),
        }
    }
}

world! {
    world W;
    component Name, Position, Weight;
    query Names { read: [Name], read_optional: [Position] }
    query Bounded {
        index: by_cell(|at: &Position| -> [f32; 2] { at.0 }, 1.0).within([0.0; 2], [9.0; 2]),
        read_optional: [Weight],
    }
    system Look { read: [Position], queries: [Names(Name), Bounded], run: look }
}

fn look(data: &mut Data<'_, W, Look>) {
    let _ = data.effects.members::<Names, &Weight>();
    let _ = data.effects.members::<Names, Option<&Position>>();
    let _ = data.effects.near::<Names, &Name>();
    // The copies of a bounded grid are those of what the query reads, and of all that it reads.
    let _ = data.effects.near::<Bounded, Option<&Weight>>();
    let _ = data.effects.near::<Bounded, &Weight>();
}

fn main() {
    let _ = World::<W>::new();
}
