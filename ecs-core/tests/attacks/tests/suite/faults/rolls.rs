//! Sequential systems, which change the world at once while they iterate over entities and pairs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use attacks::faults::{Caught, Counting, Fault, FaultCase, Fired, Program, Tag, one_of, places};
use attacks::{assert_subscribed, idle_systems, rows, tracked};
use ecs_core::{Bundle, BundleSink, Data, Entity, System, Threads, World, world};

tracked! {
    Num: BUFFER;
    Held: INTERLEAVED;
    Met: INTERLEAVED;
    Mark: HASH_MAP;
}

world! {
    world Rolling { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Num: contiguous_buffer;
    component (Held, Met): contiguous_buffer;
    component Mark: hash_map;

    query Others { read: [Tag] }
    system Act {
        sequential,
        read: [Tag], write: [Num],
        despawn, insert: [Held, Mark], remove: [Held, Mark], spawn: [(Tag, Num), Parts],
        state: Act(None),
    }
    system Meet {
        sequential, dependencies: [Act], queries: [Others],
        read: [Tag], insert: [Met], despawn,
        state: Meet(None),
    }
    system OfHeld { dependencies: [Meet], with: [Held] }
    system OfMark { dependencies: [Meet], with: [Mark], without: [Met] }
}

idle_systems!(Rolling; OfHeld, OfMark);

struct Act(Option<Shared>);
struct Meet(Option<Shared>);

/// A user's bundle, which may panic between its components.
struct Parts(Mark);

impl Bundle<Rolling> for Parts {
    fn put(self, sink: &mut BundleSink<'_, Rolling>) {
        let fault = self.0.fault().clone();
        fault.point(places::PUT);
        sink.put(Tag(300));
        fault.point(places::PUT);
        sink.put(self.0);
        fault.point(places::PUT);
    }
}

/// One call of the closure: for an entity, or for a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Of(u64),
    /// For an entity that spawns another one with this tag.
    Spawn(u64),
    Pair(u64, u64),
}

#[derive(Clone)]
struct Shared {
    fault: Fault,
    entities: Vec<Entity>,
    acts: Arc<AtomicU64>,
    /// Collects the panics of the calls, if they are caught inside the iteration.
    caught: Option<Arc<Mutex<Caught>>>,
    /// The calls that have begun, and whether each has ended.
    journal: Arc<Mutex<Vec<(Turn, bool)>>>,
}

impl Shared {
    fn begin(&self, turn: Turn) {
        self.journal.lock().unwrap().push((turn, false));
    }

    /// Runs `f` as the body of a call, and notes its end.
    fn run(&self, f: impl FnOnce()) {
        let is_over = if let Some(caught) = &self.caught {
            caught.lock().unwrap().run(f)
        } else {
            f();
            true
        };
        if is_over {
            self.end();
        }
    }

    fn end(&self) {
        self.journal.lock().unwrap().last_mut().unwrap().1 = true;
    }
}

impl System<Rolling> for Act {
    fn process(&self, data: &mut Data<'_, Rolling, Self>) {
        let shared = self.0.as_ref().unwrap();
        let Shared { fault, entities, .. } = shared;
        fault.point(places::PROCESS);
        data.roll(|mut found| {
            let tag = found.get::<&Tag>().0;
            let spawned = 100 + shared.acts.load(Relaxed);
            shared.begin(if tag == 6 { Turn::Spawn(spawned) } else { Turn::Of(tag) });
            shared.run(|| {
                fault.point(places::ROLL);
                let mark = |(n, value): (usize, u64)| (entities[n], Mark::new(fault, value));
                match tag {
                    0 => found.now().despawn(entities[1]),
                    2 => drop(found.now().insert(entities[0], Held::new(fault, 90))),
                    3 => {
                        let given = [(3, 60), (2, 61), (4, 62), (3, 63)].into_iter().map(mark);
                        found.now().insert_batch(Counting::new(fault, given).later());
                    }
                    4 => drop(found.now().remove::<Held>(entities[2])),
                    5 => {
                        let taken = [2, 3].into_iter().map(|n| entities[n]);
                        found.now().remove_batch::<Mark>(Counting::new(fault, taken));
                    }
                    6 => drop(found.now().spawn((Tag(spawned), Num::new(fault, 1)))),
                    7 => {
                        let parts = (0..2).map(|n| Parts(Mark::new(fault, n)));
                        assert_eq!(found.now().spawn_batch(Counting::new(fault, parts)).len(), 2);
                    }
                    8 => drop(found.now().spawn(Parts(Mark::new(fault, 9)))),
                    9 => {
                        let given = [(0, 80), (3, 81)].into_iter();
                        let given = given.map(|(n, value)| (entities[n], Held::new(fault, value)));
                        found.now().insert_batch(Counting::new(fault, given).later());
                    }
                    _ => found.entry().num.set(70),
                }
                fault.point(places::ROLL);
            });
        });
        fault.point(places::PROCESS);
    }
}

