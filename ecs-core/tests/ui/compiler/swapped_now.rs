//! Two `Now`s of different worlds, swapped in the middle of a roll.

use ecs_core::{Data, System, world};
struct Text(String);

world! {
    world W {}
    component Text: contiguous_buffer;
    query Others { read: [Text] }
    system Act { sequential, write: [Text], queries: [Others] }
}
#[derive(Default)]
struct Act;
impl System<W> for Act {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn swap(data_a: &mut Data<'_, W, Act>, data_b: &mut Data<'_, W, Act>) {
    let mut now_a = data_a.now();
    data_b.now().roll(|m| std::mem::swap(m.now(), &mut now_a));
    data_b.now().roll_pairs::<Others>(|pair| std::mem::swap(pair.now(), &mut now_a));
}

fn main() {
    let _ = swap;
}
