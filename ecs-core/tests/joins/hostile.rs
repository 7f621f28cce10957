//! Incorrect code around queries, and states of queries that are exchanged.

use ecs_core::SystemName;
use ecs_core::joins::{Index, Indexed};
use ecs_core::overrides::{ForInstance, SystemInstance};
use ecs_core::{Data, System, Threads, World, world};

struct Name(u32);
struct Gone;

world! {
    world Names;
    component Name: contiguous_buffer;
    component Gone: empty;
    query ByNames { read: [Name], index: ByName }
    query Idle { read: [Name] }
    // It writes a component that the idle query reads. Nothing of that query is ever executed.
    system Rename { write: [Name], before: [ByNames] }
    system Find { with: [Name], queries: [ByNames], output: Vec<u32> }
}

#[derive(Default)]
struct ByName;

impl Index for ByName {
    type Entry<'a> = ByNamesEntry<'a>;
    type Key = u32;

    fn key(&self, e: ByNamesEntry<'_>) -> u32 {
        e.name.0 % 4
    }
}

#[derive(Default)]
struct Rename;
#[derive(Default)]
struct Find;

impl System<Names> for Rename {
    fn process(&self, _: &mut Data<'_, Names, Self>) {}
}

impl System<Names> for Find {
    fn process(&self, data: &mut Data<'_, Names, Self>) {
        let names = data.lookup::<ByNames, &Name>();
        let found: Vec<u32> = (0..5).flat_map(|key| names.at(key)).map(|name| name.0).collect();
        data.output().extend(found);
    }
}

fn filled(count: u32) -> World<Names> {
    let mut world = World::<Names>::on(Threads::Inline);
    world.step(|step| (0..count).for_each(|n| _ = step.spawn((Name(n),)).unwrap())).unwrap();
    world
}

#[test]
fn an_index_of_another_world_finds_members_only() {
    // The state that the larger world has just made is given to the smaller one.
    let (mut large, mut small) = (filled(10_000), filled(10));
    let mut stolen = Indexed::<ByName>::default();
    large
        .step(|step| {
            step.execute_systems()
                .detailed::<ByNames>(|_, _| {})
                .for_subtasks::<Find>(|_, _| {})
                .run();
        })
        .unwrap();
    large.tick().unwrap();
    std::mem::swap(&mut stolen, large.system_mut::<ByNames>());
    small.tick().unwrap();
    let stolen = std::sync::Mutex::new(stolen);
    let mut found = Vec::new();
    small
        .step(|step| {
            step.execute_systems()
                .detailed::<ByNames>(|state, _| {
                    std::mem::swap(state, &mut *stolen.lock().unwrap());
                })
                .run();
            found.extend(step.outputs_of::<Find>().flatten().copied());
        })
        .unwrap();
    found.sort_unstable();
    assert_eq!(found, (0..10).collect::<Vec<_>>());
}

#[test]
fn an_idle_query_has_no_instance() {
    struct Note<'a>(&'a std::sync::Mutex<Vec<&'static str>>);
    impl<N: SystemName<Names>> ForInstance<Names, N> for Note<'_> {
        fn execute(&self, instance: &mut SystemInstance<'_, '_, Names, N>) {
            self.0.lock().unwrap().push(instance.signature().name());
        }
    }
    let seen = std::sync::Mutex::new(Vec::new());
    let mut world = filled(3);
    world.step(|step| step.execute_systems().remaining().detailed(Note(&seen)).run()).unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert_eq!(seen, ["ByNames", "Find", "Rename"]);
}

#[test]
fn entities_that_are_no_members_are_not_found() {
    let mut world = filled(3);
    world.step(|step| step.spawn((Gone,)).unwrap()).unwrap();
    let mut found = Vec::new();
    world
        .step(|step| {
            step.execute_systems().run();
            found.extend(step.outputs_of::<Find>().flatten().copied());
        })
        .unwrap();
    assert_eq!(found, [0, 1, 2]);
}
