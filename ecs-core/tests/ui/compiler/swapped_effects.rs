//! The effects beside a written resource, swapped with effects of another world that would hand the resource out again.

use ecs_core::{Data, World, world};

#[derive(Default)]
struct Log(String);

world! {
    world W;
    resource Log;
    system Act { sequential, write_resources: [Log], run: |_| {} }
}

fn swap(data_a: &mut Data<'_, W, Act>, data_b: &mut Data<'_, W, Act>) {
    let (mut a, mut b) = (data_a.now(), data_b.now());
    let ((log,), mut rest) = a.split_resources::<(Log,)>();
    std::mem::swap(&mut rest, &mut *b);
    b.resource_mut::<Log>().0.clear();
    log.0.push('!');
}

fn main() {
    let _ = (swap, World::<W>::new());
}
