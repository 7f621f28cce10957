//! A stream: one system takes items while another one still produces them.
//!
//! `Read` sends with `output: Stream<u64>`, and `Sum` takes with `streams: [Read]`. Both run at the same time where
//! there is a second thread, else in turns. Items arrive in the order (subtask, call), so the number of
//! threads does not show.
//!
//! Run it: `cargo run -p ecs-core --example 12_streams`

use std::error::Error;

use ecs_core::{Stream, Threads, World, world};

struct Sample(u64);
/// The number of samples, and a checksum that depends on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Checksum(u64, u64);

impl Checksum {
    fn add(self, item: u64) -> Self {
        Self(self.0 + 1, self.1.wrapping_mul(31).wrapping_add(item))
    }
}

world! {
    world Recorder;

    component Sample;
    resource Checksum;

    system Read {
        read: [Sample],
        output: Stream<u64>,
        parallelism: split_evenly(4),
        run: |data| {
            // The entities of the subtask and its effects are borrowed apart.
            let mut stream = data.effects.stream();
            data.own.for_entities(|entity| stream.send(entity.sample.0));
        },
    }
    // Called with some items at a time.
    system Sum {
        streams: [Read],
        run: |effects, checksum: &mut Checksum| {
            *checksum = effects.received::<Read>().fold(*checksum, Checksum::add);
        },
    }
}

/// Sends 10 000 samples on one thread and on rayon's threads.
pub fn main() -> Result<(), Box<dyn Error>> {
    let expected = (0..10_000).fold(Checksum::default(), Checksum::add);
    for threads in [Threads::Inline, Threads::Global] {
        let mut world = World::<Recorder>::on(threads.clone());
        world.spawn_batch((0..10_000).map(|n| (Sample(n),)));
        world.tick()?;
        println!("{threads:?}: {:?}", world.resource::<Checksum>());
        assert_eq!(world.resource::<Checksum>(), &expected);
    }
    Ok(())
}
