//! Components that nearly every entity has, looked up by handle after random operations, of which some panic.
//!
//! A look-up by handle leaves out the presence bit of a component that every entity has. An iteration, and a look-up by place,
//! always read it. So after each operation, and in the midst of steps, the two have to find the same.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use attacks::faults::{Counting, Fault, Hook, Hooked, Mode, Shelf, places};
use attacks::random::{below, byte, bytes, mix};
use attacks::support::four;
use attacks::tracked;
use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Fixed};
use ecs_core::{Accumulate, Data, Entity, Place, Snapshot, StateHash, Threads, World, world};

tracked! {
    Flat: BUFFER;
    Left: INTERLEAVED;
    Right: INTERLEAVED;
    Sparse: SPARSE_SET;
    Mapped: HASH_MAP;
    Own: STRATEGY;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

/// Snapshots copy it page by page, where it has changed.
#[derive(Clone, Copy, Debug, StateHash)]
struct Bits(u64);

impl Bits {
    fn new(_: &Fault, value: u64) -> Self {
        Self(value)
    }

    fn get(self) -> u64 {
        self.0
    }
}

#[derive(Clone, Copy, Debug, StateHash)]
struct Mark;

impl Mark {
    fn new(_: &Fault, _: u64) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as of the other components")]
    fn get(self) -> u64 {
        1
    }
}

impl Accumulate for Right {
    fn accumulate(&mut self, later: Self) {
        self.fault().point(places::MERGE);
        self.set(self.get() ^ later.get());
        self.fault().point(places::MERGE);
    }
}

/// What the systems do to the entities of some rows: an act, and a number.
#[derive(Clone, Debug)]
struct Plan {
    fault: Fault,
    acts: Vec<(usize, u64)>,
}

impl Plan {
    fn idle() -> Self {
        Self { fault: Fault::new(), acts: Vec::new() }
    }

    /// The acts for an entity. They are rare, so that most components stay those of every entity.
    fn of(&self, entity: Entity) -> impl Iterator<Item = (usize, u64)> {
        let meets = move |value| mix(value ^ u64::from(entity.index())).is_multiple_of(16);
        self.acts.iter().copied().filter(move |&(_, value)| meets(value))
    }
}

/// An expression for the component with a number.
macro_rules! of_component {
    ($which:expr, $C:ident => $body:expr) => {
        of_component!(@ $which, $C, $body; 0 Bits, 1 Flat, 2 Left, 3 Right, 4 Sparse, 5 Mapped, 6 Own; Mark)
    };
    (@ $which:expr, $C:ident, $body:expr; $($number:literal $name:ident),*; $last:ident) => {
        match $which {
            $($number => {
                type $C = $name;
                $body
            })*
            _ => {
                type $C = $last;
                $body
            }
        }
    };
}

const COMPONENTS: usize = 8;

/// The number of programs.
const SEEDS: u64 = 60;

type Parts = [Option<u64>; COMPONENTS];

type Terms<'a> = (
    Entity,
    (Option<&'a Bits>, Option<&'a Flat>, Option<&'a Left>, Option<&'a Right>),
    (Option<&'a Sparse>, Option<&'a Mapped>, Option<&'a Own>, Option<&'a Mark>),
);

/// What an operation answers is for other tests. A component is dropped here.
fn ignore<T>(_: T) {}

