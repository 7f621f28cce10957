//! Random programs against a naive model: what runs in which state, and what is the same on any threads and in any
//! schedule, with snapshots in the middle.

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{Snapshot, StateHash, States, StepError, World, world};
use proptest::prelude::*;

use super::support::{cases, every_kind, three};

#[derive(Clone, StateHash)]
struct Value(u32);

/// What the systems request.
#[derive(Clone, Copy, Debug, Default, StateHash)]
struct Script {
    /// Entities request that have this remainder.
    pick: u8,
    /// What the last system requests, if it is a variant.
    last: u8,
    /// What is requested when each variant is entered, if it is a variant.
    chain: [u8; 3],
    /// What is requested when a variant is left, if it is one.
    left: u8,
}

#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Log(Vec<(char, u32)>);

fn mode(number: u8) -> Option<Mode> {
    Mode::VARIANTS.get(usize::from(number)).copied()
}

world! {
    world Program { staged_changes: refresh_before_dependents }
    component Value;
    resource Script, Log;
    state Mode { A, B, C }
    state Day { Noon, Night }

    // Neither of the first two is ordered with the other one.
    system InA { in: A, parallelism: split_every(64), each: |value: &mut Value| value.0 = value.0.wrapping_mul(3) + 1 }
    system InBc { in: [Mode::B, Mode::C], parallelism: split_every(64), each: |value: &mut Value| value.0 += 5 }
    system Ask {
        set_state: [Mode, Day],
        dependencies: [InA, InBc],
        parallelism: split_every(64),
        each: |value: &Value, effects, script: &Script| {
            if value.0 % 16 == u32::from(script.pick) {
                effects.set_state(Mode::VARIANTS[(value.0 / 16 % 3) as usize]);
                effects.set_state(Day::VARIANTS[(value.0 / 64 % 2) as usize]);
            }
        },
    }
    system Dream { in: [Mode::B, Mode::A, Day::Night], run: |_, log: &mut Log| log.0.push(('d', 0)) }
    system Second { every: 2, dependencies: [Dream], run: |_, log: &mut Log| log.0.push(('2', 0)) }
    system Third { in: C, every: 3, dependencies: [Second], run: |_, log: &mut Log| log.0.push(('3', 0)) }
    system Born { in: C, spawn: [Value], run: |data| data.effects.spawn((Value(11),)) }
    system After {
        read: [Value],
        dependencies: [Born, Third, Ask],
        write_resources: [Log],
        run: |data| {
            let sum = data.own.query::<&Value>().into_iter().fold(0, |all: u32, value| {
                all.wrapping_mul(31).wrapping_add(value.0)
            });
            data.resources.get_mut::<Log>().0.push(('a', sum));
        },
    }
    system AskLast {
        set_state: [Mode],
        dependencies: [After],
        run: |effects, script: &Script| {
            if let Some(mode) = mode(script.last) {
                effects.set_state(mode);
            }
        },
    }

    system Enter {
        on_enter: [A, B, C],
        set_state: [Mode],
        read_resources: [Script],
        write_resources: [Log],
        run: |data| {
            let entered = data.effects.state::<Mode>().position();
            data.resources.get_mut::<Log>().0.push(('e', entered as u32));
            if let Some(next) = mode(data.resources.get::<Script>().chain[entered]) {
                data.effects.set_state(next);
            }
        },
    }
    system Exit {
        on_exit: [A, B, C],
        set_state: [Mode],
        read_resources: [Script],
        write_resources: [Log],
        run: |data| {
            let left = data.effects.state::<Mode>().position();
            data.resources.get_mut::<Log>().0.push(('x', left as u32));
            if let Some(next) = mode(data.resources.get::<Script>().left) {
                data.effects.set_state(next);
            }
        },
    }
    system Evening { on_enter: Day::Night, spawn: [Value], run: |data| data.effects.spawn((Value(7),)) }
    system Morning { on_exit: Day::Night, each: |value: &mut Value| value.0 ^= 1 }
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Script(Script),
    SetMode(u8),
    SetDay(u8),
    Spawn(u8),
    Tick,
    /// Two executions in one step, with a request before each.
    Twice(u8, u8),
    FromBorn,
    Only,
    Save,
    Restore,
    Clone,
}

