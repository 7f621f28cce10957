//! Snapshots, restorations, clones, hashes and reads of a world that has components in every kind of storage.

use attacks::faults::{
    Counting, Fault, FaultCase, Fired, Hook, Hooked, Program, Shelf, Tag, one_of, places,
};
use attacks::support::caught;
use attacks::{assert_subscribed, idle_systems, rows, tracked};
use ecs_core::{Data, Entity, Snapshot, StateHash, System, Threads, World, world};

tracked! {
    Flat: BUFFER;
    Left: INTERLEAVED;
    Right: INTERLEAVED;
    Sparse: SPARSE_SET;
    Mapped: HASH_MAP;
    Own: STRATEGY;
    Till: RESOURCE;
    Ticket: OUTPUT;
    Memory: STATE;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

/// A component without a destructor, whose clone may panic.
#[derive(Debug, StateHash)]
pub(crate) struct Bits(u64);

impl Bits {
    fn get(&self) -> u64 {
        self.0
    }
}

impl Clone for Bits {
    fn clone(&self) -> Self {
        HOOK.point(places::CLONE_OF_COMPONENT);
        Self(self.0)
    }
}

world! {
    world Glass { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Flat: contiguous_buffer;
    component Bits: contiguous_buffer;
    component (Left, Right): contiguous_buffer;
    component Sparse: sparse_set;
    component Mapped: hash_map;
    component Own: storage(Shelf<Own, Hooks>);
    resource Till = Till::new(&HOOK.fault(), 0);

    system Keep { read: [Tag], output: Vec<Ticket>, state: Keep(Memory::new(&HOOK.fault(), 0)) }
    system OfFlat { with: [Flat] }
    system OfBits { with: [Bits], without: [Flat] }
    system OfLeft { with: [Left], without: [Right] }
    system OfSparse { with: [Sparse] }
    system OfMapped { with: [Mapped] }
    system OfOwn { with: [Own] }
}

idle_systems!(Glass; OfFlat, OfBits, OfLeft, OfSparse, OfMapped, OfOwn);

/// Outputs a ticket for each third entity.
#[derive(StateHash)]
struct Keep(Memory);

impl Clone for Keep {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl System<Glass> for Keep {
    fn process(&self, data: &mut Data<'_, Glass, Self>) {
        let fault = self.0.fault();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.tag.0 % 3 == 0 {
                effects.output().push(Ticket::new(fault, e.tag.0));
            }
        });
    }
}

type Row = Vec<Option<u64>>;

/// The rows, the resource, and the state of the system.
type State = (Vec<Row>, u64, u64);

/// The operation on the world.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Snapshot,
    SnapshotInto,
    Clone,
    Restore,
    Look,
}

const DEEDS: [Deed; 5] =
    [Deed::Snapshot, Deed::SnapshotInto, Deed::Clone, Deed::Restore, Deed::Look];

struct Shot<const DEED: usize> {
    world: World<Glass>,
    fault: Fault,
    entities: Vec<Entity>,
    older: Snapshot<Glass>,
    /// What the older snapshot holds.
    older_state: State,
    /// Whether the older snapshot is complete.
    whole: bool,
    /// The snapshots that `act` has taken, to be dropped with the world.
    made: Vec<Snapshot<Glass>>,
    clones: Vec<World<Glass>>,
}

fn fill(world: &mut World<Glass>, fault: &Fault, tags: std::ops::Range<u64>) -> Vec<Entity> {
    let filled = world.step(|step| {
        let spawn = |tag| {
            let entity = step.spawn((Tag(tag), Flat::new(fault, tag), Bits(tag)));
            if tag % 2 == 0 {
                drop(step.insert(entity, Left::new(fault, tag)));
                drop(step.insert(entity, Sparse::new(fault, tag)));
                drop(step.insert(entity, Own::new(fault, tag)));
            }
            if tag % 3 == 0 {
                drop(step.insert(entity, Right::new(fault, tag)));
                drop(step.insert(entity, Mapped::new(fault, tag)));
            }
            entity
        };
        tags.map(spawn).collect()
    });
    filled.unwrap()
}

/// Changes the components of each entity.
fn change(world: &mut World<Glass>, fault: &Fault, entities: &[Entity]) {
    let changed = world.step(|step| {
        for (n, &entity) in (50..).zip(entities) {
            match n % 4 {
                0 => {
                    drop(step.remove::<Flat>(entity));
                    let _ = step.remove::<Bits>(entity);
                    drop(step.remove::<Own>(entity));
                    drop(step.insert(entity, Mapped::new(fault, n)));
                }
                1 => {
                    drop(step.insert(entity, Flat::new(fault, n)));
                    drop(step.insert(entity, Own::new(fault, n)));
                    drop(step.remove::<Left>(entity));
                    drop(step.remove::<Mapped>(entity));
                }
                2 => {
                    drop(step.remove::<Sparse>(entity));
                    drop(step.insert(entity, Right::new(fault, n)));
                    drop(step.insert(entity, Own::new(fault, n)));
                }
                _ => {
                    drop(step.insert(entity, Left::new(fault, n)));
                    drop(step.insert(entity, Sparse::new(fault, n)));
                    drop(step.insert(entity, Mapped::new(fault, n)));
                }
            }
        }
        step.despawn(entities[1]);
        step.resource_mut::<Till>().set(77);
        step.system_mut::<Keep>().0.set(88);
    });
    changed.unwrap();
    fill(world, fault, 20..23);
    world.tick().unwrap();
}

fn state(world: &World<Glass>) -> State {
    let rows = rows!(world; Tag, Flat, Bits, Left, Right, Sparse, Mapped, Own);
    (rows, world.resource::<Till>().get(), world.system::<Keep>().0.get())
}