/// Declares the same world, with other moments at which staged changes are applied.
macro_rules! dense {
    ($($module:ident: $staged:ident),*) => {$(
        mod $module {
            use super::*;

            world! {
                pub(super) world Crowd { entity_limit: dynamic(16), staged_changes: $staged }
                component Bits, Flat: contiguous_buffer;
                component (Left, Right): contiguous_buffer;
                component Sparse: sparse_set;
                component Mapped: hash_map;
                component Own: storage(Shelf<Own, Hooks>);
                component Mark: empty;
                resource Plan = Plan::idle();
                query Marked { read: [Mark, Flat] }

                system AtOnce {
                    sequential,
                    read_resources: [Plan],
                    insert: [Flat, Left, Own, Mark],
                    remove: [Flat, Right, Own, Mark],
                    despawn,
                    spawn: [(Bits, Flat, Left, Right, Sparse, Mapped, Own, Mark)],
                    run: |data| at_once(data),
                }
                system Stage {
                    dependencies: [AtOnce],
                    parallelism: split_every(64),
                    read_resources: [Plan],
                    insert: [Bits, Flat, Left, Sparse, Mapped, Own, Mark],
                    remove: [Bits, Flat, Left, Sparse, Mapped, Own, Mark],
                    accumulate: [Right],
                    despawn,
                    spawn: [(Bits, Flat, Left, Right, Sparse, Mapped, Own, Mark), (Bits, Mark)],
                    defer,
                    run: |data| stage(data),
                }
                system Change {
                    dependencies: [Stage],
                    parallelism: split_every(64),
                    read_resources: [Plan],
                    insert: [Flat, Bits],
                    remove: [Flat, Bits],
                    run: |data| change(data),
                }
                system Look {
                    dependencies: [Change],
                    read_any: [Bits, Flat, Left, Right, Sparse, Mapped, Own, Mark],
                    queries: [Marked],
                    output: Vec<(Entity, Place)>,
                    run: |data| look(data),
                }
                system Reach {
                    exclusive,
                    inputs: [Look],
                    write: [Bits, Flat],
                    run: |data| reach(data),
                }
                system Chosen {
                    exclusive,
                    opt_in,
                    inputs: [Look],
                    dependencies: [Reach],
                    write: [Left],
                    run: |data| reach_chosen(data),
                }
            }

            fn full(fault: &Fault, n: u64) -> (Bits, Flat, Left, Right, Sparse, Mapped, Own, Mark) {
                let (flat, left) = (Flat::new(fault, n), Left::new(fault, n));
                let (right, sparse) = (Right::new(fault, n), Sparse::new(fault, n));
                (Bits(n), flat, left, right, sparse, Mapped::new(fault, n), Own::new(fault, n), Mark)
            }

            fn at_once(data: &mut Data<'_, Crowd, AtOnce>) {
                let Plan { fault, acts } = data.resources.get::<Plan>().clone();
                let plan = Plan { fault: fault.clone(), acts };
                let mut now = data.now();
                let all: Vec<Entity> = now.query::<Entity>().collect();
                for entity in all {
                    for (act, n) in plan.of(entity) {
                        match act {
                            0 => ignore(now.insert(entity, Flat::new(&fault, n))),
                            1 => ignore(now.insert(entity, Own::new(&fault, n))),
                            2 => ignore(now.insert(entity, Left::new(&fault, n))),
                            3 => ignore(now.remove::<Flat>(entity)),
                            4 => ignore(now.remove::<Own>(entity)),
                            5 => ignore(now.remove::<Right>(entity)),
                            6 => ignore(now.remove::<Mark>(entity)),
                            7 => now.despawn(entity),
                            8 => ignore(now.spawn(full(&fault, n))),
                            _ => {}
                        }
                    }
                }
            }

            fn stage(data: &mut Data<'_, Crowd, Stage>) {
                let plan = data.resources.get::<Plan>();
                let fault = &plan.fault;
                let (own, effects) = (&mut data.own, &mut data.effects);
                own.query::<Entity>().for_each(|entity| {
                    for (act, n) in plan.of(entity) {
                        match act {
                            10 => effects.insert(entity, Bits(n)),
                            11 => effects.insert(entity, Flat::new(fault, n)),
                            12 => effects.insert(entity, Sparse::new(fault, n)),
                            13 => effects.insert(entity, Own::new(fault, n)),
                            14 => effects.remove::<Bits>(entity),
                            15 => effects.remove::<Flat>(entity),
                            16 => effects.remove::<Left>(entity),
                            17 => effects.remove::<Mapped>(entity),
                            18 => effects.remove::<Own>(entity),
                            19 => effects.remove::<Mark>(entity),
                            20 => effects.remove::<Sparse>(entity),
                            21 => effects.accumulate(entity, Right::new(fault, n)),
                            22 | 23 => effects.despawn(entity),
                            24 => effects.spawn(full(fault, n)),
                            25 => effects.spawn((Bits(n), Mark)),
                            26 => {
                                let fault = fault.clone();
                                effects.defer(move |defer| {
                                    fault.point(places::DEFERRED);
                                    ignore(defer.remove::<Flat>(entity));
                                    assert!(defer.get::<Flat>(entity).is_none());
                                    fault.point(places::DEFERRED);
                                    let spawned = defer.spawn(full(&fault, n));
                                    defer.despawn(spawned);
                                    defer.spawn((Bits(n),));
                                    compare!(defer, []);
                                });
                            }
                            _ => {}
                        }
                    }
                });
            }

            fn change(data: &mut Data<'_, Crowd, Change>) {
                let plan = data.resources.get::<Plan>();
                let (own, effects) = (&mut data.own, &mut data.effects);
                own.query::<Entity>().for_each(|entity| {
                    for (act, n) in plan.of(entity) {
                        match act {
                            30 => effects.insert(entity, Flat::new(&plan.fault, n)),
                            31 => effects.remove::<Flat>(entity),
                            32 => effects.insert(entity, Bits(n)),
                            33 => effects.remove::<Bits>(entity),
                            _ => {}
                        }
                    }
                });
            }

            fn look(data: &mut Data<'_, Crowd, Look>) {
                let (own, effects) = (&mut data.own, &mut data.effects);
                let all: Vec<(Entity, Place)> = own.query::<(Entity, Place)>().into_iter().collect();
                for which in 0..COMPONENTS {
                    of_component!(which, C => {
                        let found = effects.read_any::<C>();
                        let mut visited = (Vec::new(), Vec::new());
                        for &(entity, place) in &all {
                            let [one, other] = [found.get(entity), found.get(place)];
                            assert_eq!(one.map(|one| one.get()), other.map(|one| one.get()), "{entity:?}");
                        }
                        found.for_each_of(all.iter().map(|pair| pair.0), |_, one| visited.0.push(one.get()));
                        found.for_each_of(all.iter().map(|pair| pair.1), |_, one| visited.1.push(one.get()));
                        assert_eq!(visited.0, visited.1);
                    });
                }
                let marked = effects.members::<Marked, &Flat>();
                for &(entity, place) in &all {
                    let is_member = marked.contains(entity);
                    assert_eq!(marked.get(entity).is_some(), is_member);
                    assert_eq!(marked.get(place).is_some(), is_member);
                }
                effects.output().extend(all);
            }

            fn reach(data: &mut Data<'_, Crowd, Reach>) {
                let all = data.effects.outputs_of::<Look>();
                let mut found = data.own.any_mut::<(&mut Bits, &Flat)>();
                for &(entity, place) in all.flatten() {
                    let one = found.get_mut(entity).map(|(bits, flat)| (bits.0, flat.get()));
                    let other = found.get_mut(place).map(|(bits, flat)| (bits.0, flat.get()));
                    assert_eq!(one, other);
                }
            }

            fn reach_chosen(data: &mut Data<'_, Crowd, Chosen>) {
                let all = data.effects.outputs_of::<Look>();
                let mut found = data.own.any_mut::<&mut Left>();
                let mut visited = (0, 0);
                found.for_each_of(all.clone().flatten().map(|pair| pair.0), |_, _| visited.0 += 1);
                found.for_each_of(all.flatten().map(|pair| pair.1), |_, _| visited.1 += 1);
                assert_eq!(visited.0, visited.1);
            }

            play!();
        }
    )*};
}

