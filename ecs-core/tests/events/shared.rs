//! Systems without entities, whose subtasks share the events that they read.

use ecs_core::inner_parallelism::{Cut, Strategy};
use ecs_core::settings::{Config, Disallow, Dynamic, Sequential, Settings};
use ecs_core::{Entity, StateHash, Stream, Threads, World, world};

use crate::support::{caught, every_kind, fail, three};

#[derive(Clone, StateHash)]
struct Size(u64);

#[derive(Clone, StateHash)]
struct Born(u64);

/// Kept for a step more.
#[derive(Clone, StateHash)]
struct Seen(u64);

/// What was streamed, in order.
#[derive(Clone, Default, StateHash)]
struct Streamed(Vec<u64>);

/// A tenth of the events; then nonsense, which counts as the nearest sense: all that are left, and none.
struct Tenths;

impl Strategy for Tenths {
    const CUT: Option<fn(Cut) -> usize> = Some(|cut| match cut.subtask {
        2 => usize::MAX,
        3 => 0,
        subtask => cut.entities / 10 * subtask,
    });

    fn subtasks(_: usize, _: usize) -> usize {
        4
    }
}

world! {
    world Nursery {}
    component Size;
    resource Streamed;
    event Born;
    event Seen: keep(1);

    system Grow {
        parallelism: split_evenly(cores),
        emit: [Born, Seen],
        each: |size: &mut Size, effects| {
            size.0 += 1;
            effects.emit(Born(size.0));
            effects.emit(Seen(size.0));
        },
    }
    // The handles, and so the rows of what it spawns, follow from the order of the events.
    system Bear {
        parallelism: split_every(100),
        spawn: [(Size,)],
        each: |born: &Born, effects| {
            if born.0.is_multiple_of(3) {
                effects.spawn((Size(born.0),));
            }
        },
    }
    // How many events each subtask gets, and which.
    system Count {
        on: [Born],
        parallelism: Tenths,
        output: Vec<(usize, u64)>,
        run: |data| {
            let born = data.effects.events::<Born>();
            let entry = (born.len(), born.map(|born| born.0).sum());
            data.effects.output().push(entry);
        },
    }
    system Send {
        on: [Seen],
        parallelism: split_evenly(5),
        every: 2,
        output: Stream<u64>,
        run: |data| {
            for seen in data.effects.events::<Seen>() {
                data.effects.stream().send(seen.0);
            }
        },
    }
    system Receive {
        streams: [Send],
        run: |effects, streamed: &mut Streamed| streamed.0.extend(effects.received()),
    }
}

/// One subtask for each system.
type Whole = Config<Dynamic<0>, Disallow, Sequential>;

/// The sizes of all entities, what was counted and what was streamed, after each step.
type Trace = Vec<(Vec<(Entity, u64)>, usize, u64, Vec<u64>)>;

fn run<S: Settings>(mut world: World<Nursery, S>) -> (Trace, Vec<usize>, u64) {
    world.spawn_batch((0..1_000).map(|size| (Size(size),)));
    let (mut trace, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let before = world.entity_count();
        world.tick().unwrap();
        let counted: Vec<_> = world.outputs_of::<Count>().flatten().copied().collect();
        counts = counted.iter().map(|entry| entry.0).collect();
        assert_eq!(counts.iter().sum::<usize>(), before);
        let sizes = world.iter::<(Entity, &Size)>().map(|(entity, size)| (entity, size.0));
        let sum = counted.iter().map(|entry| entry.1).sum();
        let streamed = world.resource::<Streamed>().0.clone();
        trace.push((sizes.collect(), before, sum, streamed));
    }
    (trace, counts, world.state_hash())
}

#[test]
fn each_event_is_in_one_subtask_and_effects_come_in_the_order_of_events() {
    let (expected, counts, hash) = run(World::<Nursery, Whole>::on(Threads::Inline));
    assert_eq!(counts.len(), 1);
    // Some were born, in ascending order of their rows.
    assert!(expected[3].1 > 1_500);
    // Every second step, of events of two steps.
    let lengths: Vec<usize> = expected.iter().map(|step| step.3.len()).collect();
    assert_eq!(lengths, [1_000, 1_000, 1_000 + expected[1].1 + expected[2].1, lengths[2]]);
    for threads in every_kind() {
        let (trace, counts, its_hash) = run(World::<Nursery>::on(threads));
        let all = expected[3].1;
        assert_eq!(counts, [all / 10, all - all / 10, 0, 0]);
        assert!(trace == expected);
        assert_eq!(its_hash, hash);
    }
}

#[test]
fn the_subtasks_of_a_panic_drop_what_they_have_emitted() {
    struct Call(u32);
    struct Reply;
    world! {
        world Line {}
        event Call;
        event Reply;
        system Answer {
            emit: [Reply],
            parallelism: split_every(64),
            each: |call: &Call, effects| {
                effects.emit(Reply);
                if call.0 == 500 {
                    fail("engaged");
                }
            },
        }
        system Hang { on: [Reply], run: |_| {} }
    }
    for threads in [Threads::Inline, three()] {
        let mut world = World::<Line>::on(threads);
        (0..1_000).for_each(|call| world.emit(Call(call)));
        assert_eq!(caught(|| world.tick()), "engaged");
        assert_eq!(world.events::<Reply>().len(), 0);
        (0..100).for_each(|call| world.emit(Call(call)));
        world.tick().unwrap();
        assert_eq!(world.events::<Reply>().len(), 100);
    }
}

#[test]
fn a_body_of_a_step_shares_them_again_each_time_that_it_forks() {
    let mut world = World::<Nursery>::on(three());
    world.spawn_batch((0..300).map(|size| (Size(size),)));
    let counts = std::sync::Mutex::new(Vec::new());
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems.detailed::<Count>(|_, executor| {
                    for time in 0..2 {
                        executor.for_subtasks(|data| {
                            let count = data.effects.events::<Born>().len();
                            counts.lock().unwrap().push((time, count));
                        });
                    }
                })
            });
        })
        .unwrap();
    let mut counts = counts.into_inner().unwrap();
    counts.sort_unstable();
    let once = [0, 0, 30, 270];
    assert!(counts.iter().map(|count| count.1).eq([once, once].concat()));
}
