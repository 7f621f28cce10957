//! Where transitions meet panics, sequential systems, deferred functions, queries, limits, and impls by hand.

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use ecs_core::{HasState, StateHash, States, StepError, World, world};

use super::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Value(u32);

#[derive(Default)]
struct Log(Vec<&'static str>);

#[derive(Default)]
struct Faults {
    enter: bool,
    exit: bool,
    deferred: bool,
}

world! {
    world Fragile;
    component Value;
    resource Log, Faults;
    state Mode { Off, On }
    system Enter {
        on_enter: Mode::On,
        spawn: [Value],
        set_state: [Mode],
        defer,
        read_resources: [Faults],
        write_resources: [Log],
        run: |data| {
            data.resources.get_mut::<Log>().0.push("enter");
            data.effects.spawn((Value(1),));
            let faults = data.resources.get::<Faults>();
            if faults.enter {
                data.effects.set_state(Mode::Off);
                panic!("enter");
            }
            if faults.deferred {
                data.effects.defer(|_| panic!("deferred"));
            }
        },
    }
    system Exit {
        on_exit: Mode::On,
        run: |_, faults: &Faults, log: &mut Log| {
            log.0.push("exit");
            assert!(!faults.exit, "exit");
        },
    }
    system Play { in: Mode::On, run: |_, log: &mut Log| log.0.push("play") }
    system Tell { dependencies: [Play], run: |_, log: &mut Log| log.0.push("tell") }
}

fn log(world: &mut World<Fragile>) -> Vec<&'static str> {
    core::mem::take(&mut world.resource_mut::<Log>().0)
}

fn panics(world: &mut World<Fragile>, text: &str) {
    let payload = catch_unwind(AssertUnwindSafe(|| world.tick())).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&text));
}

#[test]
fn after_a_panic_the_variant_is_entered_and_the_rest_dropped() {
    for threads in every_kind() {
        let mut world = World::<Fragile>::on(threads);
        world.tick().unwrap();
        world.resource_mut::<Faults>().enter = true;
        world.set_state(Mode::On);
        panics(&mut world, "enter");
        assert_eq!((world.state::<Mode>(), world.entity_count()), (Mode::On, 0));
        assert_eq!(log(&mut world), ["tell", "enter"]);
        world.tick().unwrap();
        assert_eq!(world.state::<Mode>(), Mode::On, "its request is dropped, too");
        assert_eq!(log(&mut world), ["play", "tell"]);
    }
}

#[test]
fn after_a_panic_where_a_variant_is_left_it_is_not() {
    let mut world = World::<Fragile>::new();
    world.set_state(Mode::On);
    world.tick().unwrap();
    world.resource_mut::<Faults>().exit = true;
    world.set_state(Mode::Off);
    let step = world.step(|step| {
        let caught = catch_unwind(AssertUnwindSafe(|| step.execute_systems()));
        assert!(caught.is_err());
        step.execute_systems();
    });
    step.unwrap();
    assert_eq!(world.state::<Mode>(), Mode::On);
    assert_eq!(log(&mut world), ["enter", "play", "tell", "exit", "play", "tell"]);
}

#[test]
fn after_a_panic_of_a_deferred_function_no_transition_goes_on() {
    let mut world = World::<Fragile>::new();
    world.resource_mut::<Faults>().deferred = true;
    world.set_state(Mode::On);
    let step = world.step(|step| {
        let caught = catch_unwind(AssertUnwindSafe(|| step.execute_systems()));
        assert!(caught.is_err());
        step.execute_systems();
    });
    step.unwrap();
    assert_eq!((world.state::<Mode>(), world.entity_count()), (Mode::On, 1));
    assert_eq!(log(&mut world), ["enter", "play", "tell"]);
}

