//! Executions of named systems alone: their order, what they see, and what is executed with them.

use std::sync::Mutex;

use ecs_core::joins::Index;
use ecs_core::settings::{Config, Dynamic, Scheduled, Sequential, Settings};
use ecs_core::{Data, Declaration, SelectionError, Stream, SystemSelection, Threads, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sprout(u32);

#[derive(Default)]
struct Log(Vec<&'static str>);

#[derive(Default)]
struct Items(Vec<u32>);

#[derive(Default)]
struct Found(usize);

#[derive(Default)]
struct ByNumber;

impl Index for ByNumber {
    type Entry<'a> = NumbersEntry<'a>;
    type Key = u32;

    fn key(&self, member: NumbersEntry<'_>) -> u32 {
        member.number.0
    }
}

world! {
    world Works { staged_changes: refresh_before_dependents }
    component Number, Sprout;
    resource Log;
    resource Items;
    resource Found;
    stages Early -> Late;

    // Ordered by `Between` alone.
    system Begin { stage: Early, write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push("begin") }
    system Between { dependencies: [Begin], write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push("between") }
    system End { dependencies: [Between], write_resources: [Log], run: |data| data.resources.get_mut::<Log>().0.push("end") }

    // Staged changes, and a system that sees them in the same execution.
    system Breed { stage: Early, spawn: [(Sprout,)], run: |data| data.effects.spawn((Sprout(7),)) }
    system Grow { stage: Late, write: [Sprout], parallelism: split_every(64), each: |e| e.sprout.0 += 1 }

    query Numbers { read: [Number], index: ByNumber }
    query Plain { read: [Number] }
    system Find { queries: [Numbers], write_resources: [Found], run: find }

    system Send { read: [Number], output: Stream<u32>, run: send }
    system Take { streams: [Send], write_resources: [Items], run: take }
}

fn find(data: &mut Data<'_, Works, Find>) {
    let found = data.effects.lookup::<Numbers, &Number>().at(7).count();
    data.resources.get_mut::<Found>().0 += found;
}

fn send(data: &mut Data<'_, Works, Send>) {
    let (own, effects) = (&mut data.own, &mut data.effects);
    let mut stream = effects.stream();
    own.for_entities(|e| stream.send(e.number.0));
}

fn take(data: &mut Data<'_, Works, Take>) {
    let items: Vec<u32> = data.effects.received().collect();
    data.resources.get_mut::<Items>().0.extend(items);
}

fn worlds<S: Settings>() -> impl Iterator<Item = World<Works, S>>
where
    World<Works, S>: Sized,
{
    every_kind().into_iter().map(World::<Works, S>::on)
}

fn executes_alone<S: Settings>() {
    for mut world in worlds::<S>() {
        world.step(|step| step.execute_only::<(Between,)>()).unwrap();
        assert_eq!(world.resource::<Log>().0, ["between"]);
        // The order of the declaration, whatever the order of the names, and through a system that is left out.
        world.step(|step| step.execute_only::<(End, Begin)>()).unwrap();
        assert_eq!(world.resource::<Log>().0, ["between", "begin", "end"]);
    }
}

#[test]
fn named_systems_run_in_their_order_and_no_others() {
    executes_alone::<<Works as Declaration>::Settings>();
    executes_alone::<Scheduled<Works, Sequential>>();
    executes_alone::<Config<Dynamic<4>, ecs_core::settings::Disallow, ecs_core::scheduler::Shuffled>>(
    );
}

#[test]
fn phases_of_which_no_system_is_named_are_skipped() {
    for mut world in worlds::<<Works as Declaration>::Settings>() {
        world.spawn((Sprout(1),));
        // `Grow` sees the spawned entity only where `Breed` takes part, in an earlier phase.
        world.step(|step| step.execute_only::<(Grow,)>()).unwrap();
        let mut numbers = Vec::new();
        world.iter::<&Sprout>().for_each(|number| numbers.push(number.0));
        assert_eq!(numbers, [2]);
        world.step(|step| step.execute_only::<(Grow, Breed)>()).unwrap();
        numbers.clear();
        world.iter::<&Sprout>().for_each(|number| numbers.push(number.0));
        assert_eq!(numbers, [3, 8]);
    }
}

#[test]
fn an_index_is_made_for_the_systems_that_use_it() {
    for mut world in worlds::<<Works as Declaration>::Settings>() {
        world.spawn((Number(7),));
        world.step(|step| step.execute_only::<(Find,)>()).unwrap();
        assert_eq!(world.resource::<Found>().0, 1);
        // It is made anew.
        world.spawn((Number(7),));
        world.step(|step| step.execute_only::<(Find,)>()).unwrap();
        assert_eq!(world.resource::<Found>().0, 3);
    }
}

#[test]
fn a_stream_flows_where_both_ends_are_named() {
    for mut world in worlds::<<Works as Declaration>::Settings>() {
        world.spawn_batch((0..300).map(|number| (Number(number),)));
        world.step(|step| step.execute_only::<(Take,)>()).unwrap();
        assert!(world.resource::<Items>().0.is_empty());
        world.step(|step| step.execute_only::<(Take, Send)>()).unwrap();
        assert_eq!(world.resource::<Items>().0, (0..300).collect::<Vec<_>>());
    }
}

#[test]
fn named_systems_take_closures() {
    let mut world = World::<Works>::on(Threads::Inline);
    let ran = Mutex::new(Vec::new());
    world
        .step(|step| {
            step.execute_with(|systems| {
                let systems = systems.only::<(End, Between)>();
                let systems = systems.for_subtasks::<End>(|_, _| ran.lock().unwrap().push("mine"));
                systems.detailed::<Between>(|between, executor| {
                    ran.lock().unwrap().push("around");
                    executor.for_subtasks(|data| ecs_core::System::process(between, data));
                })
            });
            // A whole execution afterwards is whole.
            step.execute_systems();
        })
        .unwrap();
    assert_eq!(ran.into_inner().unwrap(), ["around", "mine"]);
    assert_eq!(world.resource::<Log>().0, ["between", "begin", "between", "end"]);
}

#[test]
fn a_selection_at_run_time_runs_what_the_types_would() {
    type Settings = <Works as Declaration>::Settings;
    for (mut world, mut typed) in worlds::<Settings>().zip(worlds::<Settings>()) {
        let log = |world: &World<Works, _>| world.resource::<Log>().0.clone();
        let mut selection = SystemSelection::named(["End", "Begin"]).unwrap();
        world.step(|step| step.execute_selected(&selection)).unwrap().unwrap();
        typed.step(|step| step.execute_only::<(End, Begin)>()).unwrap();
        assert_eq!((log(&world), log(&world)), (log(&typed), vec!["begin", "end"]));
        selection.remove::<Begin>();
        selection.insert::<Between>();
        assert!(selection.contains::<Between>() && !selection.contains::<Begin>());
        assert_eq!(selection.names().collect::<Vec<_>>(), ["Between", "End"]);
        assert_eq!(selection, SystemSelection::of::<(End, Between)>());
        world.step(|step| step.execute_selected(&selection)).unwrap().unwrap();
        assert_eq!(log(&world), ["begin", "end", "between", "end"]);
        // Queries and phases come as with types.
        world.spawn((Number(7),));
        let selection = SystemSelection::named(["Find", "Grow", "Breed"]).unwrap();
        world.step(|step| step.execute_selected(&selection)).unwrap().unwrap();
        assert_eq!(world.resource::<Found>().0, 1);
        assert_eq!(world.iter::<&Sprout>().collect::<Vec<_>>(), [&Sprout(8)]);
        // Nothing runs without systems.
        let nothing = world.step(|step| step.execute_selected(&SystemSelection::new()));
        assert_eq!((nothing, log(&world).len()), (Ok(Ok(())), 4));
    }
}

#[test]
fn a_selection_that_cannot_run_runs_nothing() {
    let mut world = World::<Works>::new();
    let selection = SystemSelection::of::<(Begin, Send)>();
    let error = world.step(|step| step.execute_selected(&selection)).unwrap().unwrap_err();
    assert_eq!(error, SelectionError::NoReceiver { sender: "Send", receiver: "Take" });
    assert_eq!(
        error.to_string(),
        "the selection has the system `Send`, but not `Take`, which receives its stream: add `Take`"
    );
    assert!(world.resource::<Log>().0.is_empty());
    let plain = SystemSelection::named(["Plain"]).unwrap();
    let error = world.step(|step| step.execute_selected(&plain)).unwrap().unwrap_err();
    assert_eq!(error, SelectionError::Idle { query: "Plain" });
    let unknown = SystemSelection::<Works>::named(["Begin", "begin"]).unwrap_err();
    assert_eq!(unknown.name(), "begin");
}
