//! Storage strategies of several components that share an object of their world (thesis, 5.1.2 and 9.1).

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic, Fixed, Settings};
use ecs_core::storage::{Metadata, StorageStrategy, StrategyContext, Value};
use ecs_core::{Component, Entity, StateHash, Threads, World, world};
use rayon::ThreadPoolBuilder;

/// One group of components, whose strategies share an object.
#[derive(Default, Debug)]
struct Near;
/// Another one.
#[derive(Default, Debug)]
struct Far;

/// The rows that have components of the group `G`, and the slot of each.
#[derive(Debug)]
struct Slots<G> {
    rows: Mutex<Rows>,
    group: PhantomData<G>,
}

/// The slots of rows, and those that are free.
#[derive(Debug, Default)]
struct Rows {
    slots: BTreeMap<usize, Slot>,
    free: Vec<u32>,
}

/// The slot of a row, and how many components lie there.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u32,
    components: u32,
}

/// The groups and slots that exist.
static ALL: Mutex<Vec<(&str, Weak<dyn Send + Sync>)>> = Mutex::new(Vec::new());

/// The tests count these, so they run one after the other.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of shared objects of each group that exist.
fn existing() -> [usize; 2] {
    let all = ALL.lock().unwrap();
    ["Near", "Far"].map(|group| {
        all.iter().filter(|(of, slots)| *of == group && slots.strong_count() > 0).count()
    })
}

/// A name for each group.
trait Group: Send + Sync + 'static {
    const NAME: &'static str;
}

impl Group for Near {
    const NAME: &'static str = "Near";
}

impl Group for Far {
    const NAME: &'static str = "Far";
}

impl<G> Default for Slots<G> {
    fn default() -> Self {
        Self { rows: Mutex::default(), group: PhantomData }
    }
}

impl<G> Slots<G> {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap()
    }

    /// Adds a component to the row.
    fn enter(&self, row: usize) -> u32 {
        let Rows { slots, free } = &mut *self.rows();
        let next = slots.len() as u32;
        let new = || Slot { number: free.pop().unwrap_or(next), components: 0 };
        let slot = slots.entry(row).or_insert_with(new);
        slot.components += 1;
        assert!(slot.components <= 2, "a group has two components");
        slot.number
    }

    /// Removes a component from the row.
    fn leave(&self, row: usize) -> u32 {
        let Rows { slots, free } = &mut *self.rows();
        let slot = slots.get_mut(&row).expect("the row has a component");
        slot.components -= 1;
        let Slot { number, components } = *slot;
        if components == 0 {
            slots.remove(&row);
            free.push(number);
        }
        number
    }
}

/// The values of one component of the group `G`.
#[derive(Debug)]
struct Slotted<G, C> {
    slots: Arc<Slots<G>>,
    values: Vec<Option<Value<C>>>,
}

impl<G: Group, C: Component> StorageStrategy<C> for Slotted<G, C> {
    type Metadata = u32;

    fn new(_: usize) -> Self {
        unreachable!("`in_world` makes it")
    }

    fn in_world(world: &mut StrategyContext) -> Self {
        let slots = world.shared::<Slots<G>>();
        // Two strategies have it, and the context.
        if Arc::strong_count(&slots) == 2 {
            let weak: Weak<dyn Send + Sync> = Arc::downgrade(&(Arc::clone(&slots) as _));
            ALL.lock().unwrap().push((G::NAME, weak));
        }
        let room = world.limit().unwrap_or(world.initial());
        Self { slots, values: Vec::with_capacity(room) }
    }

    fn insert(&mut self, row: usize, value: Value<C>, slots: &mut Metadata<u32>) {
        let slot = self.slots.enter(row);
        slots.set(row, slot);
        let slot = slot as usize;
        self.values.resize_with(self.values.len().max(slot + 1), || None);
        assert!(self.values[slot].replace(value).is_none(), "the slot is taken");
    }

    fn get(&self, row: usize, slots: &Metadata<u32>) -> Option<&Value<C>> {
        self.values.get(slots.get(row) as usize)?.as_ref()
    }

