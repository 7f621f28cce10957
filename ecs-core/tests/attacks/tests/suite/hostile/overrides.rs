//! Closures in the place of systems' bodies that run nothing, run twice, panic, or are chosen by predicates that lie.

use std::sync::Mutex;

use attacks::support::{caught, fail, four};
use ecs_core::generated::{Both, EverySystem, One};
use ecs_core::overrides::{ForInstance, ForSubtasks, Predicate, SystemInstance};
use ecs_core::{Data, Executor, System, Threads, World, world};
use ecs_core::{Declaration, SystemName};

struct Number(u64);

world! {
    world Plan {}
    component Number: contiguous_buffer;
    system First { write: [Number], parallelism: split_evenly(3), output: Vec<u64> }
    system Then { write: [Number], inputs: [First] }
    system Last { write: [Number], dependencies: [Then] }
}

#[derive(Default)]
struct First;
#[derive(Default)]
struct Then;
#[derive(Default)]
struct Last;

/// Runs its subtasks three times; they panic the second time, and that is caught.
impl System<Plan> for First {
    fn process(&self, data: &mut Data<'_, Plan, Self>) {
        let (own, effects) = data.split();
        own.for_entities(|e| {
            e.number.0 += 1;
            effects.output().push(e.number.0);
        });
    }

    fn execute(&mut self, executor: &mut Executor<'_, Plan, Self>) {
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
        let panic = caught(|| executor.for_subtasks(|_| fail("within")));
        assert_eq!(panic.unwrap(), "within");
        executor.for_subtasks(|data| system.process(data));
    }
}

impl System<Plan> for Then {
    fn process(&self, data: &mut Data<'_, Plan, Self>) {
        let sum: u64 = data.outputs_of::<First>().flatten().sum();
        data.for_entities(|e| e.number.0 += sum);
    }

    /// Executes nothing.
    fn execute(&mut self, _: &mut Executor<'_, Plan, Self>) {}
}

impl System<Plan> for Last {
    fn process(&self, data: &mut Data<'_, Plan, Self>) {
        data.for_entities(|e| e.number.0 *= 2);
    }
}

/// A tree that differs from the declaration's: it has one system twice, and lacks one.
type Tree = Both<One<First>, Both<One<First>, Both<One<Then>, ()>>>;

impl EverySystem<Tree> for Plan {}

/// `Only` matches `First`, and `But` all other systems.
struct Only;
struct But;

impl<N: SystemName<Plan>> Predicate<Plan, N> for Only {
    const MATCHES: bool = N::INDEX == 0;
}

impl<N: SystemName<Plan>> Predicate<Plan, N> for But {
    const MATCHES: bool = N::INDEX != 0;
}

/// Records the name of the system, and does not run it.
struct Note<'a>(&'a Mutex<Vec<&'static str>>);

impl<N: SystemName<Plan>> ForInstance<Plan, N> for Note<'_> {
    fn execute(&self, instance: &mut SystemInstance<'_, '_, Plan, N>) {
        self.0.lock().unwrap().push(instance.signature().name());
    }
}

/// Does nothing in the subtasks, except that those of `Last` panic.
struct Idle;

impl<N: SystemName<Plan>> ForSubtasks<Plan, N> for Idle {
    fn process(&self, _: &N::System, _: &mut Data<'_, Plan, N>) {
        if <Plan as Declaration>::SYSTEMS[N::INDEX].name() == "Last" {
            fail("last");
        }
    }
}

fn filled(threads: Threads) -> World<Plan> {
    let mut world = World::<Plan>::on(threads);
    world.step(|step| step.spawn_batch((0..150).map(|n| (Number(n),))).map(drop)).unwrap().unwrap();
    world
}

fn numbers(world: &World<Plan>) -> Vec<u64> {
    let mut all = Vec::new();
    world.for_each::<&Number>(|number| all.push(number.0));
    all
}

#[test]
fn bodies_that_run_twice_or_not_at_all() {
    for threads in [Threads::Inline, four()] {
        let mut world = filled(threads);
        for _ in 0..3 {
            let before = numbers(&world);
            world.tick().unwrap();
            assert!(
                numbers(&world)
                    .iter()
                    .zip(before)
                    .all(|(after, before)| *after == (before + 2) * 2)
            );
        }
    }
}

#[test]
fn trees_and_predicates_that_lie() {
    for threads in [Threads::Inline, four()] {
        let mut world = filled(threads);
        let seen = Mutex::new(Vec::new());
        let before = numbers(&world);
        world
            .step(|step| {
                // The tree written by hand lacks `Last`, which keeps its body.
                step.execute_systems().remaining::<Tree>().detailed(Note(&seen)).run();
                step.execute_systems().matching::<_, Tree>(Only).detailed(Note(&seen)).run();
                step.execute_systems().matching::<_, Tree>(But).detailed(Note(&seen)).run();
                step.execute_systems()
                    .matching::<_, Tree>(Only)
                    .detailed(Note(&seen))
                    .matching::<_, Tree>(Only)
                    .detailed(Note(&seen))
                    .remaining::<Tree>()
                    .detailed(Note(&seen))
                    .run();
            })
            .unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, ["First", "First", "First", "Then", "Then", "Then"]);
        let expected = |n: u64| ((n * 2 * 2 + 2) * 2) * 2;
        assert!(
            numbers(&world).iter().zip(&before).all(|(after, before)| *after == expected(*before))
        );
        let panic = caught(|| {
            world.step(|step| {
                step.execute_systems().systems::<(First, Then, Last)>().for_subtasks(Idle).run();
            })
        });
        assert_eq!(panic.unwrap(), "last");
        assert!(
            numbers(&world).iter().zip(&before).all(|(after, before)| *after == expected(*before))
        );
    }
}
