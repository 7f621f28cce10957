//! `deferred`: a million deferred functions of mixed sizes per step, compared with a vector of boxed closures.
//!
//! Once the sizes alternate, which the processor soon predicts; once they are shuffled.
//!
//! The values that the functions capture are in registers. If they came from a `black_box`, word by word through
//! memory, both sides would wait for them in each call, which is the work of neither.

use benches::beside::{best_of, report};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::{Data, Threads, World, world};
use std::hint::black_box;

const FUNCTIONS: u64 = 1_000_000;

#[derive(Default)]
struct Total(u64);

world! {
    world Queue;
    resource Total;
    system Turns { defer, run: turns }
    system Shuffled { dependencies: [Turns], read_resources: [Order], defer, run: shuffled }
    resource Order;
}

/// Which of eight closures comes at each index.
struct Order(Vec<u8>);

impl Default for Order {
    fn default() -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 61) as u8
        };
        Self(std::iter::repeat_with(next).take(FUNCTIONS as usize).collect())
    }
}

/// Pushes a closure that captures `$words` words and adds some of them to the total.
macro_rules! put {
    ($i:ident, $words:literal, $total:ident: $proxy:ty => $place:expr, |$f:ident| $push:expr) => {{
        let data = [$i; $words];
        let $f = move |$total: $proxy| $place += data[0] ^ data[$words - 1] ^ $words;
        $push;
    }};
}

/// Closures that capture 8, 16, 32 and 64 bytes, alternately.
macro_rules! turns {
    ($($rest:tt)*) => {
        for i in 0..FUNCTIONS {
            match i % 4 {
                0 => put!(i, 1, $($rest)*),
                1 => put!(i, 2, $($rest)*),
                2 => put!(i, 4, $($rest)*),
                _ => put!(i, 8, $($rest)*),
            }
        }
    };
}

/// Closures that capture 8 to 64 bytes, in the given order.
macro_rules! shuffled {
    ($order:expr, $($rest:tt)*) => {
        for (i, which) in (0..).zip(&$order.0) {
            match which {
                0 => put!(i, 1, $($rest)*),
                1 => put!(i, 2, $($rest)*),
                2 => put!(i, 3, $($rest)*),
                3 => put!(i, 4, $($rest)*),
                4 => put!(i, 5, $($rest)*),
                5 => put!(i, 6, $($rest)*),
                6 => put!(i, 7, $($rest)*),
                _ => put!(i, 8, $($rest)*),
            }
        }
    };
}

fn turns(data: &mut Data<'_, Queue, Turns>) {
    turns!(defer: &mut ecs_core::Defer<'_, Queue> => defer.resource_mut::<Total>().0, |f| data.effects.defer(f));
}

fn shuffled(data: &mut Data<'_, Queue, Shuffled>) {
    let order = data.resources.get::<Order>();
    shuffled!(order, defer: &mut ecs_core::Defer<'_, Queue> => defer.resource_mut::<Total>().0, |f| data.effects.defer(f));
}

type Function = dyn FnOnce(&mut Total) + Send;

/// The functions of a step, boxed; they run once all are pushed.
#[derive(Default)]
struct Boxed {
    functions: Vec<Box<Function>>,
    order: Order,
    total: Total,
}

impl Boxed {
    #[inline(never)]
    fn turns(&mut self) {
        let functions = &mut self.functions;
        turns!(total: &mut Total => total.0, |f| functions.push(Box::new(f)));
        self.run();
    }

    #[inline(never)]
    fn shuffled(&mut self) {
        let functions = &mut self.functions;
        shuffled!(self.order, total: &mut Total => total.0, |f| functions.push(Box::new(f)));
        self.run();
    }

    fn run(&mut self) {
        for function in self.functions.drain(..) {
            function(&mut self.total);
        }
    }
}

/// Times the two alternately, and then each by itself.
///
/// The times are those of a steady state: without the growth of the queue, and without the first rounds of the boxes,
/// which are faster, as a new heap returns adjacent memory.
fn compare(c: &mut Criterion, title: &str, mut queue: impl FnMut(), mut boxed: impl FnMut()) {
    best_of(10, &mut queue, &mut boxed);
    let (queued, boxes) = best_of(20, &mut queue, &mut boxed);
    report(title, ("boxed", boxes), ("queue", queued));
    let mut group = c.benchmark_group(title);
    group.throughput(Throughput::Elements(FUNCTIONS));
    group.sample_size(20);
    group.bench_function("boxed", |b| b.iter(&mut boxed));
    group.bench_function("queue", |b| b.iter(&mut queue));
    group.finish();
}

fn deferred(c: &mut Criterion) {
    let mut world = World::<Queue>::on(Threads::Inline);
    let mut boxed = Boxed::default();
    let turns = || {
        world
            .step(|step| {
                step.execute_with(|systems| {
                    systems.from::<(Turns,)>().for_subtasks::<Shuffled>(|_, _| {})
                });
            })
            .expect("no entity");
    };
    compare(c, "deferred in turns", turns, || boxed.turns());
    let shuffled =
        || world.step(|step| step.execute_systems_from::<(Shuffled,)>()).expect("no entity");
    compare(c, "deferred shuffled", shuffled, || boxed.shuffled());
    black_box(world.resource::<Total>().0 + boxed.total.0);
}

criterion_group!(benches, deferred);
criterion_main!(benches);
