//! Worlds for which an allocator has no memory at some moment. In `tests/world/storage/storage_limits.rs` it is the system.

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Fixed};
use ecs_core::{Bundle, BundleSink, Entity, Threads, World, world};

thread_local! {
    /// The most bytes that this thread is given at once.
    static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
}

struct Stingy;

// SAFETY: it is the system's allocator, which may refuse any memory.
unsafe impl GlobalAlloc for Stingy {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST.get() {
            return core::ptr::null_mut();
        }
        // SAFETY: by the caller's contract.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: by the caller's contract.
        unsafe { Heap.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > MOST.get() && size > layout.size() {
            return core::ptr::null_mut();
        }
        // SAFETY: by the caller's contract.
        unsafe { Heap.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Stingy = Stingy;

/// So large an alignment keeps the column in the heap.
#[repr(align(8192))]
struct Name(Box<u64>);

world! {
    world Inn;
    component Name;
}

/// A bundle whose components are known only once they are put, so that the refresh moves the entity to its archetype.
struct Unknown(u64);

impl Bundle<Inn> for Unknown {
    fn put(self, sink: &mut BundleSink<'_, Inn>) {
        sink.put(Name(Box::new(self.0)));
    }
}

/// An entity for whose components there is no memory elsewhere stays where it is.
#[test]
fn an_entity_that_cannot_move_stays() {
    type Settings = Config<ByArchetype<16>, Allow, AtomicCounter>;
    // What reports a panic takes memory itself.
    std::panic::set_hook(Box::new(|panic| {
        MOST.set(usize::MAX);
        eprintln!("{panic}");
    }));
    for most in [1 << 16, 1 << 18, 1 << 20, 1 << 22] {
        let mut world = World::<Inn, Settings>::on(Threads::Inline);
        let mut spawned: Vec<(Entity, u64)> = Vec::with_capacity(100);
        for n in 0..100 {
            MOST.set(most);
            let entity = catch_unwind(AssertUnwindSafe(|| world.spawn(Unknown(n))));
            MOST.set(usize::MAX);
            spawned.extend(entity.ok().map(|entity| (entity, n)));
            for &(entity, n) in &spawned {
                assert_eq!(*world.get::<Name>(entity).expect("it has a name").0, n);
            }
        }
        assert!(!spawned.is_empty() || most < 1 << 20);
        let mut names = 0;
        world.iter::<&Name>().for_each(|name| names += usize::from(*name.0 < 100));
        assert!(names <= world.entity_count() && names >= spawned.len());
    }
}

/// With a fixed limit all is there from the start, also the last rows.
#[test]
fn a_fixed_limit_asks_for_no_more() {
    struct Fuel(u64);
    world! {
        world Rockets;
        component Fuel;
    }
    let mut world =
        World::<Rockets, Config<Fixed<5001>, Allow, AtomicCounter>>::on(Threads::Inline);
    MOST.set(4096);
    let all = (0..5001).all(|n| world.spawn((Fuel(n),)).is_ok());
    MOST.set(usize::MAX);
    assert!(all && world.spawn((Fuel(0),)).is_err());
    assert!(world.iter::<&Fuel>().all(|fuel| fuel.0 < 5001));
}

#[derive(Clone, Debug, PartialEq)]
struct Id(u64);
#[derive(Clone, Debug, PartialEq)]
struct Other(u64);

world! {
    world Small;
    component Id, Other;
}

/// A snapshot has few entities, but has had many: the table of handles needs memory.
#[test]
fn a_restore_without_memory_changes_nothing() {
    let mut many = World::<Small>::on(Threads::Inline);
    let spawned = many.spawn_batch((0..100_000).map(|n| (Id(n),)));
    let despawned =
        many.step(|step| spawned[100..].iter().for_each(|&entity| step.despawn(entity)));
    despawned.expect("nothing is staged");
    let snapshot = many.snapshot();
    let mut world = World::<Small>::on(Threads::Inline);
    let own = world.spawn_batch((0..10).map(|n| (Other(n),)));
    let before = world.snapshot();
    MOST.set(1 << 17);
    let restored = catch_unwind(AssertUnwindSafe(|| _ = world.restore(&snapshot)));
    MOST.set(usize::MAX);
    assert!(restored.is_err());
    assert_eq!(world.entity_count(), 10);
    for (&entity, n) in own.iter().zip(0..) {
        assert_eq!((world.get::<Other>(entity), world.get::<Id>(entity)), (Some(&Other(n)), None));
    }
    world.restore(&snapshot).expect("there is room");
    assert_eq!(world.entity_count(), 100);
    assert!(own.iter().all(|&entity| world.get::<Other>(entity).is_none()));
    world.restore(&before).expect("there is room");
    assert_eq!(world.get::<Other>(own[7]), Some(&Other(7)));
}
