//! A producer whose body replaces its output: the consumer gets all items, and the step returns.

use attacks::support::{four, watched};
use ecs_core::{Data, Stream, System, Threads, World, world};

struct Number(u64);

#[derive(Default)]
struct Taken(Vec<u64>);

world! {
    world Piped {}
    component Number: contiguous_buffer;
    resource Taken;
    system Send { read: [Number], output: Stream<u64>, parallelism: split_every(64) }
    system Take { streams: [Send], write_resources: [Taken] }
}

#[derive(Default)]
struct Send;

impl System<Piped> for Send {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        let Data { own, effects, .. } = data;
        *effects.output() = Stream::default();
        own.for_entities(|e| {
            effects.stream().send(e.number.0);
            *effects.output() = Stream::default();
        });
    }
}

#[derive(Default)]
struct Take;

impl System<Piped> for Take {
    fn process(&self, data: &mut Data<'_, Piped, Self>) {
        let items: Vec<u64> = data.effects.received::<Send>().collect();
        data.resources.get_mut::<Taken>().0.extend(items);
    }
}

#[test]
fn replacing_the_output_neither_hangs_nor_loses_anything() {
    for threads in [Threads::Inline, Threads::Global, four()] {
        let taken = watched(move || {
            let mut world = World::<Piped>::on(threads);
            world
                .step(|step| {
                    step.spawn_batch((0..2000).map(|n| (Number(n),)));
                })
                .unwrap();
            for _ in 0..3 {
                world.tick().unwrap();
            }
            std::mem::take(&mut world.resource_mut::<Taken>().0)
        });
        assert_eq!(taken, [(); 3].iter().flat_map(|()| 0..2000).collect::<Vec<u64>>());
    }
}