#[test]
fn a_panic_at_the_end_of_a_step_is_that_of_the_step() {
    let mut world = World::<Fragile>::new();
    world.tick().unwrap();
    world.resource_mut::<Faults>().enter = true;
    let step = || {
        world.step(|step| {
            step.execute_systems();
            step.set_state(Mode::On);
        })
    };
    assert!(catch_unwind(AssertUnwindSafe(step)).is_err());
    assert_eq!(log(&mut world), ["tell", "tell", "enter"]);
    world.tick().unwrap();
    assert_eq!(log(&mut world), ["play", "tell"]);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Team(u8);

world! {
    world Mixed { staged_changes: refresh_before_dependents }
    component Value, Team;
    resource Log;
    state Mode2 { A, B, C }
    state Half { First, Second }
    query Teams { index: by_key(Team), read: [Value] }
    // Changes at once, beside systems that it is not ordered with. (An index is made in any execution.)
    system Level {
        on_enter: Mode2::B,
        sequential,
        before: [Teams],
        despawn,
        write: [Value],
        set_state: [Half],
        run: |data| {
            data.roll(|mut one| {
                let (entity, value) = (one.entity(), one.entry().value.0);
                if value == 3 {
                    one.now().despawn(entity);
                }
            });
            data.effects.set_state(Half::Second);
        },
    }
    // Uses an index, which is made for it.
    system Sum {
        on_enter: Mode2::C,
        queries: [Teams],
        output: Vec<u32>,
        run: |data| {
            let mut sum = 0;
            let teams = data.effects.lookup::<Teams, &Value>();
            teams.at(Team(1)).for_each(|value| sum += value.0);
            data.effects.output().push(sum);
        },
    }
    system Grow { in: Mode2::A, each: |value: &mut Value| value.0 += 1 }
    system Later {
        defer,
        dependencies: [Grow],
        set_state: [Mode2],
        run: |data| {
            if data.effects.state::<Mode2>() == Mode2::A {
                data.effects.defer(|world| {
                    assert_eq!(world.state::<Mode2>(), Mode2::A);
                    world.set_state(Mode2::C);
                });
                data.effects.set_state(Mode2::B);
            }
        },
    }
    // In a later phase than what is deferred; the state has not changed.
    system After { in: A, dependencies: [Later], run: |_, log: &mut Log| log.0.push("after") }
}

#[test]
fn a_sequential_system_sets_states_and_changes_entities_at_once() {
    let mut world = World::<Mixed>::new();
    world.spawn_batch([1, 2, 3].map(|n| (Value(n),)));
    world.set_state(Mode2::B);
    world.step(|step| step.execute_only::<(Grow,)>()).unwrap();
    let values: Vec<_> = world.iter::<&Value>().map(|value| value.0).collect();
    assert_eq!(values, [1, 2]);
    assert_eq!(world.state::<Half>(), Half::Second);
}

#[test]
fn a_state_is_constant_over_phases_and_an_index_is_made_for_a_transition() {
    for threads in every_kind() {
        let mut world = World::<Mixed>::on(threads);
        world.spawn_batch([(1, 10), (2, 20), (1, 30)].map(|(team, n)| (Team(team), Value(n))));
        world.tick().unwrap();
        assert_eq!(world.resource::<Log>().0, ["after"]);
        assert_eq!(world.state::<Mode2>(), Mode2::C, "the deferred request is the later one");
        assert_eq!(world.state::<Half>(), Half::First, "B was never entered");
        assert!(world.outputs_of::<Sum>().flatten().eq(&[10 + 30 + 2]));
        world.tick().unwrap();
        assert_eq!(world.outputs_of::<Sum>().flatten().count(), 0, "it was skipped");
    }
}

world! {
    world Full { entity_limit: fixed(3) }
    component Value;
    state Level2 { One, Two }
    system Fill { on_enter: [One, Two], spawn: [Value], run: |data| data.effects.spawn_batch([Value(0), Value(1)].map(|one| (one,))) }
    system Next { set_state: [Level2], run: |data| data.effects.set_state(Level2::Two) }
}

#[test]
fn what_a_transition_loses_is_reported_by_the_step() {
    let mut world = World::<Full>::new();
    assert_eq!(world.tick(), Err(StepError::LimitReached { limit: 3, lost: 1 }));
    assert_eq!((world.state::<Level2>(), world.entity_count()), (Level2::Two, 3));
    assert_eq!(world.tick(), Ok(()));
}

/// A state of the library's own, by hand, with a lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Odd(usize);

impl States for Odd {
    const VARIANTS: &'static [Self] = &[Self(0)];

    fn position(self) -> usize {
        self.0
    }
}

impl HasState<Odd> for Fragile {
    const INDEX: usize = 0;
}

#[test]
#[should_panic(expected = "a value of the state `Mode` is none of its 2 variants")]
fn a_position_that_no_variant_has_is_refused() {
    World::<Fragile>::new().set_state(Odd(7));
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_variant_that_is_not_listed_is_not_read() {
    let mut world = World::<Fragile>::new();
    world.set_state(Odd(1));
    world.tick().unwrap();
    let _ = world.state::<Odd>();
}

#[test]
fn the_position_follows_from_the_list() {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Plain {
        First,
        Second,
        Missing,
    }
    impl States for Plain {
        const VARIANTS: &'static [Self] = &[Self::First, Self::Second];
    }
    let all = [Plain::First, Plain::Second, Plain::Missing];
    assert_eq!(all.map(Plain::position), [0, 1, usize::MAX]);
}
