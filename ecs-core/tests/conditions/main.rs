//! Run conditions: which systems are skipped, what the others see of those, and what is the same on any threads.

mod by_hand;
mod model;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;

use ecs_core::description::{self, Description};
use ecs_core::{Combine, Data, StateHash, Stream, System, SystemName, World, set, world};

use support::every_kind;

#[derive(Clone, Default, StateHash)]
struct Mode(u8);

#[derive(Clone, Default, StateHash)]
struct Speed(u8);

#[derive(Clone, Combine, Debug, Default, PartialEq, StateHash)]
struct Total(u32);

#[derive(Clone, Debug, Default, PartialEq, StateHash)]
struct Log(String);

impl Log {
    fn note(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push(' ');
    }
}

#[derive(Clone, StateHash)]
struct Value(u32);

fn is_one(mode: &Mode) -> bool {
    mode.0 == 1
}

fn is_fast<const LIMIT: u8>(mode: &Mode, speed: &Speed) -> bool {
    mode.0 == 1 && speed.0 > LIMIT
}

world! {
    world Game;
    component Value;
    resource Mode, Speed, Log;
    resource Total: sum;
    system List {
        run_if: |mode: &Mode| mode.0 == 1,
        read: [Value],
        parallelism: split_every(64),
        output: Vec<u32>,
        each: |e, effects| effects.output().push(e.value.0),
    }
    system Add {
        run_if: is_one,
        read: [Value],
        add: [Total],
        parallelism: split_every(64),
        each: |e, effects| effects.add(Total(e.value.0)),
    }
    system AddOne { add: [Total], run: |data| data.effects.add(Total(1)) }
    system Spawn {
        run_if: (is_fast::<3>),
        spawn: [Value],
        output: Vec<u8>,
        run: |data| {
            data.effects.spawn((Value(1),));
            data.effects.output().push(7);
        },
    }
    system Show {
        dependencies: [Add, AddOne],
        inputs: [List, Spawn],
        read_resources: [Total],
        write_resources: [Log],
        run: |data| {
            let (listed, spawned) =
                (data.effects.outputs_of::<List>(), data.effects.outputs_of::<Spawn>());
            let (count, sum) = (listed.clone().flatten().count(), listed.flatten().sum::<u32>());
            let spawned = spawned.flatten().count();
            let total = data.resources.get::<Total>().0;
            let text = format!("{count} {sum} {spawned} {total};");
            data.resources.get_mut::<Log>().note(&text);
        },
    }
}

fn game(threads: ecs_core::Threads) -> World<Game> {
    let mut world = World::<Game>::on(threads);
    world.spawn_batch((0..200).map(|n| (Value(n % 2),)));
    world
}

#[test]
fn a_skipped_system_outputs_and_adds_nothing_and_its_dependents_run() {
    for threads in every_kind() {
        let mut world = game(threads);
        for mode in [0, 1, 1, 2, 2, 1] {
            world.resource_mut::<Mode>().0 = mode;
            world.tick().unwrap();
        }
        let log = "0 0 0 1; 200 100 0 102; 200 100 0 203; 0 0 0 204; 0 0 0 205; 200 100 0 306; ";
        assert_eq!(world.resource::<Log>().0, log);
        assert_eq!(world.outputs_of::<List>().flatten().count(), 200);
    }
}

#[test]
fn what_a_skipped_system_staged_before_is_applied() {
    for threads in every_kind() {
        let mut world = game(threads);
        world.resource_mut::<Speed>().0 = 4;
        world
            .step(|step| {
                for mode in [1, 0, 1, 1, 0] {
                    step.resource_mut::<Mode>().0 = mode;
                    step.execute_only::<(Spawn, Show)>();
                }
            })
            .unwrap();
        assert_eq!(world.entity_count(), 203);
        assert_eq!(world.resource::<Log>().0, "0 0 1 0; 0 0 0 0; 0 0 1 0; 0 0 1 0; 0 0 0 0; ");
        world.resource_mut::<Speed>().0 = 3;
        world.tick().unwrap();
        assert_eq!(world.entity_count(), 203, "the second resource counts");
    }
}

#[test]
fn chains_single_systems_and_overrides_ask_too() {
    let mut world = game(ecs_core::Threads::Inline);
    world
        .step(|step| {
            step.execute_systems_from::<(List,)>();
            step.execute_only::<(Add,)>();
            step.execute_with(|all| {
                all.only::<(Add,)>().for_subtasks::<Add>(|_, _| unreachable!())
            });
            step.resource_mut::<Mode>().0 = 1;
            step.execute_systems_from::<(List,)>();
            step.execute_only::<(Add,)>();
        })
        .unwrap();
    assert_eq!(world.resource::<Log>().0, "0 0 0 0; 200 100 0 0; ");
    assert_eq!(world.resource::<Total>().0, 100);
}

