//! Events: each reader reads each event once and in one order, on any threads, for any split and in any schedule.

mod forms;
mod indexed;
mod messages;
mod sets;
mod shared;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;

use ecs_core::scheduler::{Delayed, Shuffled};
use ecs_core::settings::{Allow, Config, Dynamic, Settings};
use ecs_core::{StateHash, Threads, World, world};
use proptest::prelude::*;

use support::{cases, every_kind, mix};

#[derive(Clone, StateHash)]
struct Value(u64);

/// Read in the step in which it is emitted.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Ping(u64);

/// Read in the next step.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Pong(u64);

/// Kept for two steps more.
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Kept(u64);

/// What readers have read, in order.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Log(Vec<u64>);

#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct LateLog(Vec<u64>);

world! {
    world Relay {}
    component Value: contiguous_buffer;
    resource Log;
    resource LateLog;
    event Ping;
    event Pong: delayed;
    event Kept: keep(2);

    // Three at the same time, each split in another way.
    system Whole {
        emit: [Ping, Kept],
        each: |value: &mut Value, effects| {
            value.0 = mix(value.0);
            if value.0.is_multiple_of(3) {
                effects.emit(Ping(value.0));
            }
            effects.emit(Kept(value.0));
        },
    }
    system Evenly {
        emit: [Ping],
        dependencies: [Whole],
        parallelism: split_evenly(cores),
        each: |value: &Value, effects| {
            if value.0.is_multiple_of(5) {
                effects.emit(Ping(value.0 + 1));
                effects.emit(Ping(value.0 + 2));
            }
        },
    }
    system ByBlocks {
        emit: [Kept, Ping],
        dependencies: [Whole],
        parallelism: split_every(64),
        each: |value: &Value, effects| {
            if value.0.is_multiple_of(7) {
                effects.emit(Ping(value.0 + 3));
                effects.emit(Kept(value.0 + 4));
            }
        },
    }
    // A loop, which the delayed event breaks.
    system Answer {
        emit: [Pong],
        parallelism: split_every(64),
        each: |ping: &Ping, effects| {
            let half = ping.0 / 2;
            if half.is_multiple_of(4) {
                effects.emit(Pong(half));
            }
        },
    }
    system Back {
        on: [Pong],
        emit: [Ping],
        parallelism: split_evenly(cores),
        run: |data| {
            for pong in data.effects.events::<Pong>() {
                data.effects.emit(Ping(pong.0 + 9));
            }
        },
    }
    system Write {
        on: [Ping],
        run: |effects, log: &mut Log| log.0.extend(effects.events::<Ping>().map(|ping| ping.0)),
    }
    system Late {
        on: [Kept],
        run: |effects, log: &mut LateLog| {
            log.0.extend(effects.events::<Kept>().map(|kept| kept.0));
        },
    }
}

/// The systems of the model, in an order that the declaration allows. (Those that nothing orders add in this order.)
const SYSTEMS: [&str; 7] = ["Whole", "Evenly", "ByBlocks", "Back", "Answer", "Write", "Late"];

/// One queue of the model: each event with its step, and the readers that have read it.
#[derive(Clone, Default)]
struct Queue {
    events: Vec<(u64, i64, Vec<&'static str>)>,
    later: Vec<u64>,
}

impl Queue {
    fn begin(&mut self, now: i64, keep: i64) {
        self.events.retain(|(_, step, _)| step + keep >= now);
        self.events.extend(self.later.drain(..).map(|event| (event, now, Vec::new())));
    }

    fn read(&mut self, reader: &'static str) -> Vec<u64> {
        let mut read = Vec::new();
        for (event, _, readers) in &mut self.events {
            if !readers.contains(&reader) {
                readers.push(reader);
                read.push(*event);
            }
        }
        read
    }
}

/// The same by plain lists.
#[derive(Clone, Default)]
struct Model {
    values: Vec<u64>,
    ping: Queue,
    pong: Queue,
    kept: Queue,
    log: Vec<u64>,
    late: Vec<u64>,
    now: i64,
    begun: bool,
}

impl Model {
    fn execute(&mut self, runs: &[&str]) {
        if !std::mem::replace(&mut self.begun, true) {
            self.now += 1;
            self.ping.begin(self.now, 0);
            self.pong.begin(self.now, 0);
            self.kept.begin(self.now, 2);
        }
        let now = self.now;
        let add = |queue: &mut Queue, event| queue.events.push((event, now, Vec::new()));
        // Delayed events are added when all systems have run.
        let mut pongs = Vec::new();
        // Unordered systems are merged in the order of the declaration. `Back` is after the emitters there.
        for system in SYSTEMS.into_iter().filter(|system| runs.contains(system)) {
            match system {
                "Whole" => {
                    for value in &mut self.values {
                        *value = mix(*value);
                        if value.is_multiple_of(3) {
                            add(&mut self.ping, *value);
                        }
                        add(&mut self.kept, *value);
                    }
                }
                "Evenly" => {
                    for value in self.values.iter().filter(|value| value.is_multiple_of(5)) {
                        add(&mut self.ping, value + 1);
                        add(&mut self.ping, value + 2);
                    }
                }
                "ByBlocks" => {
                    for value in self.values.iter().filter(|value| value.is_multiple_of(7)) {
                        add(&mut self.ping, value + 3);
                        add(&mut self.kept, value + 4);
                    }
                }
                "Back" => {
                    let read = self.pong.read("Back");
                    for pong in read {
                        add(&mut self.ping, pong + 9);
                    }
                }
                "Answer" => {
                    let read = self.ping.read("Answer").into_iter().map(|ping| ping / 2);
                    pongs.extend(read.filter(|n| n % 4 == 0));
                }
                "Write" => self.log.extend(self.ping.read("Write")),
                _ => self.late.extend(self.kept.read("Late")),
            }
        }
        self.pong.later.extend(pongs);
    }