fn script() -> impl Strategy<Value = Script> {
    let maybe = || prop_oneof![3 => Just(9_u8), 2 => 0..3_u8];
    (0..20_u8, maybe(), [maybe(), maybe(), maybe()], maybe())
        .prop_map(|(pick, last, chain, left)| Script { pick, last, chain, left })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => script().prop_map(Act::Script),
        2 => (0..3_u8).prop_map(Act::SetMode),
        2 => (0..2_u8).prop_map(Act::SetDay),
        1 => (1..200_u8).prop_map(Act::Spawn),
        5 => Just(Act::Tick),
        2 => (0..3_u8, 0..3_u8).prop_map(|(first, second)| Act::Twice(first, second)),
        1 => Just(Act::FromBorn),
        1 => Just(Act::Only),
        1 => Just(Act::Save),
        1 => Just(Act::Restore),
        1 => Just(Act::Clone),
    ]
}

/// The model: the same program, one system after the other. States are numbers: that of the mode, and that of the day.
#[derive(Clone, Default)]
struct Naive {
    script: Script,
    log: Log,
    values: Vec<u32>,
    states: [u8; 2],
    requests: [Option<u8>; 2],
    begun: [bool; 2],
    executions: u32,
    executed: bool,
    error: Option<StepError>,
}

impl Naive {
    fn request(&mut self, state: usize, variant: u8) {
        self.requests[state] = Some(variant);
    }

    fn request_mode(&mut self, variant: u8) {
        if variant < 3 {
            self.request(0, variant);
        }
    }

    fn transit(&mut self) {
        let mut entered: [Vec<u8>; 2] = Default::default();
        while let Some(state) = (0..2).find(|&state| {
            !self.begun[state] || self.requests[state].is_some_and(|to| to != self.states[state])
        }) {
            let from = self.states[state];
            let to = self.requests[state].take().unwrap_or(from);
            // What is requested of the states before it is what they are in.
            self.requests[..state].fill(None);
            if core::mem::replace(&mut self.begun[state], true) {
                if entered[state].contains(&to) {
                    let [from, to] =
                        [from, to].map(|variant| ["A", "B", "C"][usize::from(variant)]);
                    self.error =
                        self.error.or(Some(StepError::TransitionCycle { state: "Mode", from, to }));
                    continue;
                }
                entered[state].push(to);
                match (state, from) {
                    (0, _) => {
                        self.log.0.push(('x', from.into()));
                        self.request_mode(self.script.left);
                    }
                    (_, 1) => self.values.iter_mut().for_each(|value| *value ^= 1),
                    _ => {}
                }
            } else {
                entered[state].push(to);
            }
            self.states[state] = to;
            match (state, to) {
                (0, _) => {
                    self.log.0.push(('e', to.into()));
                    self.request_mode(self.script.chain[usize::from(to)]);
                }
                (_, 1) => self.values.push(7),
                _ => {}
            }
        }
        self.requests = [None; 2];
    }

    fn execute(&mut self, systems: &str) {
        if !core::mem::replace(&mut self.executed, true) {
            self.transit();
        }
        self.executions += 1;
        let [mode, day] = self.states;
        if systems.contains("in") {
            for value in &mut self.values {
                *value = if mode == 0 { value.wrapping_mul(3) + 1 } else { *value + 5 };
            }
        }
        let mut requests = [None; 2];
        if systems.contains("ask") {
            for value in &self.values {
                if value % 16 == u32::from(self.script.pick) {
                    requests = [Some((value / 16 % 3) as u8), Some((value / 64 % 2) as u8)];
                }
            }
        }
        if systems.contains("log") {
            if mode < 2 && day == 1 {
                self.log.0.push(('d', 0));
            }
            if self.executions % 2 == 1 {
                self.log.0.push(('2', 0));
            }
            if mode == 2 && self.executions % 3 == 1 {
                self.log.0.push(('3', 0));
            }
        }
        for (request, new) in self.requests.iter_mut().zip(requests) {
            *request = new.or(*request);
        }
        if systems.contains("born") && mode == 2 {
            self.values.push(11);
        }
        if systems.contains("after") {
            let sum = self
                .values
                .iter()
                .fold(0, |all: u32, value| all.wrapping_mul(31).wrapping_add(*value));
            self.log.0.push(('a', sum));
        }
        if systems.contains("last") {
            self.request_mode(self.script.last);
        }
    }

