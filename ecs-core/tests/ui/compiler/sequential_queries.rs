//! A sequential system with queries whose rights are written by hand: it gets at nothing that the tables do not
//! say. And the ways to members that are not for it.

use ecs_core::access::{Queries, WritesMembers};
use ecs_core::{Data, System, World, world};

struct Place(u32);
struct Armour(u32);
struct Weight(u32);

world! {
    world Cheats;
    component Place: contiguous_buffer;
    component Armour: contiguous_buffer;
    component Weight: contiguous_buffer;
    query Targets { read: [Place, Armour], read_optional: [Weight] }
    query Others { read: [Place] }
    system Hit { sequential, read: [Place], write_optional: [Armour], queries: [Targets], despawn }
}

#[derive(Default)]
struct Hit;

impl WritesMembers<Place, Cheats> for Hit {}
impl Queries<Others, Cheats> for Hit {}

impl System<Cheats> for Hit {
    fn process(&self, data: &mut Data<'_, Cheats, Self>) {
        data.roll_pairs::<Targets>(|mut pair| {
            pair.get_member::<&mut Place>().0 += 1;
            let _ = pair.get_member::<(&Armour, &mut Armour)>();
        });
        data.roll_pairs::<Others>(|_| ());
        for armour in data.effects.members::<Targets, &Armour>() {
            assert!(armour.0 > 0);
        }
    }
}

fn main() {
    let mut world = World::<Cheats>::new();
    world.tick().unwrap();
}
