//! A key that is neither hashed nor numbered, a look-up by key in a sorted query, and a hashed query as a sorted one.

use ecs_core::joins::{Index, Numbered};
use ecs_core::{Data, System, World, world};

struct Weight(f32);

world! {
    world W;
    component Weight: contiguous_buffer;
    query Exact { read: [Weight], index: ByWeight }
    query Hashed { read: [Weight], index: ByBits }
    query Sorted { read: [Weight], index: ByRounded }
    system Count { queries: [Hashed, Sorted] }
}

#[derive(Default)]
struct ByWeight;

impl Index for ByWeight {
    type Entry<'a> = ExactEntry<'a>;
    type Key = f32;

    fn key(&self, member: ExactEntry<'_>) -> f32 {
        member.weight.0
    }
}

#[derive(Default)]
struct ByBits;

impl Index for ByBits {
    type Entry<'a> = HashedEntry<'a>;
    type Key = u32;

    fn key(&self, member: HashedEntry<'_>) -> u32 {
        member.weight.0.to_bits()
    }
}

#[derive(Default)]
struct ByRounded;

impl Index for ByRounded {
    type Entry<'a> = SortedEntry<'a>;
    type Key = Numbered<f32, 10>;

    fn key(&self, member: SortedEntry<'_>) -> Numbered<f32, 10> {
        Numbered::new(member.weight.0 as usize, member.weight.0)
    }
}

#[derive(Default)]
struct Count;

impl System<W> for Count {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.effects.lookup::<Sorted, &Weight>();
        let _ = data.effects.sorted::<Hashed>();
    }
}

fn main() {
    let _ = World::<W>::new();
}
