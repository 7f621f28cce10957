//! Some thousands of entities with few calls of user code: pages and chunks that are changed in parallel.

use attacks::faults::{Fault, FaultCase, Fired, Program, one_of, places};
use attacks::{assert_subscribed, tracked};
use ecs_core::{Data, Entity, System, Threads, World, world};

#[derive(Clone, Copy, Debug)]
struct Number(u64);

tracked! {
    Load: INTERLEAVED;
    Extra: INTERLEAVED;
}

world! {
    world Swarm { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    component (Load, Extra): contiguous_buffer;
    system Grow {
        parallelism: split_every(1_024),
        read: [Number], write: [Load], despawn, insert: [Extra], remove: [Extra],
        spawn: [(Number, Load)], state: Grow(None),
    }
    system Bare { read: [Number], without: [Load], despawn, parallelism: split_every(1_024) }
}

/// More than one page of rows holds.
const ENTITIES: u64 = 4_400;

/// Whether the entity has values that are tracked.
fn is_loaded(number: u64) -> bool {
    number < ENTITIES && number.is_multiple_of(1_500)
}

fn is_despawned(number: u64) -> bool {
    number % 5 == 1 || number == 3_000
}

struct Grow(Option<Fault>);
#[derive(Default)]
struct Bare;

impl System<Swarm> for Grow {
    fn process(&self, data: &mut Data<'_, Swarm, Self>) {
        let fault = self.0.as_ref().unwrap();
        let Data { own, effects, .. } = data;
        own.query::<(Entity, &Number, &mut Load)>().for_each(|(entity, number, load)| {
            if !is_loaded(number.0) {
                return;
            }
            fault.point(places::ENTITIES);
            load.set(load.get() + 1);
            effects.insert(entity, Extra::new(fault, load.get()));
            effects.spawn((Number(ENTITIES + 10 * number.0), Load::new(fault, 7)));
            if is_despawned(number.0) {
                effects.despawn(entity);
            }
        });
    }
}

impl System<Swarm> for Bare {
    fn process(&self, data: &mut Data<'_, Swarm, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Entity, &Number)>().for_each(|(entity, number)| {
            if is_despawned(number.0) {
                effects.despawn(entity);
            }
        });
    }
}

/// All numbers; and number, load and extra of each entity that has a load.
type State = (Vec<u64>, Vec<(u64, u64, Option<u64>)>);

struct Swarms {
    world: World<Swarm>,
    fault: Fault,
    /// Whether the closure has spawned its batch.
    has_spawned: bool,
    over: bool,
}

/// The numbers of the batch that the closure spawns.
fn batch() -> impl Iterator<Item = u64> {
    200_001..200_500
}

impl Swarms {
    fn after(&self, state: &State) -> State {
        let (mut numbers, loads) = state.clone();
        if self.has_spawned {
            numbers.extend(batch());
        }
        numbers.sort_unstable();
        (numbers, loads)
    }
}

impl Program for Swarms {
    type State = State;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Swarm>::on(threads);
        world.system_mut::<Grow>().0 = Some(fault.clone());
        let filled = world.step(|step| {
            let all = step.spawn_batch((0..ENTITIES).map(|n| (Number(n),)));
            let all: Vec<Entity> = all.collect();
            for number in (0..ENTITIES).filter(|number| is_loaded(*number)) {
                let load = Load::new(fault, number);
                drop(step.insert(all[number as usize], load));
            }
        });
        filled.unwrap();
        Self { world, fault: fault.clone(), has_spawned: false, over: false }
    }

    fn act(&mut self) {
        let Self { world, fault, has_spawned, over } = self;
        (*has_spawned, *over) = (false, false);
        let step = world.step(|step| {
            let bundles = batch().map(|number| {
                if number % 400 == 0 {
                    fault.point(places::NEXT);
                }
                (Number(number),)
            });
            assert_eq!(step.spawn_batch(bundles).len(), batch().count());
            *has_spawned = true;
            fault.point(places::STEP);
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> State {
        let (mut numbers, mut loads) = (Vec::new(), Vec::new());
        for number in self.world.iter::<&Number>() {
            numbers.push(number.0);
        }
        for (number, load, extra) in self.world.iter::<(&Number, &Load, Option<&Extra>)>() {
            loads.push((number.0, load.get(), extra.map(Extra::get)));
        }
        numbers.sort_unstable();
        loads.sort_unstable();
        (numbers, loads)
    }

    fn model(&self, state: &State) -> State {
        let (mut numbers, mut loads) = state.clone();
        let loaded: Vec<u64> = loads.iter().map(|(number, ..)| *number).collect();
        let leaves = |number: u64| {
            is_despawned(number) && (is_loaded(number) || loaded.binary_search(&number).is_err())
        };
        numbers.retain(|&number| !leaves(number));
        // The batch did not exist at the last refresh, so the systems do not despawn it.
        numbers.extend(batch());
        let mut spawned = Vec::new();
        loads.retain_mut(|(number, load, extra)| {
            if is_loaded(*number) {
                (*load, *extra) = (*load + 1, Some(*load + 1));
                spawned.push((ENTITIES + 10 * *number, 7, None));
            }
            !is_loaded(*number) || !is_despawned(*number)
        });
        numbers.extend(spawned.iter().map(|(number, ..)| *number));
        loads.append(&mut spawned);
        numbers.sort_unstable();
        loads.sort_unstable();
        (numbers, loads)
    }

    fn verify(&self, before: &State, found: &State, _: &Fired) -> Result<(), String> {
        if self.over {
            return one_of(&(found == &self.model(before)), &[true]);
        }
        let mut expected = self.after(before);
        // In-place writes may be there.
        for (expected, found) in expected.1.iter_mut().zip(&found.1) {
            if is_loaded(expected.0) && found.1 == expected.1 + 1 {
                expected.1 = found.1;
            }
        }
        one_of(&(found == &expected), &[true])
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Grow: [Number, Load] []; Bare: [Number] [Load];);
    }
}

pub(super) static SWARMS: [FaultCase; 2] =
    [FaultCase::of::<Swarms>(), FaultCase::of_drop::<Swarms>()];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Swarms>();

#[test]
fn thousands() {
    SWARMS[0].report();
}

#[test]
fn their_drop() {
    SWARMS[1].report();
}
