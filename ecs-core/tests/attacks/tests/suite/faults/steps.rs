//! The closure of a step that performs every critical operation directly.

use attacks::faults::{Caught, Counting, Fault, FaultCase, Fired, Program, Tag, one_of, places};
use attacks::{assert_subscribed, idle_systems, rows, tracked};
use ecs_core::{Bundle, BundleSink, Entity, Step, Threads, World, settings::Settings, world};

tracked! {
    Flat: BUFFER;
    Left: INTERLEAVED;
    Right: INTERLEAVED;
    Sparse: SPARSE_SET;
    Mapped: HASH_MAP;
}

world! {
    world Edited { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Flat: contiguous_buffer;
    component (Left, Right): contiguous_buffer;
    component Sparse: sparse_set;
    component Mapped: hash_map;

    system OfFlat { with: [Flat], without: [Left] }
    system OfLeft { with: [Left] }
    system OfRight { with: [Right], without: [Sparse] }
    system OfSparse { with: [Sparse] }
    system OfMapped { with: [Mapped], without: [Right] }
}

idle_systems!(Edited; OfFlat, OfLeft, OfRight, OfSparse, OfMapped);

/// A user's bundle, which may panic between its components.
struct Parts(Fault);

impl Bundle<Edited> for Parts {
    fn put(self, sink: &mut BundleSink<'_, Edited>) {
        self.0.point(places::PUT);
        sink.put(Tag(100));
        self.0.point(places::PUT);
        sink.put(Sparse::new(&self.0, 11));
        self.0.point(places::PUT);
        sink.put(Mapped::new(&self.0, 12));
        self.0.point(places::PUT);
    }
}

type Row = Vec<Option<u64>>;

const TAG: usize = 0;
const FLAT: usize = 1;
const LEFT: usize = 2;
const SPARSE: usize = 4;
const MAPPED: usize = 5;

fn row(values: &[(usize, u64)]) -> Row {
    let mut row = vec![None; 6];
    for &(column, value) in values {
        row[column] = Some(value);
    }
    row
}

/// The number of operations of the step.
const OPERATIONS: usize = 13;

/// If `CATCHES`, it catches the panic of each operation and continues with the next one.
struct Edits<const CATCHES: bool> {
    fault: Fault,
    world: World<Edited>,
    entities: Vec<Entity>,
    /// The number of operations that have finished.
    done: usize,
    /// The operations that have panicked, if panics are caught.
    failed: Vec<usize>,
    caught: Caught,
    /// Whether the closure has returned.
    over: bool,
}

fn perform<S: Settings>(
    operation: usize,
    step: &mut Step<'_, Edited, S>,
    entities: &[Entity],
    fault: &Fault,
) {
    let flat = |value| Flat::new(fault, value);
    let mapped = |value| Mapped::new(fault, value);
    match operation {
        0 => drop(step.spawn((Tag(100), flat(1), Left::new(fault, 2)))),
        1 => drop(step.spawn(Parts(fault.clone()))),
        2 => drop(step.insert(entities[0], flat(50)).unwrap()),
        3 => drop(step.insert(entities[0], mapped(51)).unwrap()),
        4 => drop(step.remove::<Sparse>(entities[2])),
        5 => {
            let bundles = (0..3).map(|n| (Tag(100), flat(n), Right::new(fault, n)));
            assert_eq!(step.spawn_batch(Counting::new(fault, bundles).later()).len(), 3);
        }
        6 => {
            let bundles = (0..2).map(|_| Parts(fault.clone()));
            assert_eq!(step.spawn_batch(Counting::new(fault, bundles)).len(), 2);
        }
        7 => {
            let given = [(3, 60), (1, 61), (4, 62), (3, 63)];
            let given = given.into_iter().map(|(n, value)| (entities[n], flat(value)));
            step.insert_batch(Counting::new(fault, given).later());
        }
        8 => {
            let given = [(3, 60), (2, 61), (4, 62), (3, 63)];
            let given = given.into_iter().map(|(n, value)| (entities[n], mapped(value)));
            step.insert_batch(Counting::new(fault, given));
        }
        9 => {
            let taken = entities[..3].iter().copied();
            step.remove_batch::<Left>(Counting::new(fault, taken).later());
        }
        10 => {
            let taken = [5, 1].into_iter().map(|n| entities[n]);
            step.remove_batch::<Mapped>(Counting::new(fault, taken));
        }
        11 => step.despawn(entities[1]),
        12 => step.get_mut::<Flat>(entities[4]).unwrap().set(70),
        _ => unreachable!(),
    }
}

/// The states that an operation passes through: the one before it, those that a panic inside it may leave, and last the
/// one after it.
fn stages(state: &[Row], operation: usize) -> Vec<Vec<Row>> {
    let mut stages = vec![state.to_vec()];
    let next = |stages: &mut Vec<Vec<Row>>, change: &dyn Fn(&mut Vec<Row>)| {
        let mut stage = stages.last().unwrap().clone();
        change(&mut stage);
        stage.sort_unstable();
        stages.push(stage);
    };
    let set = |tag: u64, column: usize, value: Option<u64>| {
        move |rows: &mut Vec<Row>| {
            for row in rows.iter_mut().filter(|row| row[TAG] == Some(tag)) {
                row[column] = value;
            }
        }
    };
    let parts = [(TAG, 100), (SPARSE, 11), (MAPPED, 12)];
    match operation {
        0 => next(&mut stages, &|rows| rows.push(row(&[(TAG, 100), (FLAT, 1), (LEFT, 2)]))),
        1 => {
            for so_far in 0..=parts.len() {
                let mut stage = state.to_vec();
                stage.push(row(&parts[..so_far]));
                stage.sort_unstable();
                stages.push(stage);
            }
        }
        2 => next(&mut stages, &set(0, FLAT, Some(50))),
        3 => next(&mut stages, &set(0, MAPPED, Some(51))),
        4 => next(&mut stages, &set(2, SPARSE, None)),
        5 => next(&mut stages, &|rows| {
            rows.extend((0..3).map(|n| row(&[(TAG, 100), (FLAT, n), (3, n)])));
        }),
        6 => next(&mut stages, &|rows| rows.extend((0..2).map(|_| row(&parts)))),
        7 => {
            for (tag, value) in [(3, 60), (1, 61), (4, 62), (3, 63)] {
                next(&mut stages, &set(tag, FLAT, Some(value)));
            }
        }
        8 => {
            for (tag, value) in [(3, 60), (2, 61), (4, 62), (3, 63)] {
                next(&mut stages, &set(tag, MAPPED, Some(value)));
            }
        }
        9 => {
            for tag in 0..3 {
                next(&mut stages, &set(tag, LEFT, None));
            }
        }
        10 => {
            for tag in [5, 1] {
                next(&mut stages, &set(tag, MAPPED, None));
            }
        }
        11 => {}
        12 => next(&mut stages, &set(4, FLAT, Some(70))),
        _ => unreachable!(),
    }
    stages
}

/// The state after the first `operations` operations.
fn after(state: &[Row], operations: usize) -> Vec<Row> {
    (0..operations).fold(state.to_vec(), |state, n| stages(&state, n).pop().unwrap())
}

/// Removes the rows of the entities that are marked as despawned.
fn reclaimed(mut rows: Vec<Row>) -> Vec<Row> {
    rows.retain(|row| row[TAG] != Some(1));
    rows
}

impl<const CATCHES: bool> Program for Edits<CATCHES> {
    type State = Vec<Row>;

    const CATCHES: bool = CATCHES;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Edited>::on(threads);
        let entities = world.step(|step| {
            let spawn = |n: u64| {
                let entity = step.spawn((Tag(n), Flat::new(fault, n)));
                if n < 3 {
                    drop(step.insert(entity, Left::new(fault, n)));
                    drop(step.insert(entity, Right::new(fault, n)));
                }
                if n.is_multiple_of(2) {
                    drop(step.insert(entity, Sparse::new(fault, n)));
                } else {
                    drop(step.insert(entity, Mapped::new(fault, n)));
                }
                entity
            };
            (0..6).map(spawn).collect()
        });
        Self {
            fault: fault.clone(),
            world,
            entities: entities.unwrap(),
            done: 0,
            failed: Vec::new(),
            caught: Caught::default(),
            over: false,
        }
    }

    fn act(&mut self) {
        let Self { fault, world, entities, done, failed, caught, over } = self;
        (*done, *over) = (0, false);
        failed.clear();
        let step = world.step(|step| {
            for operation in 0..OPERATIONS {
                if CATCHES {
                    if !caught.run(|| perform(operation, step, entities, fault)) {
                        failed.push(operation);
                    }
                } else {
                    fault.point(places::STEP);
                    perform(operation, step, entities, fault);
                }
                *done = operation + 1;
            }
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Flat, Left, Right, Sparse, Mapped)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        reclaimed(after(state, OPERATIONS))
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        if CATCHES {
            if self.failed.len() > 2 {
                // Too many combinations.
                return Ok(());
            }
            let mut ways = vec![before.clone()];
            for operation in 0..OPERATIONS {
                let stages = |state: Vec<Row>| {
                    let mut stages = stages(&state, operation);
                    let is_whole = !self.failed.contains(&operation);
                    let first = if is_whole { stages.len() - 1 } else { 0 };
                    stages.split_off(first)
                };
                ways = ways.into_iter().flat_map(stages).collect();
            }
            if self.over {
                ways = ways.into_iter().map(reclaimed).collect();
            }
            return one_of(found, &ways);
        }
        if self.over {
            // The panic was in the refresh, which still completes.
            return one_of(found, &[self.model(before)]);
        }
        // Finished operations have their effect; entities that are marked as despawned are still there.
        let state = after(before, self.done);
        if self.done < OPERATIONS {
            one_of(found, &stages(&state, self.done))
        } else {
            one_of(found, &[state])
        }
    }

    fn check(&mut self) {
        self.caught.clear();
        assert_subscribed!(self.world;
            OfFlat: [Flat] [Left];
            OfLeft: [Left] [];
            OfRight: [Right] [Sparse];
            OfSparse: [Sparse] [];
            OfMapped: [Mapped] [Right];
        );
    }
}

pub(super) static EDITS: [FaultCase; 2] =
    [FaultCase::of::<Edits<false>>(), FaultCase::of_drop::<Edits<false>>()];
pub(super) static CATCHES: FaultCase = FaultCase::of::<Edits<true>>();

#[test]
fn a_step_that_edits_at_once() {
    EDITS[0].report();
}

#[test]
fn a_step_that_catches_and_goes_on() {
    CATCHES.report();
}

#[test]
fn its_drop() {
    EDITS[1].report();
}
