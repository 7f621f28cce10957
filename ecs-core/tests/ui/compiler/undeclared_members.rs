//! A sequential system reaches more of members than its query shows, names a type that is no component, and rolls over
//! a query that it does not declare.

use ecs_core::{Data, System, world};

struct Place(u32);
struct Armour(u32);
struct Weight(u32);

world! {
    world Field;
    component Place: contiguous_buffer;
    component Armour: contiguous_buffer;
    component Weight: contiguous_buffer;
    query Targets { read: [Place, Armour] }
    query Others { read: [Place] }
    system Hit { sequential, read: [Place], write: [Weight], queries: [Targets] }
}

#[derive(Default)]
struct Hit;

impl System<Field> for Hit {
    fn process(&self, data: &mut Data<'_, Field, Self>) {
        data.roll_pairs::<Targets>(|mut pair| {
            pair.get_member::<&mut Armour>().0 -= 1;
            pair.get_member::<&Weight>();
            pair.get_member::<u32>();
        });
        data.roll_pairs::<Others>(|_| ());
    }
}

fn main() {}
