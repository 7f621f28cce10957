//! Accumulations by unordered systems, whose merges panic before they have merged, or after.

use attacks::faults::{Fault, FaultCase, Fired, Program, Tag, one_of, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Accumulate, Data, Entity, System, Threads, World, world};

/// The number of entities.
const ALL: u64 = 8;

tracked! {
    Level: BUFFER;
    Wide: INTERLEAVED;
    Deep: SPARSE_SET;
}

/// The next entity of the ring.
struct Next(Entity);

macro_rules! merges {
    ($($name:ident)*) => {$(
        impl Accumulate for $name {
            fn accumulate(&mut self, later: Self) {
                self.fault().point(places::MERGE);
                self.set(merged(self.get(), later.get()));
                self.fault().point(places::MERGE);
            }
        }
    )*};
}

merges! { Level Wide Deep }

/// It depends on the order.
const fn merged(value: u64, later: u64) -> u64 {
    value.wrapping_mul(31).wrapping_add(later)
}

world! {
    world Ring { entity_limit: dynamic(16) }
    component (Tag, Wide): contiguous_buffer;
    component Level, Next: contiguous_buffer;
    component Deep: sparse_set;
    system First { read: [Tag, Next], accumulate: [Level, Wide, Deep], state: First(None), parallelism: split_every(64) }
    system Second { read: [Tag, Next], accumulate: [Level, Wide, Deep], despawn, state: Second(None) }
    system Both { dependencies: [First, Second], with: [Level, Deep] }
}

struct First(Option<Fault>);
struct Second(Option<Fault>);
#[derive(Default)]
struct Both;

impl System<Ring> for Both {
    fn process(&self, _: &mut Data<'_, Ring, Self>) {}
}

impl System<Ring> for First {
    fn process(&self, data: &mut Data<'_, Ring, Self>) {
        let fault = self.0.as_ref().unwrap();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            fault.point(places::ENTITIES);
            effects.accumulate(e.next.0, Level::new(fault, e.tag.0));
            effects.accumulate(e.next.0, Wide::new(fault, e.tag.0));
            effects.accumulate(e.next.0, Deep::new(fault, e.tag.0));
        });
    }
}

impl System<Ring> for Second {
    fn process(&self, data: &mut Data<'_, Ring, Self>) {
        let fault = self.0.as_ref().unwrap();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            fault.point(places::ENTITIES);
            effects.accumulate(e.next.0, Level::new(fault, e.tag.0 + 100));
            effects.accumulate(e.next.0, Wide::new(fault, e.tag.0 + 100));
            effects.accumulate(e.next.0, Deep::new(fault, e.tag.0 + 100));
            if e.tag.0 == 6 {
                effects.despawn(e.entity);
            }
        });
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

struct Merges {
    world: World<Ring>,
    fault: Fault,
    over: bool,
}

/// The state after a step without the merge that has this number; `None` if there are fewer merges.
fn without(state: &[Row], omitted: Option<usize>) -> Option<Vec<Row>> {
    let mut rows = state.to_vec();
    let mut merges = 0;
    for by in [0, 100] {
        for tag in state.iter().filter_map(|row| row[0]) {
            let target = rows.iter_mut().find(|row| row[0] == Some((tag + 1) % ALL));
            for place in target.into_iter().flat_map(|row| &mut row[1..]) {
                if let Some(value) = place {
                    if omitted != Some(merges) {
                        *value = merged(*value, tag + by);
                    }
                    merges += 1;
                } else {
                    *place = Some(tag + by);
                }
            }
        }
    }
    rows.retain(|row| row[0] != Some(6));
    rows.sort_unstable();
    omitted.is_none_or(|omitted| omitted < merges).then_some(rows)
}

impl Program for Merges {
    type State = Vec<Row>;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Ring>::on(threads);
        world.system_mut::<First>().0 = Some(fault.clone());
        world.system_mut::<Second>().0 = Some(fault.clone());
        world
            .step(|step| {
                let ring: Vec<Entity> = (0..ALL).map(|n| step.spawn((Tag(n),))).collect();
                for (n, one) in (0..).zip(&ring) {
                    step.insert(*one, Next(ring[(n + 1) % ring.len()])).unwrap();
                    let value = n as u64;
                    if n % 2 == 0 {
                        step.insert(*one, Level::new(fault, value)).unwrap();
                    }
                    if n % 3 == 0 {
                        step.insert(*one, Wide::new(fault, value)).unwrap();
                        step.insert(*one, Deep::new(fault, value)).unwrap();
                    }
                }
            })
            .unwrap();
        Self { world, fault: fault.clone(), over: false }
    }

    fn act(&mut self) {
        let Self { world, fault, over } = self;
        *over = false;
        let step = world.step(|step| {
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Level, Wide, Deep)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        without(state, None).expect("all merges")
    }

    /// A merge that panics leaves all others to be made; a value is there in any case.
    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        if !self.over {
            return one_of(found, std::slice::from_ref(before));
        }
        let lacking = (0..).map_while(|omitted| without(before, Some(omitted)));
        one_of(found, &[self.model(before)].into_iter().chain(lacking).collect::<Vec<_>>())
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; First: [Tag] []; Both: [Level, Deep] [];);
    }
}

pub(super) static MERGES: [FaultCase; 2] =
    [FaultCase::of::<Merges>(), FaultCase::of_drop::<Merges>()];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Merges>();

#[test]
fn accumulations() {
    MERGES[0].report();
}

#[test]
fn their_drop() {
    MERGES[1].report();
}
