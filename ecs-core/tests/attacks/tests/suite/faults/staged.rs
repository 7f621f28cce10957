//! Two unordered systems, split over subtasks, that stage every kind of change, and one system after them.

use attacks::faults::{
    Caught, Counting, Fault, FaultCase, Fired, Mode, Program, Tag, one_of, places,
};
use attacks::{assert_subscribed, rows, tracked};
use ecs_core::{Bundle, BundleSink, Data, Executor, System, Threads, World, world};

tracked! {
    Load: INTERLEAVED;
    Cargo: INTERLEAVED;
    Rare: SPARSE_SET;
    Chip: HASH_MAP;
    Flag: BUFFER;
}

world! {
    world Staging { entity_limit: dynamic(16) }
    component Tag: contiguous_buffer;
    component (Load, Cargo): contiguous_buffer;
    component Rare: sparse_set;
    component Chip: hash_map;
    component Flag: contiguous_buffer;

    system Grow {
        parallelism: split_every(64),
        read: [Tag],
        write_optional: [Load],
        despawn,
        insert: [Rare, Chip],
        remove: [Flag],
        spawn: [Parts],
        state: Grow::idle(),
    }
    system Shrink {
        parallelism: split_every(64),
        read: [Tag],
        insert: [Cargo],
        spawn: [(Tag, Flag)],
        despawn,
        state: Shrink::idle(),
    }
    system Late {
        dependencies: [Grow, Shrink],
        read: [Tag],
        insert: [Rare],
        remove: [Cargo],
        state: Late::idle(),
    }
}

/// A user's bundle, which may panic between its components.
struct Parts(Rare);

impl Bundle<Staging> for Parts {
    fn put(self, sink: &mut BundleSink<'_, Staging>) {
        let fault = self.0.fault().clone();
        fault.point(places::PUT);
        sink.put(Tag(2_000));
        fault.point(places::PUT);
        sink.put(self.0);
        fault.point(places::PUT);
    }
}

macro_rules! faulty {
    ($($system:ident)*) => {$(
        struct $system(Option<Fault>);

        impl $system {
            fn idle() -> Self {
                Self(None)
            }

            fn fault(&self) -> &Fault {
                self.0.as_ref().unwrap()
            }
        }
    )*};
}

faulty!(Grow Shrink Late);

/// Whether the entity has a special case in the systems.
fn is_special(tag: u64) -> bool {
    tag < 1_000 && tag.is_multiple_of(32)
}

impl System<Staging> for Grow {
    fn process(&self, data: &mut Data<'_, Staging, Self>) {
        let fault = self.fault();
        fault.point(places::PROCESS);
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let tag = e.tag.0;
            if !is_special(tag) {
                return;
            }
            fault.point(places::ENTITIES);
            if let Some(load) = e.load {
                load.set(load.get() + 1);
            }
            effects.insert(e.entity, Rare::new(fault, tag));
            effects.insert(e.entity, Chip::new(fault, tag));
            effects.remove::<Flag>(e.entity);
            fault.point(places::ENTITIES);
            let parts = (0..2).map(|n| Parts(Rare::new(fault, n)));
            // A hint that panics leaks a bundle: see `a_hint_that_panics_while_spawns_are_staged`.
            effects.spawn_batch(Counting::new(fault, parts).later());
            if tag == 64 {
                effects.despawn(e.entity);
            }
        });
        fault.point(places::PROCESS);
    }

    fn execute(&mut self, executor: &mut Executor<'_, Staging, Self>) {
        self.fault().point(places::BEFORE_SUBTASKS);
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
        self.fault().point(places::AFTER_SUBTASKS);
    }
}

impl System<Staging> for Shrink {
    fn process(&self, data: &mut Data<'_, Staging, Self>) {
        let fault = self.fault();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let tag = e.tag.0;
            if is_special(tag) {
                fault.point(places::ENTITIES);
                effects.insert(e.entity, Cargo::new(fault, tag));
                effects.insert(e.entity, Cargo::new(fault, tag + 1));
                effects.spawn((Tag(1_000), Flag::new(fault, tag)));
            }
        });
    }
}

impl System<Staging> for Late {
    fn process(&self, data: &mut Data<'_, Staging, Self>) {
        let fault = self.fault();
        fault.point(places::PROCESS);
        data.own.for_runs::<&Tag>(|tags| {
            if tags[0].0 == 0 {
                fault.point(places::RUNS);
            }
        });
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.tag.0 == 0 {
                effects.insert(e.entity, Rare::new(fault, 500));
                effects.remove::<Cargo>(e.entity);
            }
        });
        fault.point(places::PROCESS);
    }
}

type Row = Vec<Option<u64>>;

/// If `CATCHES`, it catches a panic of the systems and executes them again in the same step.
struct Stages<const CATCHES: bool> {
    caught: Caught,
    fault: Fault,
    world: World<Staging>,
    /// Whether the closure of the step has returned.
    over: bool,
}

impl<const CATCHES: bool> Program for Stages<CATCHES> {
    type State = Vec<Row>;

    const CATCHES: bool = CATCHES;

