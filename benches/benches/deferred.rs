//! `deferred`: a million deferred functions of mixed sizes per step, beside a vector of boxed closures.

use benches::beside::{best_of, report};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ecs_core::{Data, System, Threads, World, world};
use std::hint::black_box;

const FUNCTIONS: u64 = 1_000_000;

#[derive(Default)]
struct Total(u64);

world! {
    world Queue {}
    resource Total;
    system Put { defer }
}

#[derive(Default)]
struct Put;

/// Puts off closures that capture 8, 16, 32 and 64 bytes, in turns.
macro_rules! mixed {
    ($total:ident: $proxy:ty => $place:expr, |$f:ident| $push:expr) => {
        for i in 0..FUNCTIONS {
            match i % 4 {
                0 => {
                    let $f = move |$total: $proxy| $place += i;
                    $push;
                }
                1 => {
                    let data = black_box([i; 2]);
                    let $f = move |$total: $proxy| $place += data[0] ^ data[1];
                    $push;
                }
                2 => {
                    let data = black_box([i; 4]);
                    let $f = move |$total: $proxy| $place += data[1] ^ data[3];
                    $push;
                }
                _ => {
                    let data = black_box([i; 8]);
                    let $f = move |$total: $proxy| $place += data[2] ^ data[7];
                    $push;
                }
            }
        }
    };
}

impl System<Queue> for Put {
    fn process(&self, data: &mut Data<'_, Queue, Self>) {
        mixed!(defer: &mut ecs_core::Defer<'_, Queue> => defer.resource_mut::<Total>().0, |f| data.defer(f));
    }
}

type Function = Box<dyn FnOnce(&mut Total) + Send>;

/// A step's functions, put off and run.
#[derive(Default)]
struct Boxed {
    functions: Vec<Function>,
    total: Total,
}

impl Boxed {
    #[inline(never)]
    fn step(&mut self) {
        let functions = &mut self.functions;
        mixed!(total: &mut Total => total.0, |f| functions.push(Box::new(f)));
        for function in self.functions.drain(..) {
            function(&mut self.total);
        }
    }
}

fn deferred(c: &mut Criterion) {
    let mut world = World::<Queue>::on(Threads::Inline);
    let mut step = || world.step(|step| step.execute_systems().run()).expect("nothing is spawned");
    let mut boxed = Boxed::default();
    let (queue, boxes) = best_of(20, &mut step, || boxed.step());
    report("deferred", ("boxed", boxes), ("queue", queue));
    let mut group = c.benchmark_group("deferred");
    group.throughput(Throughput::Elements(FUNCTIONS));
    group.sample_size(20);
    group.bench_function("boxed", |b| b.iter(|| boxed.step()));
    group.bench_function("queue", |b| b.iter(&mut step));
    group.finish();
    black_box(world.resource::<Total>().0 + boxed.total.0);
}

criterion_group!(benches, deferred);
criterion_main!(benches);
