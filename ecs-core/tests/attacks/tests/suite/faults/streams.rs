//! A producer and a consumer of a stream: with one batch, and with more items than the queue holds.

use attacks::faults::{Fault, FaultCase, Fired, Program, Role, Tag, Tracked, one_of, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Data, Executor, Stream, System, Threads, World, world};

tracked! {
    Load: BUFFER;
    Sum: RESOURCE;
}

world! {
    world Piping { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Load: contiguous_buffer;
    resource Sum = Sum::new(&Fault::new(), 0);

    system Send {
        parallelism: split_every(64),
        read: [Tag], output: Stream<Item>, spawn: [(Load,)], state: Send::idle(),
    }
    system Take {
        streams: [Send], write_resources: [Sum], spawn: [(Load,)], state: Take(None),
    }
    system After { dependencies: [Take], read: [Load] }
}

attacks::idle_systems!(Piping; After);

/// An item of the stream; most are only counted.
enum Item {
    Plain,
    Watched(Tracked),
}

struct Send {
    fault: Option<Fault>,
    /// The number of items for each entity.
    items: usize,
}

struct Take(Option<Fault>);

impl Send {
    fn idle() -> Self {
        Self { fault: None, items: 0 }
    }
}

fn is_watched(tag: u64) -> bool {
    tag.is_multiple_of(40)
}

impl System<Piping> for Send {
    fn process(&self, data: &mut Data<'_, Piping, Self>) {
        let fault = self.fault.as_ref().unwrap();
        fault.point(places::PROCESS);
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            for n in 0..self.items {
                let item = if n == 0 && is_watched(e.tag.0) {
                    fault.point(places::SEND);
                    Item::Watched(Tracked::new(fault, &Role::ITEM, e.tag.0))
                } else {
                    Item::Plain
                };
                effects.stream().send(item);
            }
        });
        effects.spawn((Load::new(fault, 0),));
        fault.point(places::SEND);
    }

    fn execute(&mut self, executor: &mut Executor<'_, Piping, Self>) {
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
        self.fault.as_ref().unwrap().point(places::AFTER_SUBTASKS);
    }
}

impl System<Piping> for Take {
    fn process(&self, data: &mut Data<'_, Piping, Self>) {
        let fault = self.0.as_ref().unwrap();
        fault.point(places::RECEIVE);
        for item in data.effects.received::<Send>() {
            let more = match item {
                Item::Plain => 1,
                Item::Watched(tracked) => {
                    fault.point(places::RECEIVE);
                    data.effects.spawn((Load::new(fault, tracked.get()),));
                    1
                }
            };
            let sum = data.resources.get_mut::<Sum>();
            sum.set(sum.get() + more);
        }
    }

    fn execute(&mut self, executor: &mut Executor<'_, Piping, Self>) {
        let fault = self.0.clone().unwrap();
        fault.point(places::BEFORE_SUBTASKS);
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
        fault.point(places::AFTER_SUBTASKS);
    }
}

type Row = Vec<Option<u64>>;

struct Pipes<const ITEMS: usize> {
    fault: Fault,
    world: World<Piping>,
    over: bool,
}

const ENTITIES: u64 = 130;

impl<const ITEMS: usize> Program for Pipes<ITEMS> {
    type State = (Vec<Row>, u64);

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Piping>::on(threads);
        *world.resource_mut::<Sum>() = Sum::new(fault, 0);
        *world.system_mut::<Send>() = Send { fault: Some(fault.clone()), items: ITEMS };
        world.system_mut::<Take>().0 = Some(fault.clone());
        let bundles = (0..ENTITIES).map(|n| (Tag(n),));
        world
            .step(|step| {
                step.spawn_batch(bundles);
            })
            .unwrap();
        Self { fault: fault.clone(), world, over: false }
    }

    fn act(&mut self) {
        let Self { fault, world, over } = self;
        *over = false;
        let step = world.step(|step| {
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> (Vec<Row>, u64) {
        (rows!(self.world; Tag, Load), self.world.resource::<Sum>().get())
    }

    fn model(&self, (rows, sum): &(Vec<Row>, u64)) -> (Vec<Row>, u64) {
        let mut rows = rows.clone();
        // One entity for each of the three subtasks, and one for each watched item.
        rows.extend((0..3).map(|_| vec![None, Some(0)]));
        rows.extend((0..ENTITIES).filter(|tag| is_watched(*tag)).map(|tag| vec![None, Some(tag)]));
        rows.sort_unstable();
        (rows, sum + ENTITIES * ITEMS as u64)
    }

    fn verify(&self, before: &Self::State, found: &Self::State, _: &Fired) -> Result<(), String> {
        let after = self.model(before);
        if self.over {
            return one_of(found, &[after]);
        }
        // No staged change is applied, and the sum has any part of the items.
        let sums = before.1..=after.1;
        if sums.contains(&found.1) {
            one_of(&found.0, std::slice::from_ref(&before.0))
        } else {
            Err(format!("{sums:?}"))
        }
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Send: [Tag] []; After: [Load] [];);
    }
}

type Short = Pipes<1>;
/// Each of the first two subtasks sends 8 960 items: a queue holds 8 192.
type Long = Pipes<140>;

pub(super) static SHORT: [FaultCase; 2] = [FaultCase::of::<Short>(), FaultCase::of_drop::<Short>()];
pub(super) static LONG: FaultCase = FaultCase::of::<Long>();

#[test]
fn a_stream_of_a_batch_each() {
    SHORT[0].report();
}

#[test]
fn its_drop() {
    SHORT[1].report();
}

#[test]
fn a_stream_that_does_not_fit_into_the_queue() {
    LONG.report();
}