/// Compares what an iteration of the world or step finds with look-ups of all entities, and of these handles.
macro_rules! compare {
    ($world:expr, $handles:expr) => {{
        let mut rows = BTreeMap::<Entity, Parts>::new();
        for (entity, (bits, flat, left, right), (sparse, mapped, own, mark)) in $world.iter::<Terms<'_>>() {
            let parts = [
                bits.map(|bits| bits.get()), flat.map(Flat::get), left.map(Left::get), right.map(Right::get),
                sparse.map(Sparse::get), mapped.map(Mapped::get), own.map(Own::get), mark.map(|mark| mark.get()),
            ];
            rows.insert(entity, parts);
        }
        assert_eq!($world.entity_count(), rows.len());
        let handles: &[Entity] = &$handles;
        let all: Vec<Entity> = rows.keys().chain(handles).copied().collect();
        for entity in all {
            let parts = rows.get(&entity).copied();
            assert_eq!($world.is_alive(entity), parts.is_some());
            let parts = parts.unwrap_or_default();
            for (which, part) in parts.into_iter().enumerate() {
                of_component!(which, C => {
                    assert_eq!($world.get::<C>(entity).map(|one| one.get()), part, "{entity:?} {which}");
                    assert_eq!($world.get_mut::<C>(entity).map(|one| one.get()), part, "{entity:?} {which}");
                });
            }
        }
    }};
}