#[test]
fn snapshots_hold_outputs_and_no_more() {
    let mut world = game(support::three());
    world.resource_mut::<Mode>().0 = 1;
    world.tick().unwrap();
    let listed = world.snapshot();
    world.resource_mut::<Mode>().0 = 0;
    world.tick().unwrap();
    let skipped = world.snapshot();
    world.restore(&listed).unwrap();
    let mut other = world.clone();
    assert_eq!(world.outputs_of::<List>().flatten().count(), 200);
    for world in [&mut world, &mut other] {
        world.resource_mut::<Mode>().0 = 0;
        world.tick().unwrap();
        assert_eq!(world.outputs_of::<List>().flatten().count(), 0);
        assert!(world.resource::<Log>().0.ends_with("; 0 0 0 102; "));
    }
    assert_eq!(world.state_hash(), other.state_hash());
    world.restore(&skipped).unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn a_description_names_what_a_condition_reads() {
    let game = Description::of::<Game>();
    let reads = |name| game.system(name).unwrap().list(description::List::RunIf);
    assert_eq!(reads("List"), ["Mode"]);
    assert_eq!(reads("Spawn"), ["Mode", "Speed"]);
    assert_eq!(reads("Show"), [""; 0]);
    assert!(game.to_string().contains("run_if Mode, Speed"));
}

// Phases: a condition sees what earlier phases have written.
world! {
    world Phased;
    component Value;
    resource Mode, Log;
    system Before {
        run_if: is_one,
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push('b'),
    }
    system Switch {
        sequential,
        dependencies: [Before],
        write_resources: [Mode],
        run: |data| data.resources.get_mut::<Mode>().0 = 1,
    }
    system After {
        run_if: is_one,
        dependencies: [Switch],
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push('a'),
    }
    system Back {
        run_if: is_one,
        sequential,
        dependencies: [After],
        write_resources: [Mode],
        run: |data| data.resources.get_mut::<Mode>().0 = 0,
    }
    system Last {
        run_if: |mode: &Mode| !is_one(mode),
        dependencies: [Back],
        write_resources: [Log],
        run: |data| data.resources.get_mut::<Log>().0.push('l'),
    }
}

#[test]
fn conditions_are_evaluated_at_the_start_of_each_phase() {
    for threads in every_kind() {
        let mut world = World::<Phased>::on(threads);
        world.tick().unwrap();
        world.resource_mut::<Mode>().0 = 1;
        world.tick().unwrap();
        world.step(|step| step.execute_only::<(After, Last)>()).unwrap();
        assert_eq!(world.resource::<Log>().0, "alball");
    }
}

// Streams: each end may be skipped.
world! {
    world Pipes;
    component Value;
    resource Mode, Speed, Log;
    resource Total: sum;
    system Send {
        run_if: is_one,
        read: [Value],
        parallelism: split_every(64),
        output: Stream<u32>,
        add: [Total],
        run: |data| {
            let (mut stream, mut sent) = (data.effects.stream(), 0);
            data.own.for_entities(|e| {
                stream.send(e.value.0);
                sent += 1;
            });
            data.effects.add(Total(sent));
        },
    }
    system Receive {
        run_if: |speed: &Speed| speed.0 == 1,
        streams: [Send],
        output: Vec<u32>,
        run: |data| {
            let items = data.effects.received::<Send>();
            data.effects.output().extend(items);
        },
    }
    system Tell {
        inputs: [Receive],
        write_resources: [Log],
        run: |data| {
            let count = data.effects.outputs_of::<Receive>().flatten().count();
            data.resources.get_mut::<Log>().note(&count.to_string());
        },
    }
}

#[test]
fn either_end_of_a_stream_may_be_skipped() {
    for threads in every_kind() {
        let mut world = World::<Pipes>::on(threads);
        world.spawn_batch((0..2_000).map(|n| (Value(n),)));
        for (sends, receives) in [(1, 1), (0, 1), (1, 0), (1, 1), (0, 0), (1, 1)] {
            world.resource_mut::<Mode>().0 = sends;
            world.resource_mut::<Speed>().0 = receives;
            world.tick().unwrap();
        }
        assert_eq!(world.resource::<Log>().0, "2000 0 0 2000 0 2000 ");
        assert_eq!(world.resource::<Total>().0, 4 * 2_000, "it sends also to no one");
    }
}

// Names of one type, and sets.
#[derive(Clone, Copy, Default, StateHash)]
struct Count(u32);

impl<D: ecs_core::Declaration, N: SystemName<D, System = Self>> System<D, N> for Count {
    fn process(&self, _: &mut Data<'_, D, N>) {}

    fn execute(&mut self, _: &mut ecs_core::Executor<'_, D, N>) {
        self.0 += 1;
    }
}

mod part {
    use super::{Count, Mode, Speed, set};

    fn is_off(mode: &Mode) -> bool {
        mode.0 == 0
    }

    set! {
        pub(crate) set Counting;
        resource Mode, Speed;
        system Off: Count { run_if: is_off }
        system Slow: Count { run_if: |mode: &Mode, speed: &Speed| !is_off(mode) && speed.0 < 2 }
    }
}

world! {
    world Parts;
    include part::Counting;
    system Always: Count {}
    system One: Count { run_if: is_one }
    system Two: Count { run_if: |mode: &Mode| mode.0 == 2 }
}

#[test]
fn each_name_of_a_type_has_its_own_condition_and_so_have_systems_of_sets() {
    let mut world = World::<Parts>::new();
    for (mode, speed) in [(0, 0), (1, 0), (1, 2), (2, 1), (2, 1), (2, 9)] {
        world.resource_mut::<Mode>().0 = mode;
        world.resource_mut::<Speed>().0 = speed;
        world.tick().unwrap();
    }
    let counts = [
        world.system::<Always>().0,
        world.system::<One>().0,
        world.system::<Two>().0,
        world.system::<part::Off>().0,
        world.system::<part::Slow>().0,
    ];
    assert_eq!(counts, [6, 2, 3, 1, 3]);
}
