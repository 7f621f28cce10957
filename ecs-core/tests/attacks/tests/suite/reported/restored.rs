//! A clone that panics while a snapshot is restored: each value equals the snapshot's, or is missing.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use attacks::support::{caught, fail};
use ecs_core::{Component, Entity, Threads, World, world};

macro_rules! fragile {
    ($($name:ident($held:ty) $needs_drop:literal)*) => {$(
        struct $name($held, &'static AtomicU64);

        impl Clone for $name {
            fn clone(&self) -> Self {
                if *self.number() == self.1.load(Relaxed) {
                    fail("clone");
                }
                Self(self.0.clone(), self.1)
            }

            /// If it fails, it leaves a half-written value.
            fn clone_from(&mut self, other: &Self) {
                self.0.clone_from(&other.0);
                if *self.number() == self.1.load(Relaxed) {
                    *self.number_mut() += 1_000_000;
                    fail("clone");
                }
            }
        }

        const _: () = assert!(std::mem::needs_drop::<$name>() == $needs_drop);
    )*};
}

fragile! { Plain(u64) false Packed(u64) false Heap(Box<u64>) true Set(u64) false Map(Box<u64>) true }

/// The number in a value.
trait Number {
    fn number(&self) -> &u64;
    fn number_mut(&mut self) -> &mut u64;
}

macro_rules! numbers {
    ($($name:ident $self:ident $number:expr, $number_mut:expr;)*) => {$(
        impl Number for $name {
            fn number(&$self) -> &u64 {
                $number
            }

            fn number_mut(&mut $self) -> &mut u64 {
                $number_mut
            }
        }
    )*};
}

numbers! {
    Plain self &self.0, &mut self.0;
    Packed self &self.0, &mut self.0;
    Heap self &*self.0, &mut *self.0;
    Set self &self.0, &mut self.0;
    Map self &*self.0, &mut *self.0;
}

world! {
    world W {}
    component Plain: contiguous_buffer;
    component (Packed, Heap): contiguous_buffer;
    component Set: sparse_set;
    component Map: hash_map;
}

fn spawn(
    world: &mut World<W>,
    numbers: std::ops::Range<u64>,
    at: &'static AtomicU64,
) -> Vec<Entity> {
    let bundle =
        |n| (Plain(n, at), Packed(n, at), Heap(Box::new(n), at), Set(n, at), Map(Box::new(n), at));
    world.step(|step| step.spawn_batch(numbers.map(bundle)).unwrap().collect()).unwrap()
}

/// The number of values in the world; asserts that each is that of its entity.
fn there<C: Component + Number>(world: &World<W>, entities: &[Entity], at: u64) -> usize
where
    W: ecs_core::HasComponent<C>,
{
    let values = entities.iter().map(|&entity| {
        assert!(world.is_alive(entity));
        world.get::<C>(entity).map(|value| *value.number())
    });
    let wrong: Vec<_> = values
        .clone()
        .zip(0..)
        .filter(|&(value, n)| value.is_some_and(|value| value != n))
        .collect();
    assert!(wrong.is_empty(), "{}: {wrong:?} when {at} fails", std::any::type_name::<C>());
    values.flatten().count()
}

#[test]
fn values_are_those_of_the_snapshot_or_missing() {
    // The world before the restoration: unchanged, other entities in the same rows, some, none, or more than before.
    for (despawned, others) in [(0, 0), (100, 100), (50, 10), (100, 0), (100, 200)] {
        for fails in [0, 1, 50, 99] {
            // One counter for each case: values are `'static`, and tests run in parallel.
            let at: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(u64::MAX)));
            let mut world = World::<W>::on(Threads::Inline);
            let entities = spawn(&mut world, 0..100, at);
            let snapshot = world.snapshot();
            world.step(|step| entities[..despawned].iter().for_each(|&e| step.despawn(e))).unwrap();
            spawn(&mut world, 1000..1000 + others, at);
            at.store(fails, Relaxed);
            assert_eq!(caught(|| world.restore(&snapshot)).as_deref(), Some("clone"));
            at.store(u64::MAX, Relaxed);
            let count = [
                there::<Plain>(&world, &entities, fails),
                there::<Packed>(&world, &entities, fails),
                there::<Heap>(&world, &entities, fails),
                there::<Set>(&world, &entities, fails),
                there::<Map>(&world, &entities, fails),
            ];
            assert!(count.iter().all(|&count| count < 100), "{count:?}");
            world.restore(&snapshot).unwrap();
            assert_eq!(there::<Map>(&world, &entities, fails), 100);
        }
    }
}