    fn new(fault: &Fault, threads: Threads) -> Self {
        let mut world = World::<Staging>::on(threads);
        world.system_mut::<Grow>().0 = Some(fault.clone());
        world.system_mut::<Shrink>().0 = Some(fault.clone());
        world.system_mut::<Late>().0 = Some(fault.clone());
        let filled = world.step(|step| {
            // Two blocks of rows, and so two subtasks.
            for tag in 0..70 {
                let entity = step.spawn((Tag(tag),));
                if is_special(tag) {
                    drop(step.insert(entity, Load::new(fault, 3 * tag)));
                    drop(step.insert(entity, Flag::new(fault, tag)));
                    drop(step.insert(entity, Chip::new(fault, tag)));
                    drop(step.insert(entity, Rare::new(fault, tag)));
                }
            }
        });
        filled.unwrap();
        Self { caught: Caught::default(), fault: fault.clone(), world, over: false }
    }

    fn act(&mut self) {
        let Self { fault, world, over, caught } = self;
        *over = false;
        let step = world.step(|step| {
            fault.point(places::STEP);
            if !CATCHES || !caught.run(|| step.execute_systems()) {
                step.execute_systems();
            }
            fault.point(places::STEP);
            *over = true;
        });
        step.unwrap();
    }

    fn state(&self) -> Vec<Row> {
        rows!(self.world; Tag, Load, Cargo, Rare, Chip, Flag)
    }

    fn model(&self, state: &Vec<Row>) -> Vec<Row> {
        let mut rows = Vec::new();
        for row in state {
            let tag = row[0].unwrap_or(2_000);
            if !is_special(tag) {
                rows.push(row.clone());
                continue;
            }
            rows.push(vec![Some(1_000), None, None, None, None, Some(tag)]);
            for n in 0..2 {
                rows.push(vec![Some(2_000), None, None, Some(n), None, None]);
            }
            let load = row[1].map(|load| load + 1);
            match tag {
                0 => rows.push(vec![Some(tag), load, None, Some(500), Some(tag), None]),
                64 => {}
                _ => {
                    rows.push(vec![Some(tag), load, Some(tag + 1), Some(tag), Some(tag), None]);
                }
            }
        }
        rows.sort_unstable();
        rows
    }

    fn verify(&self, before: &Vec<Row>, found: &Vec<Row>, fired: &Fired) -> Result<(), String> {
        if self.over {
            // The panic was in the refresh, which applies all batches together, and so completely.
            let mut after = self.model(before);
            if CATCHES {
                // The in-place writes of the failed execution are there, and nothing else of it.
                for row in &mut after {
                    let twice = row[1].map(|load| load + 1);
                    if twice.is_some() && found.iter().any(|other| other[..2] == [row[0], twice]) {
                        row[1] = twice;
                    }
                }
                after.sort_unstable();
            }
            let mut allowed = vec![after.clone()];
            if fired.first == Some(places::PUT) {
                // One of the spawned entities is incomplete.
                let spawned = after.iter().enumerate().filter(|(_, row)| row[0] == Some(2_000));
                for (at, _) in spawned {
                    for tag in [None, Some(2_000)] {
                        let mut rows = after.clone();
                        rows[at] = vec![tag, None, None, None, None, None];
                        rows.sort_unstable();
                        allowed.push(rows);
                    }
                }
            }
            return one_of(found, &allowed);
        }
        // No staged change is applied. In-place writes may be there.
        let mut allowed = before.clone();
        let more = if CATCHES { 2 } else { 1 };
        for row in &mut allowed {
            let written = found.iter().find(|other| other[0] == row[0]).and_then(|other| other[1]);
            if row[1].is_some_and(|load| written.is_some_and(|w| (load..=load + more).contains(&w)))
            {
                row[1] = written;
            }
        }
        allowed.sort_unstable();
        one_of(found, &[allowed])
    }

    fn check(&mut self) {
        self.caught.clear();
        assert_subscribed!(self.world; Grow: [Tag] []; Late: [Tag] [];);
    }
}

pub(super) static STAGES: [FaultCase; 2] =
    [FaultCase::of::<Stages<false>>(), FaultCase::of_drop::<Stages<false>>()];
pub(super) static CATCHES: FaultCase = FaultCase::of::<Stages<true>>();
pub(super) static HARD: FaultCase = FaultCase::of_hard::<Stages<false>>();

#[test]
fn systems_that_stage_everything() {
    STAGES[0].report();
}

#[test]
fn an_execution_after_one_that_has_panicked() {
    CATCHES.report();
}

#[test]
fn their_drop() {
    STAGES[1].report();
}

#[test]
fn a_hint_that_panics_while_spawns_are_staged() {
    for chosen in 1..=7 {
        let fault = Fault::new();
        let mut world = World::<Staging>::on(Threads::Inline);
        let fired = fault.during(Mode::Once, chosen, || {
            let body = |data: &mut Data<'_, Staging, Grow>| {
                let parts = (0..2).map(|n| Parts(Rare::new(&fault, n)));
                data.effects.spawn_batch(Counting::new(&fault, parts));
            };
            let step = world.step(|step| {
                step.execute_with(|systems| {
                    let grow = systems.from::<(Grow,)>();
                    let grow = grow.for_subtasks::<Grow>(|_, data| body(data));
                    grow.for_subtasks::<Late>(|_, _| {})
                });
            });
            step.unwrap();
        });
        assert_eq!(fired.first, fired.caught);
        drop(world);
        assert_eq!(fault.living(), 0, "after a panic in {:?}", fired.first);
    }
}
