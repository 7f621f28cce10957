//! Schedulers that run nothing, too much, too early, on other threads, or another world.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use attacks::support::{caught, fail, four};
use ecs_core::scheduler::{
    AtomicCounter, Dag, ExecuteError, Failure, ForkJoin, Inline, Outcome, PanicSlot, Scheduler,
    StartNodes, SubtaskOrder,
};
use ecs_core::settings::Scheduled;
use ecs_core::{Data, System, Threads, World, world};

struct Number(u64);
struct Other(u64);

world! {
    world Chain {}
    component Number: contiguous_buffer;
    component Other: contiguous_buffer;
    system Add { write: [Number], parallelism: split_evenly(3), output: Vec<u64> }
    system Double { write: [Number], parallelism: split_evenly(3), inputs: [Add] }
    system Five { write: [Number], dependencies: [Double] }
    system Beside { write: [Other], parallelism: split_evenly(2) }
}

/// Declares the body of each system, as a change of a number.
macro_rules! bodies {
    ($($name:ident $component:ident $of:ident $number:ident $change:expr;)*) => {$(
        #[derive(Default)]
        struct $name;
        impl System<Chain> for $name {
            fn process(&self, data: &mut Data<'_, Chain, Self>) {
                data.own.query::<&mut $component>().for_each(|$component($number)| $change);
            }
        }
    )*};
}

bodies! {
    Add Number number n *n += 1;
    Double Number number n *n *= 2;
    Five Number number n *n += 5;
    Beside Other other n *n += 1;
}

/// The number of ways in which a scheduler misbehaves; the number after the last of them is correct behaviour.
const WAYS: usize = 15;
const HONEST: usize = WAYS;

/// The scheduler's behaviour in the next execution.
#[derive(Clone, Default)]
struct Way(std::sync::Arc<AtomicUsize>);

/// A scheduler that behaves as `way` says.
struct Wild {
    way: Way,
    honest: AtomicCounter,
    nodes: usize,
    /// A world that only the scheduler uses.
    nested: Mutex<Option<World<Chain>>>,
}

impl Wild {
    fn of(way: &Way, dag: &Dag) -> Self {
        let mut nested = World::on(Threads::Inline);
        fill(&mut nested);
        Self {
            way: way.clone(),
            honest: AtomicCounter::new(dag),
            nodes: dag.len(),
            nested: Mutex::new(Some(nested)),
        }
    }

    /// Steps the scheduler's own world.
    fn nest(&self) {
        let mut world = self.nested.lock().unwrap().take().unwrap();
        let before = numbers(&world);
        world.tick().unwrap();
        let after: Vec<_> = before.iter().map(|(n, other)| ((n + 1) * 2 + 5, other + 1)).collect();
        assert_eq!(numbers(&world), after);
        *self.nested.lock().unwrap() = Some(world);
    }
}

impl Scheduler for Wild {
    fn new(dag: &Dag) -> Self {
        Self::of(&Way::default(), dag)
    }