    fn remove(&mut self, row: usize, slots: &mut Metadata<u32>) -> Option<Value<C>> {
        assert_eq!(self.slots.leave(row), slots.get(row), "one slot for all components");
        self.values[slots.get(row) as usize].take()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Cargo(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Crew(Vec<u64>);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Cannons(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Captain(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Age(u64);

/// The same world with two kinds of storage.
macro_rules! fleet {
    ($module:ident, $($storage:tt)*) => {
        mod $module {
            use super::*;

            world! {
                pub(crate) world Fleet { entity_limit: dynamic(8) }
                component Age;
                $($storage)*
                system Grow {
                    parallelism: split_every(64),
                    insert: [Cargo, Crew, Cannons],
                    each: |ship: Entity, age: &mut Age, effects| {
                        age.0 += 1;
                        match (age.0 + u64::from(ship.index())) % 7 {
                            0 => effects.insert(ship, Cargo(age.0)),
                            1 => effects.insert(ship, Crew(vec![age.0; 3])),
                            2 => effects.insert(ship, Cannons(2)),
                            _ => {}
                        }
                    },
                }
                /// It goes on while the refresh behind `Grow` inserts components that share its object.
                system Promote {
                    parallelism: split_every(64),
                    each: |captain: &mut Captain| captain.0.push('!'),
                }
                system Shrink {
                    parallelism: split_every(64),
                    sees: [Grow.insert],
                    remove: [Cargo, Crew, Cannons],
                    each: |ship: Entity, age: &Age, effects| match (age.0 + u64::from(ship.index())) % 5 {
                        0 => effects.remove::<Cargo>(ship),
                        1 => effects.remove::<Crew>(ship),
                        2 => effects.remove::<Cannons>(ship),
                        _ => {}
                    },
                }
                system Sink {
                    dependencies: [Shrink],
                    spawn: [(Age, Cargo, Crew, Captain)],
                    despawn,
                    each: |ship: Entity, age: &Age, effects| if age.0 % 11 == 10 {
                        effects.despawn(ship);
                        effects.spawn((Age(ship.index().into()), Cargo(3), Crew(vec![1]), Captain("new".into())));
                    },
                }
            }

            /// The world after a number of steps, with its hash after each.
            pub(crate) fn run<S: Settings>(threads: Threads, steps: u64) -> (World<Fleet, S>, Vec<u64>) {
                let mut world = World::<Fleet, S>::on(threads);
                world.step(|step| for n in 0..300 {
                    let ship = step.spawn((Age(n),));
                    if n % 2 == 0 {
                        step.insert(ship, Captain(n.to_string())).unwrap();
                    }
                    if n % 3 == 0 {
                        step.insert(ship, Cargo(n)).unwrap();
                    }
                }).unwrap();
                let mut hashes = Vec::new();
                let mut before = world.snapshot();
                for n in 0..steps {
                    world.tick().unwrap();
                    hashes.push(world.state_hash());
                    match n % 6 {
                        2 => world.snapshot_into(&mut before),
                        // There and back.
                        4 => {
                            let now = world.snapshot();
                            world.restore(&before).unwrap();
                            assert_eq!(world.state_hash(), hashes[n as usize - 2]);
                            world.restore(&now).unwrap();
                            assert_eq!(Some(&world.clone().state_hash()), hashes.last());
                        }
                        _ => {}
                    }
                }
                (world, hashes)
            }
        }
    };
}

fleet!(buffers, component Cargo, Crew; component Cannons, Captain;);
fleet!(shared, component Cargo, Crew: storage(Slotted<Near, _>); component Cannons, Captain: storage(Slotted<Far, _>););

type Free = Config<Dynamic<8>, Allow, AtomicCounter>;
type Limited = Config<Fixed<600>, Allow, AtomicCounter>;

#[test]
fn worlds_with_shared_objects_are_as_with_buffers() {
    let _alone = alone();
    let (_, expected) = buffers::run::<Free>(Threads::Inline, 40);
    let pool = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Threads::Eager(Arc::new(pool.expect("threads to make a pool of")))
    };
    for threads in [Threads::Inline, pool(2), pool(3)] {
        assert_eq!(shared::run::<Free>(threads.clone(), 40).1, expected);
        assert_eq!(shared::run::<Limited>(threads, 40).1, expected);
    }
    assert_eq!(existing(), [0, 0], "they go with their worlds");
}

#[test]
fn each_world_has_one_object_for_each_group() {
    let _alone = alone();
    let (world, _) = shared::run::<Free>(Threads::Inline, 3);
    assert_eq!(existing(), [1, 1]);
    let clone = world.clone();
    assert_eq!(existing(), [2, 2]);
    let snapshot = world.snapshot();
    assert_eq!(existing(), [3, 3]);
    drop((world, clone));
    assert_eq!(existing(), [1, 1]);
    let mut other = World::<shared::Fleet>::new();
    other.restore(&snapshot).unwrap();
    drop(snapshot);
    assert_eq!(existing(), [1, 1]);
    let ships: Vec<Entity> = other.iter::<(Entity, &Cargo)>().map(|(ship, _)| ship).collect();
    assert!(ships.len() > 50 && other.iter::<(&Cargo, &Crew)>().count() > 10);
    for ship in ships {
        other.despawn(ship);
    }
    assert_eq!(other.iter::<&Cargo>().count(), 0);
}

#[test]
fn a_context_says_how_large_the_world_is() {
    /// What each strategy was made with.
    static MADE: Mutex<Vec<(Option<usize>, usize)>> = Mutex::new(Vec::new());

    struct Told(Vec<(usize, Value<Age>)>);

    impl StorageStrategy<Age> for Told {
        type Metadata = ();

        fn new(_: usize) -> Self {
            Self(Vec::new())
        }

        fn in_world(world: &mut StrategyContext) -> Self {
            let shared = [world.shared::<u8>(), world.shared(), Arc::new(0)];
            assert!(Arc::ptr_eq(&shared[0], &shared[1]) && !Arc::ptr_eq(&shared[0], &shared[2]));
            MADE.lock().unwrap().push((world.limit(), world.initial()));
            Self::new(0)
        }

        fn insert(&mut self, row: usize, value: Value<Age>, _: &mut Metadata<()>) {
            self.0.push((row, value));
        }

        fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<Age>> {
            self.0.iter().find(|(of, _)| *of == row).map(|(_, value)| value)
        }

        fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<Age>> {
            let at = self.0.iter().position(|(of, _)| *of == row)?;
            Some(self.0.swap_remove(at).1)
        }
    }

    world! {
        world Small;
        component Age: storage(Told);
    }

    drop(World::<Small, Limited>::new());
    let mut world = World::<Small, Free>::new();
    let ship = world.spawn((Age(3),));
    assert_eq!(world.get(ship), Some(&Age(3)));
    assert_eq!(*MADE.lock().unwrap(), [(Some(600), 600), (None, 8)]);
}
