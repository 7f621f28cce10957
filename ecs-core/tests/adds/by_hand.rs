//! A table written by hand: an idle query reads a resource between two systems that add to it. Nothing orders the two.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use ecs_core::access::Adds;
use ecs_core::generated::{Combines, ResourceSink, SystemVisitor, no_such_system};
use ecs_core::inner_parallelism;
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Data, Declaration, Entity, HasResource, Item, System, SystemName, World};

use crate::support::every_kind;

struct Sum(u32);

/// The number of calls of the operation that are running, and the most that were at once.
static RUNNING: AtomicU32 = AtomicU32::new(0);
static MOST: AtomicU32 = AtomicU32::new(0);

/// The number of systems that have begun to add.
static BEGUN: AtomicU32 = AtomicU32::new(0);

/// Waits until the number is reached, for a short time: on one thread it is not.
fn wait_for(number: &AtomicU32, reached: u32) {
    let start = Instant::now();
    while number.load(Relaxed) < reached && start.elapsed() < Duration::from_millis(20) {
        std::thread::yield_now();
    }
}

struct Trio;

impl Declaration for Trio {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "Trio";
    const COMPONENTS: &'static [ComponentSignature] = &[];
    const RESOURCES: &'static [ResourceSignature] = &[ResourceSignature::new::<Sum>("Sum")];
    const SYSTEMS: &'static [SystemSignature] = &[
        SystemSignature::new::<Self, Left>("Left").add(&[0]),
        SystemSignature::new::<Self, Idle>("Idle").query().read_resources(&[0]),
        SystemSignature::new::<Self, Right>("Right").add(&[0]).after(&[1]),
    ];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        match index {
            0 => visitor.visit::<Left>(),
            1 => visitor.visit::<Idle>(),
            2 => visitor.visit::<Right>(),
            _ => no_such_system(index),
        }
    }

    fn resources(sink: &mut ResourceSink<'_, Self>) {
        sink.put(Sum(0));
    }
}

impl HasResource<Sum> for Trio {
    const INDEX: usize = 0;
}

impl Combines<Sum> for Trio {
    fn combine(into: &mut Sum, other: Sum) {
        let running = RUNNING.fetch_add(1, Relaxed) + 1;
        MOST.fetch_max(running, Relaxed);
        wait_for(&MOST, 2);
        into.0 += other.0;
        RUNNING.fetch_sub(1, Relaxed);
    }
}

/// A system of the table.
macro_rules! named {
    ($name:ident $index:literal, |$data:ident| $body:expr) => {
        struct $name;

        impl SystemName<Trio> for $name {
            const INDEX: usize = $index;
            type System = Self;
            type Output = ();
            type Parallelism = inner_parallelism::None;
            type Terms = Entity;
            type Entry<'a> = Item<'a, Entity, Trio>;
            type CodegenUnit = ecs_core::generated::codegen_unit::U0;

            fn initial() -> Self {
                Self
            }

            fn entry<'a>(entity: Item<'a, Entity, Trio>) -> Item<'a, Entity, Trio> {
                entity
            }
        }

        impl System<Trio> for $name {
            fn process(&self, $data: &mut Data<'_, Trio, Self>) {
                $body
            }
        }
    };
}

impl Adds<Sum, Trio> for Left {}
impl Adds<Sum, Trio> for Right {}

named!(Left 0, |data| add(1, |sum| data.effects.add(sum)));
named!(Idle 1, |_data| unreachable!("it is never executed"));
named!(Right 2, |data| add(10, |sum| data.effects.add(sum)));

/// Adds when the other system does.
fn add(value: u32, put: impl FnOnce(Sum)) {
    BEGUN.fetch_add(1, Relaxed);
    wait_for(&BEGUN, 2);
    put(Sum(value));
}

#[test]
fn an_idle_query_does_not_split_a_round() {
    for threads in every_kind() {
        let mut world = World::<Trio>::on(threads);
        for step in 1..=5 {
            BEGUN.store(0, Relaxed);
            world.tick().unwrap();
            assert_eq!(world.resource::<Sum>().0, 11 * step);
        }
    }
    assert_eq!(MOST.load(Relaxed), 1, "the operation runs on one thread at a time");
}
