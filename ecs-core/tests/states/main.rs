//! States: which systems run in their variants and at transitions, and what is the same on any threads.

mod existing;
mod model;
#[path = "../world/support.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod support;
mod trouble;

use ecs_core::{Combine, States, StepError, World, set, world};

#[derive(Clone, Debug, Default, PartialEq)]
struct Log(String);

impl Log {
    fn note(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push(' ');
    }

    fn take(&mut self) -> String {
        core::mem::take(&mut self.0)
    }
}

#[derive(Default, Combine)]
struct Total(u32);

world! {
    pub(crate) world Game;
    resource Log;

    /// What is on the screen.
    #[derive(PartialOrd, Ord, Debug)]
    pub(crate) state Mode {
        Menu,
        /// With a `match` of its own.
        Playing,
        r#Paused,
    }
    state Day { Noon, Night }

    system Open { on_enter: Mode::Menu, run: |_, log: &mut Log| log.note("open") }
    system Close { on_exit: Menu, run: |_, log: &mut Log| log.note("close") }
    system Start {
        on_enter: Mode::Playing,
        run: |effects, log: &mut Log| log.note(&format!("start:{:?}", effects.state::<Mode>())),
    }
    system Stop {
        on_exit: [Mode::Playing, Mode::Paused],
        run: |effects, log: &mut Log| log.note(&format!("stop:{:?}", effects.state::<Mode>())),
    }
    system Sleep { on_enter: Day::Night, run: |_, log: &mut Log| log.note("sleep") }

    system Play { in: Mode::Playing, run: |_, log: &mut Log| log.note("play") }
    system Wait { in: [Mode::Menu, Mode::Paused], run: |_, log: &mut Log| log.note("wait") }
    system Dream {
        in: [Mode::Playing, Day::Night],
        dependencies: [Play],
        before: [Tell],
        run: |_, log: &mut Log| log.note("dream"),
    }
    system Tell { dependencies: [Wait], run: |_, log: &mut Log| log.note("tell") }
}

fn tick(world: &mut World<Game>) -> String {
    world.tick().unwrap();
    world.resource_mut::<Log>().take()
}

#[test]
fn systems_run_in_their_variants_and_at_transitions() {
    let mut world = World::<Game>::new();
    assert_eq!(tick(&mut world), "open wait tell ");
    assert_eq!(tick(&mut world), "wait tell ");
    world.set_state(Mode::Playing);
    assert_eq!(world.state::<Mode>(), Mode::Menu);
    assert_eq!(tick(&mut world), "close start:Playing play tell ");
    world.set_state(Day::Night);
    assert_eq!(tick(&mut world), "sleep play dream tell ");
    world.set_state(Mode::Paused);
    assert_eq!(tick(&mut world), "stop:Playing wait tell ");
    world.set_state(Mode::Menu);
    assert_eq!(tick(&mut world), "stop:Paused open wait tell ");
    assert_eq!((world.state::<Mode>(), world.state::<Day>()), (Mode::Menu, Day::Night));
}

#[test]
fn the_last_request_counts_and_the_current_variant_is_none() {
    let mut world = World::<Game>::new();
    tick(&mut world);
    world.set_state(Mode::Paused);
    world.set_state(Mode::Playing);
    assert_eq!(tick(&mut world), "close start:Playing play tell ");
    world.set_state(Mode::Paused);
    world.set_state(Mode::Playing);
    assert_eq!(tick(&mut world), "play tell ");
}

#[test]
fn a_new_world_enters_what_is_set() {
    let mut world = World::<Game>::new();
    world.set_state(Mode::Playing);
    world.set_state(Day::Night);
    assert_eq!(tick(&mut world), "start:Playing sleep play dream tell ");
}

#[test]
fn a_step_without_systems_makes_no_transition() {
    let mut world = World::<Game>::new();
    world.set_state(Mode::Paused);
    world.spawn(());
    world.step(|step| step.set_state(Mode::Playing)).unwrap();
    assert_eq!((world.state::<Mode>(), world.resource::<Log>().0.as_str()), (Mode::Menu, ""));
    assert_eq!(tick(&mut world), "start:Playing play tell ");
}

#[test]
fn a_state_is_the_same_for_a_whole_step() {
    let mut world = World::<Game>::new();
    tick(&mut world);
    world
        .step(|step| {
            step.set_state(Mode::Playing);
            step.execute_systems();
            step.set_state(Mode::Menu);
            assert_eq!(step.state::<Mode>(), Mode::Playing);
            step.execute_only::<(Play, Wait)>();
        })
        .unwrap();
    assert_eq!(world.state::<Mode>(), Mode::Menu);
    let log = world.resource_mut::<Log>().take();
    assert_eq!(log, "close start:Playing play tell play stop:Playing open ");
}