    fn execute<E, F>(
        &mut self,
        starts: StartNodes<'_>,
        executor: &E,
        run: &F,
    ) -> Result<(), ExecuteError>
    where
        E: ForkJoin,
        F: Fn(usize) -> Outcome + Sync,
    {
        let panics = PanicSlot::new();
        let call = |node: usize| drop(panics.catch(node, None, || run(node)));
        let all = 0..self.nodes;
        match self.way.0.load(Relaxed) {
            0 => {}
            1 => all.rev().for_each(call),
            2 => all.clone().chain(all).for_each(call),
            3 => call(usize::MAX),
            4 => all.for_each(|node| thread::scope(|scope| drop(scope.spawn(|| call(node))))),
            5 => thread::scope(|scope| all.for_each(|node| drop(scope.spawn(move || call(node))))),
            6 => {
                executor.join(|| all.clone().for_each(call), || all.clone().for_each(call));
            }
            7 => {
                self.nest();
                call(0);
                self.nest();
                call(1);
            }
            8 => {
                call(0);
                fail("the scheduler");
            }
            9 => {
                all.for_each(call);
                let payload: Box<dyn std::any::Any + Send> = Box::new("a failure that was none");
                return Err(Failure { node: 77, subtask: Some(usize::MAX), payload }.into());
            }
            10 => {
                // The result of a node may be dropped or forgotten.
                std::mem::forget(run(0));
                return Err(Dag::from_edges(1, []).unwrap().independent(&[9]).unwrap_err().into());
            }
            11 => return self.honest.execute(StartNodes::Nodes(&[self.nodes - 1]), executor, run),
            // Runs one node inside another one.
            12 => {
                let nested = |node: usize| {
                    if node == 0 {
                        call(1);
                    }
                    run(node)
                };
                return self.honest.execute(starts, &Inline, &nested);
            }
            13 => {
                // Two whole executions.
                self.honest.execute(starts, executor, run)?;
                return self.honest.execute(starts, executor, run);
            }
            14 => {
                // The panics are not reported.
                all.rev().for_each(call);
                drop(panics.take());
            }
            _ => return self.honest.execute(starts, executor, run),
        }
        panics.take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn subtask_order(&self) -> SubtaskOrder {
        // It differs with the behaviour.
        match self.way.0.load(Relaxed) % 3 {
            0 => SubtaskOrder::SideBySide,
            1 => SubtaskOrder::Shuffled(9),
            _ => SubtaskOrder::Delayed(3, std::time::Duration::ZERO),
        }
    }
}

const COUNT: usize = 300;

fn fill<S: ecs_core::settings::Settings>(world: &mut World<Chain, S>) {
    let entity = |n: usize| (Number(n as u64), Other(0));
    world
        .step(|step| {
            step.spawn_batch((0..COUNT).map(entity));
        })
        .unwrap();
}

fn numbers<S: ecs_core::settings::Settings>(world: &World<Chain, S>) -> Vec<(u64, u64)> {
    let mut all = Vec::new();
    for (n, other) in world.iter::<(&Number, &Other)>() {
        all.push((n.0, other.0));
    }
    all
}

#[test]
fn systems_run_once_in_order_or_not_at_all() {
    for threads in [Threads::Inline, four()] {
        let way = Way::default();
        let mut world = World::<Chain, Scheduled<Chain, Wild>>::with_scheduler(threads, |dag| {
            Wild::of(&way, dag)
        });
        fill(&mut world);
        for number in 0..WAYS {
            way.0.store(number, Relaxed);
            let before = numbers(&world);
            let panic = caught(|| world.tick());
            let after = numbers(&world);
            // For all entities alike: a prefix of the chain, and `Beside` or not.
            let chains: [fn(u64) -> u64; 4] =
                [|n| n, |n| n + 1, |n| (n + 1) * 2, |n| (n + 1) * 2 + 5];
            let results = chains.iter().flat_map(|chain| [0, 1].map(|beside| (chain, beside)));
            let mut results = results.map(|(chain, beside)| {
                before.iter().map(|(n, other)| (chain(*n), other + beside)).collect::<Vec<_>>()
            });
            assert!(results.any(|result| result == after), "{number}: {panic:?}");
            // The world still works.
            way.0.store(HONEST, Relaxed);
            let before = after;
            world.tick().unwrap();
            let all: Vec<_> =
                before.iter().map(|(n, other)| ((n + 1) * 2 + 5, other + 1)).collect();
            assert_eq!(numbers(&world), all, "{number}");
            if number % 4 == 3 {
                world.step(|step| step.execute_systems_from::<(Double, Beside)>()).unwrap();
                let part: Vec<_> = all.iter().map(|(n, other)| (n * 2 + 5, other + 1)).collect();
                assert_eq!(numbers(&world), part);
            }
        }
    }
}

#[test]
fn what_a_scheduler_returns_is_passed_on() {
    let way = Way::default();
    let mut world =
        World::<Chain, Scheduled<Chain, Wild>>::with_scheduler(Threads::Inline, |dag| {
            Wild::of(&way, dag)
        });
    fill(&mut world);
    let mut panic = |number| {
        way.0.store(number, Relaxed);
        caught(|| world.tick())
    };
    assert_eq!(panic(0), None);
    assert!(panic(2).unwrap().contains("twice"));
    assert!(panic(3).is_some());
    assert_eq!(panic(8).unwrap(), "the scheduler");
    assert_eq!(panic(9).unwrap(), "a failure that was none");
    assert!(panic(10).unwrap().contains("the starts were validated"));
}

#[test]
fn a_scheduler_that_panics_when_it_is_made() {
    let panic = caught(|| {
        World::<Chain, Scheduled<Chain, Wild>>::with_scheduler(Threads::Inline, |_| {
            fail("no scheduler")
        })
    });
    assert_eq!(panic.unwrap(), "no scheduler");
}

#[test]
fn a_scheduler_for_another_graph() {
    let way = Way::default();
    way.0.store(HONEST, Relaxed);
    for (nodes, edges) in
        [(0, vec![]), (1, vec![]), (9, vec![(8, 0), (7, 6)]), (4, vec![(3, 2), (2, 1), (1, 0)])]
    {
        let other = Dag::from_edges(nodes, edges).unwrap();
        let make = |_: &Dag| Wild::of(&way, &other);
        let mut world =
            World::<Chain, Scheduled<Chain, Wild>>::with_scheduler(Threads::Inline, make);
        fill(&mut world);
        let _ = caught(|| world.tick());
        let sum: u64 = numbers(&world).iter().map(|(n, _)| n).sum();
        let (before, count) = ((0..COUNT as u64).sum::<u64>(), COUNT as u64);
        assert!([before, before + count].contains(&sum), "{nodes} nodes: {sum}");
    }
}
