//! Updates by unordered systems, some of them to the same entity.

use attacks::faults::{Fault, FaultCase, Fired, Program, Role, Tag, one_of, places};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Data, Entity, StepError, System, Threads, World, world};

tracked! {
    Level: BUFFER;
    Deep: SPARSE_SET;
}

world! {
    world Tanks { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component Level: contiguous_buffer;
    component Deep: sparse_set;
    system Drain { read: [Tag], remove: [Level, Deep], despawn, state: Drain(None) }
    system Rise { dependencies: [Drain], read: [Tag], update: [Level, Deep], state: Rise(None) }
    system Fall { dependencies: [Drain], read: [Tag], update: [Level, Deep], state: Fall(None) }
}

struct Drain(Option<Fault>);
struct Rise(Option<Fault>);
struct Fall(Option<Fault>);

impl System<Tanks> for Drain {
    fn process(&self, data: &mut Data<'_, Tanks, Self>) {
        let fault = self.0.as_ref().unwrap();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            fault.point(places::ENTITIES);
            match e.tag.0 {
                2 => effects.remove::<Level>(e.entity),
                3 => effects.remove::<Deep>(e.entity),
                6 => effects.despawn(e.entity),
                _ => {}
            }
        });
    }
}

macro_rules! updates {
    ($($system:ident: $whom:expr, $by:expr;)*) => {$(
        impl System<Tanks> for $system {
            fn process(&self, data: &mut Data<'_, Tanks, Self>) {
                let fault = self.0.as_ref().unwrap();
                let Data { own, effects, .. } = data;
                let whom: fn(u64) -> bool = $whom;
                own.query::<(Entity, &Tag, &Level, &Deep)>().for_each(|(entity, tag, level, deep)| {
                    if !whom(tag.0) {
                        return;
                    }
                    fault.point(places::ENTITIES);
                    let value = level.get() + $by;
                    effects.update(entity, Level::of(fault, &Role::UPDATE, value));
                    let value = deep.get() + $by;
                    effects.update(entity, Deep::of(fault, &Role::UPDATE, value));
                });
                fault.point(places::PROCESS);
            }
        }
    )*};
}

updates! {
    Rise: |tag| tag % 2 == 0, 100;
    // Both update the entity with tag 4.
    Fall: |tag| tag % 2 == 1 || tag == 4, 1_000;
}

type Row = Vec<Option<u64>>;

struct Updates {
    world: World<Tanks>,
    fault: Fault,
    over: bool,
}

impl Program for Updates {
    type State = Vec<Row>;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Tanks>::on(threads);
        world.system_mut::<Drain>().0 = Some(fault.clone());
        world.system_mut::<Rise>().0 = Some(fault.clone());
        world.system_mut::<Fall>().0 = Some(fault.clone());
        let bundles = (0..8).map(|n| (Tag(n), Level::new(fault, n), Deep::new(fault, n)));
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
        let step = world.step(|step| {
            step.execute_systems();
            fault.point(places::STEP);
            *over = true;
        });
        assert!(matches!(step, Err(StepError::UpdateConflict { .. })), "{step:?}");
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Level, Deep)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut rows = state.clone();
        for row in &mut rows {
            let tag = row[0].unwrap();
            let is_subscribed = row[1].is_some() && row[2].is_some();
            let by = if tag % 2 == 0 { 100 } else { 1_000 };
            if is_subscribed && tag != 4 {
                row[1] = row[1].map(|level| level + by);
                row[2] = row[2].map(|deep| deep + by);
            }
            match tag {
                2 => row[1] = None,
                3 => row[2] = None,
                _ => {}
            }
        }
        rows.retain(|row| row[0] != Some(6));
        rows.sort_unstable();
        rows
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, _: &Fired) -> Result<(), String> {
        let expected = if self.over { self.model(before) } else { before.clone() };
        one_of(found, &[expected])
    }

    fn check(&mut self) {
        assert_subscribed!(self.world; Drain: [Tag] []; Rise: [Tag, Level, Deep] [];);
    }
}

pub(super) static UPDATES: [FaultCase; 2] =
    [FaultCase::of::<Updates>(), FaultCase::of_drop::<Updates>()];
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Updates>();

#[test]
fn conflicting_updates() {
    UPDATES[0].report();
}

#[test]
fn their_drop() {
    UPDATES[1].report();
}