    fn emit(&mut self, event: u64) {
        if self.begun {
            self.ping.events.push((event, self.now, Vec::new()));
        } else {
            self.ping.later.push(event);
        }
    }
}

/// Something that a program does.
#[derive(Clone, Debug)]
enum Action {
    Spawn(Vec<u64>),
    Tick,
    Emit(u64),
    /// Emits before, between and after two executions.
    Around(u64),
    /// Executes some systems only.
    Readers,
    Emitters,
    Chain,
    Nothing,
    Save,
    Restore,
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        proptest::collection::vec(any::<u32>().prop_map(u64::from), 0..200).prop_map(Action::Spawn),
        Just(Action::Tick),
        Just(Action::Tick),
        any::<u32>().prop_map(|event| Action::Emit(event.into())),
        any::<u32>().prop_map(|event| Action::Around(event.into())),
        Just(Action::Readers),
        Just(Action::Emitters),
        Just(Action::Chain),
        Just(Action::Nothing),
        Just(Action::Save),
        Just(Action::Restore),
    ]
}

/// Runs the program beside the model. Returns the hash after each action.
fn run<S: Settings>(mut world: World<Relay, S>, program: &[Action]) -> Vec<u64> {
    let (mut model, mut saved) = (Model::default(), None);
    let mut hashes = Vec::new();
    for action in program {
        model.begun = false;
        match action {
            Action::Spawn(values) => {
                world.spawn_batch(values.iter().map(|value| (Value(*value),)));
                model.values.extend(values);
            }
            Action::Tick => {
                world.tick().unwrap();
                model.execute(&SYSTEMS);
            }
            Action::Emit(event) => {
                world.emit(Ping(*event));
                model.emit(*event);
            }
            Action::Around(event) => {
                world
                    .step(|step| {
                        step.emit(Ping(*event));
                        step.execute_systems();
                        step.emit(Ping(event + 1));
                        step.execute_only::<(Write,)>();
                        step.emit(Ping(event + 2));
                    })
                    .unwrap();
                model.emit(*event);
                model.execute(&SYSTEMS);
                model.emit(event + 1);
                model.execute(&["Write"]);
                model.emit(event + 2);
            }
            Action::Readers => {
                world.step(|step| step.execute_only::<(Late, Answer)>()).unwrap();
                model.execute(&["Late", "Answer"]);
            }
            Action::Emitters => {
                world.step(|step| step.execute_only::<(Whole, ByBlocks)>()).unwrap();
                model.execute(&["Whole", "ByBlocks"]);
            }
            Action::Chain => {
                world.step(|step| step.execute_systems_from::<(Back,)>()).unwrap();
                model.execute(&["Back", "Answer", "Write"]);
            }
            Action::Nothing => world.step(|_| ()).unwrap(),
            Action::Save => saved = Some((world.snapshot(), model.clone())),
            Action::Restore => {
                if let Some((snapshot, then)) = &saved {
                    world.restore(snapshot).unwrap();
                    model = then.clone();
                }
            }
        }
        let events = |queue: &Queue| queue.events.iter().map(|one| one.0).collect::<Vec<_>>();
        assert!(world.events::<Ping>().map(|ping| ping.0).eq(events(&model.ping)), "{action:?}");
        assert!(world.events::<Pong>().map(|pong| pong.0).eq(events(&model.pong)), "{action:?}");
        assert!(world.events::<Kept>().map(|kept| kept.0).eq(events(&model.kept)), "{action:?}");
        assert_eq!(world.resource::<Log>().0, model.log);
        assert_eq!(world.resource::<LateLog>().0, model.late);
        hashes.push(world.state_hash());
    }
    hashes
}

type Under<S> = Config<Dynamic<0>, Allow, S>;

proptest! {
    #![proptest_config(cases(24))]
    #[test]
    fn programs_agree_with_the_model_on_any_threads(
        program in proptest::collection::vec(action(), 1..24),
    ) {
        let mut expected = None;
        for threads in every_kind() {
            let hashes = run(World::<Relay>::on(threads), &program);
            prop_assert_eq!(expected.get_or_insert(hashes.clone()), &hashes);
        }
        for threads in [Threads::Inline, support::three()] {
            let shuffled = World::<Relay, Under<Shuffled>>::on(threads.clone());
            prop_assert_eq!(&Some(run(shuffled, &program)), &expected);
            let delayed = World::<Relay, Under<Delayed>>::on(threads);
            prop_assert_eq!(&Some(run(delayed, &program)), &expected);
        }
    }
}

#[test]
fn a_world_goes_on_from_a_clone_as_it_would_have() {
    let mut world = World::<Relay>::on(support::three());
    world.spawn_batch((0..300).map(|n| (Value(mix(n)),)));
    world.tick().unwrap();
    world.emit(Ping(8));
    let mut copy = world.clone();
    for _ in 0..4 {
        assert_eq!(world.state_hash(), copy.state_hash());
        world.tick().unwrap();
        copy.tick().unwrap();
    }
    assert!(world.resource::<Log>().0.len() > 100);
}
