//! Clones that panic: nothing is lost or dropped twice, and every world stays usable.

use std::cell::Cell;

use ecs_core::{Entity, Threads, World, world};

use crate::support::{Counted, Ledger, caught, fail};

thread_local! {
    /// The number of clones until one panics.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn cloning() {
    match LEFT.get() {
        0 => fail("clone"),
        left => LEFT.set(left - 1),
    }
}

/// Calls `f`, in which the clones after the first `left` ones panic. Returns the panic message.
fn with_clones<R>(left: usize, f: impl FnOnce() -> R) -> String {
    LEFT.set(left);
    let message = caught(f);
    LEFT.set(usize::MAX);
    message
}

macro_rules! fragile {
    ($($(#[$attribute:meta])* $name:ident($ty:ty))*) => {$(
        $(#[$attribute])*
        #[derive(Debug)]
        struct $name($ty);

        impl Clone for $name {
            fn clone(&self) -> Self {
                cloning();
                Self(self.0.clone())
            }
        }
    )*};
}

fragile! {
    Owned(Counted)
    Plain(u32)
    Beside(u64)
    Packed(Counted)
    Mapped(Counted)
    #[derive(Default)]
    Till(Option<Counted>)
}

world! {
    world Glass;
    component Owned: contiguous_buffer;
    component Plain: contiguous_buffer;
    component (Beside, Packed): contiguous_buffer;
    component Mapped: hash_map;
    resource Till;
}

/// The number of values of a `Ledger` that an entity has.
const EACH: usize = 3;

fn glass(ledger: &Ledger, entities: usize) -> World<Glass> {
    let mut world = World::on(Threads::Inline);
    world.resource_mut::<Till>().0 = Some(ledger.make());
    blow(&mut world, ledger, entities);
    world
}

fn blow(world: &mut World<Glass>, ledger: &Ledger, entities: usize) {
    world
        .step(|step| {
            for n in 0..entities {
                let [owned, packed, mapped] = [(); EACH].map(|()| ledger.make());
                let bundle = (Owned(owned), Plain(n as u32), Beside(n as u64), Packed(packed));
                let entity = step.spawn(bundle);
                step.insert(entity, Mapped(mapped)).unwrap();
            }
        })
        .unwrap();
}

/// The number of clones that cloning the whole world makes.
fn clones(entities: usize) -> usize {
    entities * 5 + 1
}

type Parts = (
    Option<&'static Owned>,
    Option<&'static Packed>,
    Option<&'static Mapped>,
    Option<&'static Plain>,
    Option<&'static Beside>,
);

/// Reads all values of all entities. Returns how many of them are of a `Ledger`.
fn values(world: &World<Glass>) -> usize {
    let mut count = usize::from(world.resource::<Till>().0.is_some());
    for (owned, packed, mapped, plain, beside) in world.iter::<Parts>() {
        let values = [owned.map(|v| &v.0), packed.map(|v| &v.0), mapped.map(|v| &v.0)];
        count += values.iter().flatten().filter(|value| !format!("{value:?}").is_empty()).count();
        if let (Some(plain), Some(beside)) = (plain, beside) {
            assert_eq!(u64::from(plain.0), beside.0);
        }
    }
    count
}

#[test]
fn a_clone_that_panics_leaves_the_original_as_it_was() {
    let ledger = Ledger::default();
    let world = glass(&ledger, 6);
    for left in 0..clones(6) {
        assert_eq!(with_clones(left, || world.clone()), "clone");
        assert_eq!((values(&world), ledger.living()), (6 * EACH + 1, 6 * EACH + 1));
    }
    assert_eq!(with_clones(clones(6), || world.clone()), "no panic");
    drop(world);
    assert_eq!(ledger.living(), 0);
}

#[test]
fn a_snapshot_that_panics_is_incomplete() {
    let ledger = Ledger::default();
    let mut world = glass(&ledger, 6);
    for left in 0..clones(6) {
        assert_eq!(with_clones(left, || world.snapshot()), "clone");
        assert_eq!(ledger.living(), 6 * EACH + 1);
        let mut snapshot = world.snapshot();
        blow(&mut world, &ledger, 1);
        assert_eq!(with_clones(left, || world.snapshot_into(&mut snapshot)), "clone");
        let refused = caught(|| world.restore(&snapshot).unwrap());
        assert!(refused.contains("the snapshot is incomplete"), "{refused}");
        // The snapshot can be taken anew, into the same object.
        world.snapshot_into(&mut snapshot);
        let mut other = glass(&ledger, 2);
        other.restore(&snapshot).unwrap();
        assert_eq!(values(&other), values(&world));
        drop((snapshot, other));
        world = glass(&ledger, 6);
        assert_eq!(ledger.living(), 6 * EACH + 1);
    }
}

#[test]
fn a_restoration_that_panics_leaves_a_world_that_can_go_on() {
    let ledger = Ledger::default();
    let snapshot = glass(&ledger, 6).snapshot();
    let mut panicked = 0;
    for left in 0..=clones(6) {
        for entities in [0, 3, 6, 9] {
            let mut world = glass(&ledger, entities);
            let message = with_clones(left, || world.restore(&snapshot).unwrap());
            panicked += usize::from(message == "clone");
            assert_eq!(world.entity_count(), 6);
            // Every remaining value is alive and readable. The value whose clone panicked is missing.
            let there = values(&world);
            assert_eq!(ledger.living(), 6 * EACH + 1 + there, "{left} clones, {entities} entities");
            assert!(message == "clone" || there == 6 * EACH + 1);
            let mut ids = Vec::new();
            for entity in world.iter::<Entity>() {
                ids.push(entity.index());
            }
            assert_eq!(ids, [0, 1, 2, 3, 4, 5]);
            // The world stays usable, and reaches the same state once nothing panics.
            blow(&mut world, &ledger, 2);
            assert_eq!(values(&world), there + 2 * EACH);
            world.restore(&snapshot).unwrap();
            assert_eq!(values(&world), 6 * EACH + 1);
        }
        assert_eq!(ledger.living(), 6 * EACH + 1);
    }
    assert_eq!(panicked, 4 * clones(6));
}