macro_rules! play {
    () => {
        /// Plays the program that the bytes encode.
        pub(super) fn play<S: ecs_core::settings::Settings>(threads: Threads, bytes: &[u8]) {
            let u = &mut Unstructured::new(bytes);
            let fault = Fault::new();
            HOOK.set(&fault);
            let mut world = World::<Crowd, S>::on(threads);
            let mut handles = Vec::new();
            let mut saved: Option<Snapshot<Crowd>> = None;
            let mut n = 0;
            while !u.is_empty() {
                let op = below(u, 16);
                let (which, at, count) = (below(u, COMPONENTS), below(u, 256), below(u, 90));
                let acts = (0..below(u, 6)).map(|_| (below(u, 34), u64::from(byte(u)))).collect();
                world.resource_mut::<Plan>().clone_from(&Plan { fault: fault.clone(), acts });
                // Most operations do not panic.
                let (mode, chosen) = (byte(u), usize::from(byte(u)));
                let mode = if mode % 2 == 0 { Mode::Once } else { Mode::Drops };
                let chosen = if chosen < 128 { 0 } else { chosen - 127 };
                n += 1000;
                let first = at % (handles.len() + 1);
                let some = handles[first..handles.len().min(first + count)].to_vec();
                fault.during(mode, chosen, || match op {
                    0 => ignore(world.step(|step| handles.push(step.spawn(full(&fault, n))))),
                    1 => {
                        let all = (0..count as u64).map(|more| full(&fault, n + more));
                        ignore(world.step(|step| handles.extend(step.spawn_batch(Counting::new(&fault, all)))));
                    }
                    2 => ignore(world.step(|step| handles.extend(step.spawn_batch((0..count).map(|_| (Bits(n), Mark)))))),
                    3 => ignore(world.step(|step| some.iter().for_each(|&entity| step.despawn(entity)))),
                    4 => ignore(world.step(|step| {
                        some.iter().take(2).for_each(|&entity| step.despawn(entity));
                        compare!(step, handles);
                    })),
                    // Every living entity gets the component.
                    5 | 6 => of_component!(which, C => ignore(world.step(|step| {
                        let all = handles.iter().zip(n..).map(|(&entity, n)| (entity, C::new(&fault, n)));
                        step.insert_batch(Counting::new(&fault, all));
                    }))),
                    7 => of_component!(which, C => ignore(world.step(|step| {
                        step.remove_batch::<C>(some.iter().copied());
                        compare!(step, handles);
                    }))),
                    8 => of_component!(which, C => ignore(world.step(|step| {
                        for &entity in some.iter().step_by(7) {
                            ignore(step.remove::<C>(entity));
                            assert!(step.get::<C>(entity).is_none());
                            ignore(step.insert(entity, C::new(&fault, n)));
                            ignore(step.remove::<C>(entity));
                            assert!(step.get_mut::<C>(entity).is_none());
                        }
                        compare!(step, handles);
                        step.execute_systems();
                    }))),
                    9 => some.iter().take(4).for_each(|&entity| ignore(world.step(|step| step.subscribe::<Chosen>(entity)))),
                    10 => saved = Some(world.snapshot()),
                    11 => if let Some(mut whole) = saved.take() {
                        world.snapshot_into(&mut whole);
                        saved = Some(whole);
                    },
                    12 => if let Some(saved) = &saved {
                        let _ = world.restore(saved);
                    },
                    13 => world = world.clone(),
                    _ => ignore(world.tick()),
                });
                compare!(world, handles);
                for entity in world.iter::<Entity>() {
                    if !handles.contains(&entity) {
                        handles.push(entity);
                    }
                }
                // A step in which the systems do nothing.
                world.resource_mut::<Plan>().acts.clear();
                ignore(world.tick());
                compare!(world, handles);
            }
            drop((world, saved));
            assert_eq!(fault.living(), 0, "leaked");
        }
    };
}

dense! { late: after_step, early: refresh_before_dependents }

/// Names the seed of a program that fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the seed {} fails", self.0);
        }
    }
}

#[test]
fn by_handle_and_by_row_find_the_same() {
    type Growing = Config<Dynamic<4>, Allow, AtomicCounter>;
    type Sorted = Config<ByArchetype<4>, Allow, AtomicCounter>;
    type Limited = Config<Fixed<100>, Allow, AtomicCounter>;
    let _turn = HOOK.turn();
    for seed in 0..SEEDS {
        let _seed = Seed(seed);
        let bytes = bytes(seed, 600);
        match seed % 6 {
            0 => late::play::<Growing>(four(), &bytes),
            1 => early::play::<Growing>(four(), &bytes),
            2 => late::play::<Sorted>(Threads::Inline, &bytes),
            3 => early::play::<Sorted>(four(), &bytes),
            4 => late::play::<Limited>(four(), &bytes),
            _ => early::play::<Limited>(Threads::Inline, &bytes),
        }
    }
}
