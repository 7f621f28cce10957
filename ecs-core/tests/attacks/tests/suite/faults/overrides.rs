//! A user's scheduler and strategy, and closures that replace the bodies of systems.

use attacks::faults::{
    Fault, FaultCase, Fired, Hook, Hooked, Program, Role, Tag, Tracked, Worried, places,
};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::SystemName;
use ecs_core::inner_parallelism::Strategy;
use ecs_core::overrides::{ForInstance, ForSubtasks, SystemInstance};
use ecs_core::{Data, System, Threads, World, access, world};

tracked! {
    Num: BUFFER;
    Ticket: OUTPUT;
}

static HOOK: Hook = Hook::new();

struct Hooks;

impl Hooked for Hooks {
    const HOOK: &'static Hook = &HOOK;
}

type Anxious = Worried<Hooks>;

/// One subtask for each block of rows.
struct Picky;

impl Strategy for Picky {
    fn subtasks(entities: usize, _: usize) -> usize {
        HOOK.point(places::STRATEGY_OF_SUBTASKS);
        entities.div_ceil(64)
    }
}

world! {
    world Levels { entity_limit: dynamic(16), scheduler: Anxious }
    component Tag: contiguous_buffer;
    component Num: contiguous_buffer;
    system First: Add { parallelism: Picky, read: [Tag], write: [Num] }
    system Second: Add {
        dependencies: [First], parallelism: Picky, read: [Tag], write: [Num], output: Vec<Ticket>,
    }
    system Third: Add {
        dependencies: [Second], parallelism: Picky, read: [Tag], write: [Num], output: Vec<Ticket>,
    }
    system Fourth: Add { dependencies: [Third], read: [Tag], write: [Num], parallelism: split_every(64) }
    system Fifth: Add { dependencies: [Fourth], read: [Tag], write: [Num] }
    system Sixth: Add { dependencies: [Fifth], read: [Tag], write: [Num] }
}

/// Adds one to the numbers of some entities.
#[derive(Default)]
struct Add {
    executions: u64,
}

fn add<N>(fault: &Fault, place: &'static str, data: &mut Data<'_, Levels, N>)
where
    N: SystemName<Levels> + access::Reads<Tag, Levels> + access::Writes<Num, Levels>,
{
    data.own.query::<(&Tag, &mut Num)>().for_each(|(tag, num)| {
        if tag.0 % 35 == 0 {
            fault.point(place);
            num.set(num.get() + 1);
            fault.point(place);
        }
    });
}

/// The access that all systems of the world have.
trait Adds<N: SystemName<Levels>> {
    fn add(fault: &Fault, place: &'static str, data: &mut Data<'_, Levels, N>);
}

impl<N> Adds<N> for Add
where
    N: SystemName<Levels, System = Self> + access::Reads<Tag, Levels> + access::Writes<Num, Levels>,
{
    fn add(fault: &Fault, place: &'static str, data: &mut Data<'_, Levels, N>) {
        add(fault, place, data);
    }
}

impl<N> System<Levels, N> for Add
where
    N: SystemName<Levels, System = Self> + access::Reads<Tag, Levels> + access::Writes<Num, Levels>,
{
    fn process(&self, data: &mut Data<'_, Levels, N>) {
        add(&HOOK.fault(), places::PROCESS, data);
    }
}

struct InPlace(Tracked);

impl<N: SystemName<Levels, System: Adds<N>>> ForSubtasks<Levels, N> for InPlace {
    fn process(&self, _: &N::System, data: &mut Data<'_, Levels, N>) {
        let fault = self.0.fault();
        fault.point(places::ADAPTER);
        <N::System as Adds<N>>::add(fault, places::ADAPTER, data);
    }
}

impl<N: SystemName<Levels, System: Adds<N>>> ForInstance<Levels, N> for InPlace {
    fn execute(&self, instance: &mut SystemInstance<'_, '_, Levels, N>) {
        let fault = self.0.fault();
        fault.point(places::INSTANCE_ADAPTER);
        instance.for_subtasks(|_, data| {
            <N::System as Adds<N>>::add(fault, places::INSTANCE_ADAPTER, data);
        });
        fault.point(places::INSTANCE_ADAPTER);
    }
}

type Row = Vec<Option<u64>>;

struct Overrides {
    world: World<Levels>,
    fault: Fault,
    over: bool,
}

impl Program for Overrides {
    type State = Vec<Row>;

    const HOOK: Option<&'static Hook> = Some(&HOOK);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Levels>::on(threads);
        let bundles = (0..71).map(|n| (Tag(n), Num::new(fault, 0)));
        world
            .step(|step| {
                step.spawn_batch(bundles);
            })
            .unwrap();
        Self { world, fault: fault.clone(), over: false }
    }

    fn act(&mut self) {
        let Self { world, fault, over } = self;
        *over = false;
        let callback = || Tracked::new(fault, &Role::CALLBACK, 0);
        let (first, second, third) = (callback(), callback(), callback());
        let step = world.step(|step| {
            step.execute_with(|systems| {
                systems
                    .for_subtasks::<First>(move |_, data| {
                        add(first.fault(), places::OVERRIDE, data);
                    })
                    .detailed::<Second>(move |system, executor| {
                        let fault = second.fault();
                        fault.point(places::DETAILED);
                        system.executions += 1;
                        executor.for_subtasks(|data| {
                            add(fault, places::DETAILED, data);
                            data.effects.output().push(Ticket::new(fault, 0));
                        });
                        fault.point(places::DETAILED);
                    })
                    .detailed_instance::<Third>(move |instance| {
                        let fault = third.fault();
                        fault.point(places::DETAILED_INSTANCE);
                        instance.for_subtasks(|_, data| {
                            add(fault, places::DETAILED_INSTANCE, data);
                            data.effects.output().push(Ticket::new(fault, 0));
                        });
                        instance.for_outputs(|_, tickets| {
                            fault.point(places::OUTPUTS);
                            tickets.clear();
                        });
                    })
                    .systems::<(Fourth,)>()
                    .for_subtasks(InPlace(callback()))
                    .systems::<(Fifth,)>()
                    .detailed(InPlace(callback()))
            });
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Num)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut after = state.clone();
        for row in after.iter_mut().filter(|row| row[0].unwrap() % 35 == 0) {
            row[1] = row[1].map(|num| num + 6);
        }
        after
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        let after = self.model(before);
        if self.over {
            return attacks::faults::one_of(found, &[after]);
        }
        let rows = before.iter().zip(found).zip(&after);
        let mut is_between = before.len() == found.len();
        for ((before, found), after) in rows {
            is_between &= before[0] == found[0] && before[1] <= found[1] && found[1] <= after[1];
        }
        if is_between { Ok(()) } else { Err(format!("up to {after:?}")) }
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; First: [Tag, Num] []; Sixth: [Tag, Num] [];);
    }
}

pub(super) static OVERRIDES: [FaultCase; 2] =
    [FaultCase::of::<Overrides>(), FaultCase::of_drop::<Overrides>()];

#[test]
fn code_in_the_place_of_bodies() {
    OVERRIDES[0].report();
}

#[test]
fn its_drop() {
    OVERRIDES[1].report();
}