#[test]
fn executions_of_some_systems_leave_out_the_systems_of_transitions() {
    let mut world = World::<Game>::new();
    world.step(|step| step.execute_only::<(Open, Tell)>()).unwrap();
    assert_eq!(world.resource_mut::<Log>().take(), "open tell ");
    world.step(|step| step.execute_only::<(Open,)>()).unwrap();
    assert_eq!(world.resource::<Log>().0, "", "nothing is entered");
    world.set_state(Mode::Playing);
    world.step(|step| step.execute_systems_from::<(Tell,)>()).unwrap();
    assert_eq!(world.resource_mut::<Log>().take(), "close start:Playing tell ");
}

#[test]
fn an_override_is_for_the_execution_that_has_it() {
    let mut world = World::<Game>::new();
    world
        .step(|step| {
            step.execute_with(|systems| {
                systems
                    .for_subtasks::<Wait>(|_, data| data.resources.get_mut::<Log>().note("other"))
                    .for_subtasks::<Play>(|_, _| unreachable!("it is skipped"))
                    .for_subtasks::<Open>(|_, _| unreachable!("it is no transition"))
            });
        })
        .unwrap();
    assert_eq!(world.resource::<Log>().0, "open other tell ");
}

#[test]
fn the_enum_is_an_ordinary_one() {
    assert!(Mode::Menu < Mode::Playing);
    assert_eq!(Mode::VARIANTS.map_debug(), "[Menu, Playing, Paused]");
    assert_eq!(Mode::VARIANTS.iter().map(|mode| mode.position()).collect::<Vec<_>>(), [0, 1, 2]);
    let set: std::collections::HashSet<Day> = Day::VARIANTS.iter().copied().collect();
    assert_eq!(set.len(), 2);
}

trait MapDebug {
    fn map_debug(&self) -> String;
}

impl<T: core::fmt::Debug> MapDebug for [T] {
    fn map_debug(&self) -> String {
        format!("{self:?}")
    }
}

world! {
    world Rates {
        staged_changes: refresh_before_dependents
    }
    resource Log, Ready;
    resource Total: sum;
    state Mode2 { On, Off }
    include Paced;
    system Second { every: 2, run: |_, log: &mut Log| log.note("2") }
    system Third { every: 3, in: On, dependencies: [Second], run: |_, log: &mut Log| log.note("3") }
    system Both {
        every: 2,
        run_if: |ready: &Ready| ready.0,
        dependencies: [Third],
        add: [Total],
        run: |data| data.effects.add(Total(1)),
    }
}

set! {
    set Paced;
    resource Beats;
    system Beat { every: 4, run: |_, beats: &mut Beats| beats.0 += 1 }
}

#[derive(Default)]
struct Beats(u32);
#[derive(Default)]
struct Ready(bool);

#[test]
fn a_system_runs_in_each_nth_execution() {
    let mut world = World::<Rates>::new();
    for _ in 0..4 {
        world.tick().unwrap();
    }
    world.resource_mut::<Ready>().0 = true;
    // A paused system does not shift the others.
    world.set_state(Mode2::Off);
    world.step(|step| (0..3).for_each(|_| step.execute_systems())).unwrap();
    world.set_state(Mode2::On);
    world.step(|step| step.execute_only::<(Third,)>()).unwrap();
    world.tick().unwrap();
    assert_eq!(world.resource::<Log>().0, "2 3 2 3 2 2 2 ");
    assert_eq!((world.resource::<Beats>().0, world.resource::<Total>().0), (3, 3));
}

world! {
    world Circle;
    resource Log;
    state Turn { A, B, C }
    state Other { Off, On }
    system ToB { on_enter: Turn::A, set_state: [Turn], run: |data| data.effects.set_state(Turn::B) }
    system ToC { on_enter: Turn::B, set_state: [Turn, Other], run: |data| {
        data.effects.set_state(Turn::C);
        data.effects.set_state(Other::On);
    } }
    system ToA { on_exit: Turn::B, set_state: [Turn], run: |data| data.effects.set_state(Turn::A) }
    system Done { on_enter: Other::On, run: |_, log: &mut Log| log.note("on") }
}

#[test]
fn a_chain_that_enters_a_variant_again_is_an_error() {
    let mut world = World::<Circle>::new();
    // A, B, C by the request of B, A by that of its end: entered before.
    let error = world.tick().unwrap_err();
    assert_eq!(error, StepError::TransitionCycle { state: "Turn", from: "C", to: "A" });
    assert!(error.to_string().starts_with("the state `Turn` cannot go from `C` to `A`"));
    assert_eq!((world.state::<Turn>(), world.state::<Other>()), (Turn::C, Other::On));
    assert_eq!(world.resource::<Log>().0, "on ", "the rest stands");
    world.tick().unwrap();
    world.set_state(Turn::A);
    assert!(world.tick().is_err());
    assert_eq!(world.state::<Turn>(), Turn::C);
}