impl<const DEED: usize> Shot<DEED> {
    const DEED: Deed = DEEDS[DEED];

    fn outputs(&mut self) -> Vec<u64> {
        let outputs = |step: &mut ecs_core::Step<'_, Glass, _>| {
            step.outputs_of::<Keep>().flatten().map(Ticket::get).collect()
        };
        self.world.step(outputs).unwrap()
    }
}

impl<const DEED: usize> Program for Shot<DEED> {
    type State = State;

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Glass>::on(threads);
        let entities = fill(&mut world, fault, 0..7);
        world.tick().unwrap();
        let (older, older_state) = (world.snapshot(), state(&world));
        change(&mut world, fault, &entities);
        let fault = fault.clone();
        Self {
            world,
            fault,
            entities,
            older,
            older_state,
            whole: true,
            made: Vec::new(),
            clones: Vec::new(),
        }
    }

    fn act(&mut self) {
        let Self { world, fault, entities, older, .. } = self;
        match Self::DEED {
            Deed::Snapshot => self.made.push(world.snapshot()),
            Deed::SnapshotInto => {
                self.whole = false;
                world.snapshot_into(older);
                self.whole = true;
            }
            Deed::Clone => self.clones.push(world.clone()),
            Deed::Restore => world.restore(older).unwrap(),
            Deed::Look => {
                let _ = world.state_hash();
                for _ in world.iter::<&Flat>() {
                    fault.point(places::LOOK);
                }
                let some = Counting::new(fault, entities.iter().copied());
                world.for_each_of::<Own>(some, |_, _| fault.point(places::LOOK_AT_SOME));
            }
        }
    }

    fn state(&self) -> State {
        state(&self.world)
    }

    fn model(&self, state: &State) -> State {
        if Self::DEED == Deed::Restore { self.older_state.clone() } else { state.clone() }
    }

    fn verify(&self, before: &State, found: &State, fired: &Fired) -> Result<(), String> {
        if Self::DEED != Deed::Restore {
            return one_of(found, std::slice::from_ref(before));
        }
        let mut allowed = vec![self.older_state.clone()];
        let mut changed = self.older_state.clone();
        match fired.first {
            Some(
                places::CLONE_OF_COMPONENT
                | places::CLONE_FROM_OF_COMPONENT
                | places::STORAGE_INSERT
                | places::STORAGE_GET
                | places::STORAGE_REMOVE,
            ) => {
                // Values of one component may be missing.
                for column in 1..8 {
                    let mut changed = self.older_state.clone();
                    for row in &mut changed.0 {
                        let found = found.0.iter().find(|found| found[0] == row[0]);
                        if found.is_some_and(|found| found[column].is_none()) {
                            row[column] = None;
                        }
                    }
                    allowed.push(changed);
                }
            }
            Some(places::CLONE_FROM_OF_RESOURCE) => {
                changed.1 = before.1;
                allowed.push(changed);
            }
            Some(places::CLONE_FROM_OF_STATE) => {
                changed.2 = before.2;
                allowed.push(changed);
            }
            _ => {}
        }
        one_of(found, &allowed)
    }

    fn check(&mut self) {
        for clone in &self.clones {
            assert_eq!(state(clone).0.len(), clone.entity_count());
        }
        let mut outputs = self.outputs();
        outputs.sort_unstable();
        assert!([vec![], vec![0, 3, 6], vec![0, 3, 6, 21]].contains(&outputs), "{outputs:?}");
        if Self::DEED == Deed::SnapshotInto && !self.whole {
            let state = self.state();
            let refused = caught(|| self.world.restore(&self.older)).unwrap_or_default();
            assert!(refused.contains("the snapshot is incomplete"), "{refused}");
            assert_eq!(self.state(), state, "nothing has changed");
        }
        if Self::DEED == Deed::SnapshotInto && self.whole {
            // A complete snapshot can be restored into another world.
            let mut other = World::<Glass>::on(Threads::Inline);
            other.restore(&self.older).unwrap();
            assert_eq!(state(&other), state(&other.clone()));
        }
        assert_subscribed!(self.world;
            OfFlat: [Flat] [];
            OfBits: [Bits] [Flat];
            OfLeft: [Left] [Right];
            OfSparse: [Sparse] [];
            OfMapped: [Mapped] [];
            OfOwn: [Own] [];
        );
        self.world.tick().unwrap();
    }
}

pub(super) static SHOTS: [FaultCase; 9] = [
    FaultCase::of::<Shot<0>>(),
    FaultCase::of::<Shot<1>>(),
    FaultCase::of::<Shot<2>>(),
    FaultCase::of::<Shot<3>>(),
    FaultCase::of::<Shot<4>>(),
    FaultCase::of_drop::<Shot<0>>(),
    FaultCase::of_drop::<Shot<1>>(),
    FaultCase::of_drop::<Shot<2>>(),
    FaultCase::of_drop::<Shot<3>>(),
];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Shot<3>>();

#[test]
fn a_snapshot() {
    SHOTS[0].report();
}

#[test]
fn a_snapshot_in_the_place_of_an_older_one() {
    SHOTS[1].report();
}

#[test]
fn a_clone() {
    SHOTS[2].report();
}

#[test]
fn a_restoration() {
    SHOTS[3].report();
}

#[test]
fn a_hash_and_looks() {
    SHOTS[4].report();
}

#[test]
fn the_drop_of_world_and_snapshot() {
    SHOTS[5..].iter().for_each(|shot| assert!(shot.report().runs > 0));
}
