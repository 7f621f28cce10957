//! `stream`: a producer of a million items and its consumer on two threads: connected by a stream, and one after
//! the other.

use benches::beside::{best_of, report};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::{Data, Stream, Threads, World, world};
use std::sync::Arc;

const ITEMS: u64 = 1_000_000;

/// A running hash of the received items, in order.
#[derive(Default)]
struct Digest(u64);

world! {
    world Streamed;
    resource Digest;
    system Make { output: Stream<u64>, run: make }
    system Take { streams: [Make], write_resources: [Digest], run: take }
}

world! {
    world Stepwise;
    resource Digest;
    system Collect { output: Vec<u64>, run: collect }
    system Read { inputs: [Collect], write_resources: [Digest], run: read }
}

/// Some work per item: rounds of a multiplicative generator, each of which depends on the one before.
fn work(mut seed: u64) -> u64 {
    for _ in 0..20 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed ^= seed >> 29;
    }
    seed
}

impl Digest {
    fn add(&mut self, item: u64) {
        self.0 = work(self.0 ^ item);
    }
}

fn make(data: &mut Data<'_, Streamed, Make>) {
    let mut stream = data.effects.stream();
    (0..ITEMS).for_each(|item| stream.send(work(item)));
}

fn take(data: &mut Data<'_, Streamed, Take>) {
    let items = data.effects.received::<Make>();
    let digest = data.resources.get_mut::<Digest>();
    items.for_each(|item| digest.add(item));
}

fn collect(data: &mut Data<'_, Stepwise, Collect>) {
    data.effects.output().extend((0..ITEMS).map(work));
}

fn read(data: &mut Data<'_, Stepwise, Read>) {
    let items = data.effects.outputs_of::<Collect>();
    let digest = data.resources.get_mut::<Digest>();
    items.flatten().for_each(|item| digest.add(*item));
}

fn stream(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let threads = Threads::Pool(Arc::new(pool));
    let mut streamed = World::<Streamed>::on(threads.clone());
    let mut stepwise = World::<Stepwise>::on(threads);
    let mut as_stream = || streamed.tick().expect("no spawns");
    let mut in_steps = || stepwise.tick().expect("no spawns");
    let (one, other) = best_of(20, &mut as_stream, &mut in_steps);
    report("stream", ("at the same time", one), ("one after the other", other));
    let mut group = c.benchmark_group("stream");
    group.throughput(Throughput::Elements(ITEMS));
    group.sample_size(20);
    group.bench_function("stepwise", |b| b.iter(&mut in_steps));
    group.bench_function("stream", |b| b.iter(&mut as_stream));
    group.finish();
    // Both forms have the same result. The benchmarks ran different numbers of steps, so new worlds run one each.
    let mut digests = (World::<Streamed>::new(), World::<Stepwise>::on(Threads::Inline));
    digests.0.tick().expect("no spawns");
    digests.1.tick().expect("no spawns");
    assert_eq!(digests.0.resource::<Digest>().0, digests.1.resource::<Digest>().0);
}

criterion_group!(benches, stream);
criterion_main!(benches);
