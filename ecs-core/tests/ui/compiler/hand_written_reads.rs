//! Rights to read that the tables don't give, indices outside of the tables, and a query that takes for
//! granted what the table calls optional.

use ecs_core::access::{Inputs, Reads, ReadsResource, Writes};
use ecs_core::{HasComponent, HasResource, SystemName};
use ecs_core::{Data, System, World, world};

struct Position(f32);
struct Velocity(f32);
struct Outside(f32);
#[derive(Default)]
struct Score(u32);
#[derive(Default)]
struct Far(u32);

world! {
    world W;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    resource Score;
    system Other { read: [Position], output: Vec<u32> }
    system Cheat { read: [Position], read_optional: [Velocity], parallelism: split_evenly(cores) }
}

#[derive(Default)]
struct Other;
#[derive(Default)]
struct Cheat;
#[derive(Default)]
struct Nowhere;

impl Reads<Velocity, W> for Cheat {}
impl Reads<Outside, W> for Cheat {}
impl Writes<Position, W> for Cheat {}
impl Inputs<Other, W> for Cheat {}
impl Inputs<Nowhere, W> for Cheat {}
impl ReadsResource<Score, W> for Cheat {}
impl ReadsResource<Far, W> for Cheat {}

impl HasComponent<Outside> for W {
    const INDEX: usize = 2;
    type Number = (((), ()),);
    type Strategy = ecs_core::generated::ContiguousBuffer;
}

impl HasResource<Far> for W {
    const INDEX: usize = 1;
}

impl SystemName<W> for Nowhere {
    const INDEX: usize = 7;
    type System = Self;
    type Output = Vec<u32>;
    type Parallelism = ecs_core::inner_parallelism::None;
    type Terms = &'static Position;
    type Entry<'a> = &'a Position;
    type CodegenUnit = ecs_core::generated::codegen_unit::U0;

    fn initial() -> Self {
        Self
    }

    fn entry<'a>(position: ecs_core::Item<'a, Self::Terms, W>) -> &'a Position {
        position
    }
}

impl System<W> for Nowhere {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Other {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Cheat {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.query::<&mut Position>().for_each(|position| position.0 += 1.0);
        data.own.query::<&Velocity>().for_each(|_| {});
        data.own.query::<&Outside>().for_each(|_| {});
        let _ = data.effects.system::<Other>();
        let _ = data.effects.system::<Nowhere>();
        let _ = data.resources.get::<Score>();
        let _ = data.resources.get::<Far>();
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