    fn act(&mut self, act: Act, saved: &mut Self) -> Result<(), StepError> {
        const ALL: &str = "in ask log born after last";
        self.executed = false;
        match act {
            Act::Script(script) => self.script = script,
            Act::SetMode(mode) => self.request(0, mode),
            Act::SetDay(day) => self.request(1, day),
            Act::Spawn(count) => self.values.extend((0..count).map(u32::from)),
            Act::Tick => self.execute(ALL),
            Act::Twice(first, second) => {
                self.request(0, first);
                self.execute(ALL);
                self.request(0, second);
                self.execute(ALL);
            }
            Act::FromBorn => self.execute("born after last"),
            Act::Only => self.execute("ask log"),
            Act::Save => *saved = self.clone(),
            Act::Restore => *self = saved.clone(),
            Act::Clone => {}
        }
        if core::mem::take(&mut self.executed) {
            self.transit();
        }
        self.error.take().map_or(Ok(()), Err)
    }
}

fn perform<S: Settings>(
    world: &mut World<Program, S>,
    act: Act,
    saved: &mut Snapshot<Program>,
) -> Result<(), StepError> {
    match act {
        Act::Script(script) => *world.resource_mut::<Script>() = script,
        Act::SetMode(mode) => world.set_state(Mode::VARIANTS[usize::from(mode)]),
        Act::SetDay(day) => world.set_state(Day::VARIANTS[usize::from(day)]),
        Act::Spawn(count) => {
            world.spawn_batch((0..count).map(|n| (Value(n.into()),)));
        }
        Act::Tick => return world.tick(),
        Act::Twice(first, second) => {
            return world.step(|step| {
                step.set_state(Mode::VARIANTS[usize::from(first)]);
                step.execute_systems();
                step.set_state(Mode::VARIANTS[usize::from(second)]);
                step.execute_systems();
            });
        }
        Act::FromBorn => return world.step(|step| step.execute_systems_from::<(Born,)>()),
        Act::Only => {
            return world.step(|step| step.execute_only::<(Ask, Dream, Second, Third)>());
        }
        Act::Save => *saved = world.snapshot(),
        Act::Restore => world.restore(saved).unwrap(),
        Act::Clone => *world = world.clone(),
    }
    Ok(())
}

/// The hashes after each act.
fn run<S: Settings>(mut world: World<Program, S>, acts: &[Act]) -> Result<Vec<u64>, TestCaseError> {
    let (mut naive, mut saved) = (Naive::default(), world.snapshot());
    let mut naive_saved = naive.clone();
    let mut hashes = Vec::new();
    for &act in acts {
        let done = perform(&mut world, act, &mut saved);
        prop_assert_eq!(done, naive.act(act, &mut naive_saved), "{:?}", act);
        prop_assert_eq!(world.resource::<Log>(), &naive.log);
        let values: Vec<u32> = world.iter::<&Value>().map(|value| value.0).collect();
        prop_assert_eq!(&values, &naive.values);
        let states = [world.state::<Mode>().position(), world.state::<Day>().position()];
        prop_assert_eq!(states, naive.states.map(usize::from));
        hashes.push(world.state_hash());
    }
    Ok(hashes)
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(40))]
    #[test]
    fn programs_do_what_the_model_does(acts in prop::collection::vec(act(), 1..40)) {
        let mut hashes = None;
        for threads in every_kind() {
            let found = run(World::<Program>::on(threads), &acts)?;
            prop_assert_eq!(hashes.get_or_insert_with(|| found.clone()), &found);
        }
        let shuffled = run(World::<Program, Under<Shuffled>>::on(three()), &acts)?;
        let delayed = run(World::<Program, Under<Delayed>>::on(three()), &acts)?;
        prop_assert_eq!(hashes.as_ref(), Some(&shuffled));
        prop_assert_eq!(hashes.as_ref(), Some(&delayed));
    }
}
