//! Overrides of queries that write the records of an index, or make it twice.

use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ecs_core::joins::Coordinates;
use ecs_core::{Executor, System, SystemName, Threads, World, world};

#[derive(Clone, Copy, Debug)]
struct At([f32; 2]);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Team(&'static str);

impl Coordinates for At {
    type Point = [f32; 2];

    fn coordinates(&self) -> [f32; 2] {
        self.0
    }
}

/// Whether the key of a team panics, once.
static FAILS: AtomicBool = AtomicBool::new(false);

world! {
    world Map;
    component At, Team;
    query Cells { index: by_cell(At, 2.0).within([0.0; 2], [20.0; 2]), read: [Team] }
    query Teams {
        index: by_key(|team: &Team| -> Team {
            assert!(!FAILS.swap(false, Relaxed), "once");
            *team
        }),
    }
    system Look {
        queries: [Cells, Teams],
        output: Vec<&'static str>,
        run: |data| {
            let effects = &mut data.effects;
            let near: Vec<_> = effects.near::<Cells, &Team>().at([1.0, 1.0]).map(|team| team.0).collect();
            let teams = effects.lookup::<Teams, &Team>();
            effects.output().extend(near.into_iter().chain(teams.at(Team("one")).map(|team| team.0)));
        },
    }
}

fn filled(names: impl Iterator<Item = &'static str>) -> World<Map> {
    let mut world = World::<Map>::on(Threads::Inline);
    world.spawn_batch(names.map(|name| (At([1.0; 2]), Team(name))));
    world
}

fn make<N: SystemName<Map>>(
    query: &mut (impl System<Map, N> + Send + Sync + 'static),
    executor: &mut Executor<'_, Map, N>,
) {
    query.execute(executor);
}

#[test]
fn records_of_another_world_are_not_read() {
    let stale: Mutex<Option<<Cells as SystemName<Map>>::Output>> = Mutex::new(None);
    let mut large = filled((0..10_000).map(|_| "none"));
    let kept = large.step(|step| {
        step.execute_with(|systems| {
            systems.only::<(Cells,)>().detailed::<Cells>(|cells, executor| {
                make(cells, executor);
                *stale.lock().unwrap() = executor.outputs_mut().last().map(take);
            })
        });
    });
    kept.unwrap();
    drop(large);

    let mut small = filled(["one"].into_iter());
    let found = small.step(|step| {
        step.execute_with(|systems| {
            systems.detailed::<Cells>(|cells, executor| {
                executor.for_subtasks(|data| {
                    *data.effects.output() = stale.lock().unwrap().take().expect("one subtask");
                });
                make(cells, executor);
            })
        });
        step.outputs_of::<Look>().flatten().copied().collect::<Vec<_>>()
    });
    assert_eq!(found.unwrap(), ["one"; 2]);
}

#[test]
fn an_index_that_is_made_again_has_each_member_once() {
    let mut world = filled(["one", "other"].into_iter());
    let found = world.step(|step| {
        step.execute_with(|systems| {
            systems
                .detailed::<Cells>(|cells, executor| (0..2).for_each(|_| make(cells, executor)))
                .detailed::<Teams>(|teams, executor| {
                FAILS.store(true, Relaxed);
                let failed = catch_unwind(AssertUnwindSafe(|| make(teams, executor)));
                assert!(failed.is_err());
                make(teams, executor);
            })
        });
        step.outputs_of::<Look>().flatten().copied().collect::<Vec<_>>()
    });
    assert_eq!(found.unwrap(), ["one", "other", "one"]);
}