impl System<Rolling> for Meet {
    fn process(&self, data: &mut Data<'_, Rolling, Self>) {
        let shared = self.0.as_ref().unwrap();
        let Shared { fault, entities, .. } = shared;
        fault.point(places::PROCESS);
        data.roll_pairs::<Others>(|mut pair| {
            let (own, member) = (pair.get::<&Tag>().0, pair.get_member::<&Tag>().0);
            if own != 3 {
                return;
            }
            shared.begin(Turn::Pair(own, member));
            shared.run(|| {
                fault.point(places::ROLL_PAIRS);
                match member {
                    2 => drop(pair.now().insert(entities[2], Met::new(fault, 40))),
                    4 => pair.now().despawn(entities[4]),
                    _ => {}
                }
                fault.point(places::ROLL_PAIRS);
            });
        });
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

/// The states that a call passes through: the one before it, those that a panic inside it may leave, and last the one
/// after it.
fn stages(state: &[Row], turn: Turn) -> Vec<Vec<Row>> {
    let mut stages = vec![state.to_vec()];
    let mut next = |change: &dyn Fn(&mut Vec<Row>)| {
        let mut stage = stages.last().unwrap().clone();
        change(&mut stage);
        stage.sort_unstable();
        stages.push(stage);
    };
    let set = |tag: u64, column: usize, value: Option<u64>| {
        move |rows: &mut Vec<Row>| {
            let found = rows.iter_mut().find(|row| row[0] == Some(tag));
            if let Some(row) = found {
                row[column] = value;
            }
        }
    };
    let parts = |n| vec![Some(300), None, None, None, Some(n)];
    match turn {
        Turn::Of(0) => next(&|rows| rows.retain(|row| row[0] != Some(1))),
        Turn::Of(2) => next(&set(0, 2, Some(90))),
        Turn::Of(3) => {
            for (tag, value) in [(3, 60), (2, 61), (4, 62), (3, 63)] {
                next(&set(tag, 4, Some(value)));
            }
        }
        Turn::Of(4) => next(&set(2, 2, None)),
        Turn::Of(5) => [2, 3].into_iter().for_each(|tag| next(&set(tag, 4, None))),
        Turn::Spawn(tag) => next(&|rows| rows.push(vec![Some(tag), Some(1), None, None, None])),
        Turn::Of(7) => next(&|rows| rows.extend((0..2).map(parts))),
        Turn::Of(8) => {
            // In between, the spawned entity has the components that the bundle has put so far.
            let so_far = [vec![None; 5], vec![Some(300), None, None, None, None], parts(9)];
            for bundle in so_far {
                let mut stage = state.to_vec();
                stage.push(bundle);
                stage.sort_unstable();
                stages.push(stage);
            }
        }
        Turn::Of(9) => {
            next(&set(0, 2, Some(80)));
            next(&set(3, 2, Some(81)));
        }
        Turn::Pair(3, 2) => next(&set(2, 3, Some(40))),
        Turn::Pair(3, 4) => next(&|rows| rows.retain(|row| row[0] != Some(4))),
        Turn::Of(tag) => next(&set(tag, 1, Some(70))),
        Turn::Pair(..) => {}
    }
    stages
}

/// If `CATCHES`, each call catches its panic, and the iteration continues with the next one.
struct Rolls<const CATCHES: bool> {
    world: World<Rolling>,
    shared: Shared,
    over: bool,
}

/// The possible states after these calls: one that has not ended may have stopped at any stage.
fn replay(before: &[Row], journal: &[(Turn, bool)]) -> Vec<Vec<Row>> {
    let mut ways = vec![before.to_vec()];
    for &(turn, ended) in journal {
        let stages = |state: Vec<Row>| {
            let mut stages = stages(&state, turn);
            for stage in &mut stages {
                stage.sort_unstable();
            }
            let first = if ended { stages.len() - 1 } else { 0 };
            stages.split_off(first)
        };
        ways = ways.into_iter().flat_map(stages).collect();
    }
    ways
}

impl<const CATCHES: bool> Rolls<CATCHES> {
    fn journal(&self) -> Vec<(Turn, bool)> {
        self.shared.journal.lock().unwrap().clone()
    }
}

impl<const CATCHES: bool> Program for Rolls<CATCHES> {
    type State = Vec<Row>;

    const CATCHES: bool = CATCHES;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Rolling>::on(threads);
        let entities = world.step(|step| {
            let spawn = |tag| {
                let entity = step.spawn((Tag(tag), Num::new(fault, tag)));
                drop(step.insert(entity, Held::new(fault, tag)));
                if tag % 2 == 0 {
                    drop(step.insert(entity, Mark::new(fault, tag)));
                    drop(step.insert(entity, Met::new(fault, tag)));
                }
                entity
            };
            (0..10).map(spawn).collect()
        });
        let (fault, entities) = (fault.clone(), entities.unwrap());
        let shared = Shared {
            fault,
            entities,
            acts: Arc::default(),
            caught: CATCHES.then(Arc::default),
            journal: Arc::default(),
        };
        world.system_mut::<Act>().0 = Some(shared.clone());
        world.system_mut::<Meet>().0 = Some(shared.clone());
        Self { world, shared, over: false }
    }

    fn act(&mut self) {
        let Self { world, shared, over } = self;
        *over = false;
        shared.acts.fetch_add(1, Relaxed);
        shared.journal.lock().unwrap().clear();
        let step = world.step(|step| {
            step.execute_systems();
            shared.fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Num, Held, Met, Mark)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        // The library decides which calls there are; that each entity had one is checked here.
        let journal = self.journal();
        let mut turns: Vec<u64> = Vec::new();
        for (turn, ended) in &journal {
            assert!(ended);
            match *turn {
                Turn::Of(tag) => turns.push(tag),
                Turn::Spawn(_) => turns.push(6),
                Turn::Pair(..) => {}
            }
        }
        turns.sort_unstable();
        let num = |row: &&Row| row[1].is_some() && row[0] != Some(1);
        let mut expected: Vec<u64> = state.iter().filter(num).map(|row| row[0].unwrap()).collect();
        expected.sort_unstable();
        assert_eq!(turns, expected, "each is visited, except the one that the first despawns");
        replay(state, &journal).pop().unwrap()
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        // Every finished call has its effect, and there are no staged changes.
        let journal = self.journal();
        if journal.iter().filter(|(_, ended)| !ended).count() > 2 {
            // Too many combinations.
            return Ok(());
        }
        one_of(found, &replay(before, &journal))
    }

    fn check(&mut self) {
        if let Some(caught) = &self.shared.caught {
            caught.lock().unwrap().clear();
        }
        assert_subscribed!(self.world;
            OfHeld: [Held] [];
            OfMark: [Mark] [Met];
        );
    }
}

pub(super) static ROLLS: [FaultCase; 2] =
    [FaultCase::of::<Rolls<false>>(), FaultCase::of_drop::<Rolls<false>>()];
pub(super) static CATCHES: FaultCase = FaultCase::of::<Rolls<true>>();

#[test]
fn systems_that_change_the_world_at_once() {
    ROLLS[0].report();
}

#[test]
fn turns_that_are_caught() {
    CATCHES.report();
}

#[test]
fn their_drop() {
    ROLLS[1].report();
}
