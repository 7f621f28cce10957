//! Single cases: destructors, panics, and what other features remove.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::{Entity, Threads, World, set, world};

use super::support::{Counted, Ledger, caught, fail, three};

/// A value that is not `Clone` in a world that cannot be cloned.
struct Load(#[expect(dead_code, reason = "for its destructor")] Counted);
#[derive(Debug)]
struct Mapped(#[expect(dead_code, reason = "as above")] Counted);
struct Weight(u32);
struct In;
#[derive(Default)]
struct Fail(AtomicBool);

world! {
    world Docks { staged_changes: refresh_before_dependents }
    component Load;
    component Mapped: hash_map;
    component Weight;
    resource Fail;
    relation In: one_to_many, on_despawn: despawn;
    system Watch {
        removed: [Load, Mapped],
        read_resources: [Fail],
        output: Vec<Entity>,
        run: |data| {
            let output = data.effects.output();
            output.extend(data.own.removed::<Load>().map(|(entity, _)| entity));
            output.extend(data.own.removed::<Mapped>().rev().map(|(entity, _)| entity));
            if data.resources.get::<Fail>().0.load(Relaxed) {
                fail("watch");
            }
        },
    }
    system Ship {
        parallelism: split_every(64),
        despawn,
        spawn: [(Weight, Load)],
        dependencies: [Watch],
        each: |entity: Entity, weight: &Weight, effects| {
            if weight.0 == 1 {
                effects.despawn(entity);
            }
        },
    }
    system Sum {
        removed: [Weight, Load],
        output: Vec<(Entity, u32)>,
        dependencies: [Ship],
        run: |data| {
            let own = &data.own;
            data.effects.output().extend(own.removed::<Weight>().map(|(entity, weight)| (entity, weight.0)));
        },
    }
}

fn watched(world: &World<Docks, impl ecs_core::settings::Settings>) -> Vec<Entity> {
    world.outputs_of::<Watch>().flatten().copied().collect()
}

#[test]
fn every_value_is_dropped_once_when_all_have_read_it() {
    for threads in [Threads::Inline, three()] {
        let ledger = Ledger::default();
        let mut world = World::<Docks, Config<Dynamic<0>, Allow, AtomicCounter>>::on(threads);
        let all: Vec<Entity> = (0..300)
            .map(|n| world.spawn((Load(ledger.make()), Mapped(ledger.make()), Weight(n % 3))))
            .collect();
        world.remove_many::<(Load,)>(all[0]);
        world.insert(all[2], Load(ledger.make())).expect("it lives");
        assert_eq!(ledger.living(), 600, "what was replaced is gone");
        world.step(|step| step.execute_only::<(Sum,)>()).unwrap();
        assert_eq!(ledger.living(), 600, "another system has not read it");
        world.tick().unwrap();
        assert_eq!(watched(&world), [all[0]]);
        let light: Vec<Entity> = all.iter().copied().skip(1).step_by(3).collect();
        let seen = world.outputs_of::<Sum>().flatten().map(|&(entity, weight)| {
            assert_eq!(weight, 1);
            entity
        });
        assert!(seen.eq(light.iter().copied()), "in the order of rows, after the refresh");
        world.tick().unwrap();
        let back = light.iter().rev();
        assert!(watched(&world).iter().eq(light.iter().chain(back)));
        assert_eq!(ledger.living(), 399, "all of a kind but those of the despawned ones");
        // What is not read is dropped with the world.
        world.despawn(all[2]);
        assert_eq!(ledger.living(), 399);
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn after_a_panic_nothing_was_read() {
    let ledger = Ledger::default();
    let mut world = World::<Docks>::new();
    let all: Vec<Entity> = (0..3).map(|_| world.spawn((Load(ledger.make()), Weight(0)))).collect();
    world.despawn(all[1]);
    world.resource_mut::<Fail>().0 = true.into();
    assert_eq!(caught(|| world.tick()), "watch");
    // What the step has removed at once before is there, too.
    let step = |step: &mut ecs_core::Step<'_, Docks, _>| {
        step.remove_batch::<Load>([all[0]]);
        step.execute_systems();
    };
    assert_eq!(caught(|| world.step(step)), "watch");
    world.resource_mut::<Fail>().0 = false.into();
    world.tick().unwrap();
    assert_eq!(watched(&world), [all[1], all[0]]);
    world.tick().unwrap();
    assert_eq!((watched(&world), ledger.living()), (vec![], 1));
}

#[test]
fn a_panic_of_a_destructor_comes_when_the_value_is_dropped() {
    let ledger = Ledger::default();
    let mut world = World::<Docks>::new();
    let all = [ledger.make(), ledger.bomb(), ledger.make()].map(|load| world.spawn((Load(load),)));
    for entity in all {
        assert!(world.despawn(entity));
    }
    let mapped = [ledger.bomb(), ledger.make()].map(|one| world.spawn((Mapped(one),)));
    for entity in mapped {
        assert!(world.despawn(entity));
    }
    assert_eq!(ledger.living(), 5);
    assert_eq!(caught(|| world.tick()), "bomb", "between two phases, which ends the execution");
    assert_eq!(ledger.living(), 3, "all others are dropped, and `Sum` has not read the rest");
    assert_eq!(caught(|| world.tick()), "bomb");
    assert_eq!(ledger.living(), 0);
    world.tick().unwrap();
    assert_eq!(watched(&world), []);
    // Of a value that nothing reads.
    let last = world.spawn((Load(ledger.bomb()),));
    world.despawn(last);
    assert_eq!(caught(|| world.forget_removed::<Load>()), "bomb");
    world.tick().unwrap();
    assert_eq!((watched(&world), ledger.living()), (vec![], 0));
}

#[test]
fn a_panic_of_a_destructor_leaves_no_error_behind() {
    let ledger = Ledger::default();
    let mut world = World::<Docks>::new();
    let [gone, other] = [(); 2].map(|()| world.spawn(()));
    world.despawn(gone);
    let one = world.spawn((Load(ledger.bomb()),));
    world.remove_many::<(Load,)>(one);
    let step = |step: &mut ecs_core::Step<'_, Docks, _>| {
        step.link::<In>(other, gone);
        step.execute_systems();
    };
    assert_eq!(caught(|| world.step(step)), "bomb");
    // Neither this one nor the next step has anything to report.
    world.spawn(());
    world.tick().unwrap();
}

struct Level(u32);

impl core::fmt::Display for Level {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

impl core::str::FromStr for Level {
    type Err = core::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

world! {
    world Tower {}
    component Level: by_name;
    system Count {
        removed: [Level],
        output: Vec<u32>,
        run: |data| {
            data.effects.output().extend(data.own.removed::<Level>().map(|(_, level)| level.0));
        },
    }
}

#[test]
fn what_is_removed_by_name_is_removed() {
    let mut world = World::<Tower>::new();
    let all = [3, 4, 5].map(|level| world.spawn((Level(level),)));
    world.remove_by_name(all[2], "Level").unwrap();
    world.step(|step| step.remove_by_name(all[0], "Level").unwrap()).unwrap();
    world.set_by_name(all[1], "Level", "7").unwrap();
    world.tick().unwrap();
    assert_eq!(world.outputs_of::<Count>().flatten().copied().collect::<Vec<_>>(), [5, 3]);
}

#[test]
fn what_a_relation_despawns_is_removed() {
    let ledger = Ledger::default();
    let mut world = World::<Docks>::new();
    let ship = world.spawn((Weight(9),));
    let loads: Vec<Entity> = (0..3).map(|_| world.spawn((Load(ledger.make()),))).collect();
    world
        .step(|step| {
            for &load in &loads {
                step.link::<In>(load, ship);
            }
        })
        .unwrap();
    world.despawn(ship);
    world.tick().unwrap();
    assert_eq!(watched(&world), loads);
    assert!(world.outputs_of::<Sum>().flatten().eq(&[(ship, 9)]));
}

#[test]
fn overrides_read_it_too() {
    let ledger = Ledger::default();
    let mut world = World::<Docks>::new();
    let load = world.spawn((Mapped(ledger.make()),));
    world.despawn(load);
    world
        .step(|step| {
            step.execute_with(|all| {
                all.for_subtasks::<Watch>(|_, data| {
                    let mut removed = data.own.removed::<Mapped>();
                    assert_eq!(removed.clone().count(), 1);
                    let (entity, Mapped(_)) = removed.next().expect("one");
                    data.effects.output().push(entity);
                })
            });
        })
        .unwrap();
    assert_eq!(watched(&world), [load]);
}

struct Fog(u32);
struct Sun(u32);

set! {
    set Weather;
    component Fog;
    system Clear { removed: [Fog], output: Vec<u32>, run: |data| data.effects.output().push(sum(data.own.removed())) }
    system Lift { remove: [Fog], dependencies: [Clear], each: |entity: Entity, fog: &Fog, effects| if fog.0 > 0 { effects.remove::<Fog>(entity) } }
}

world! {
    world Valley;
    include Weather;
    component Sun;
    system Shine {
        removed: [Fog, Sun],
        output: Vec<u32>,
        run: |data| {
            let suns: u32 = data.own.removed::<Sun>().map(|(_, sun)| sun.0).sum();
            data.effects.output().push(suns + sum(data.own.removed()));
        },
    }
}

fn sum(removed: ecs_core::Removed<'_, Fog>) -> u32 {
    removed.map(|(_, fog)| fog.0).sum()
}

#[test]
fn a_world_and_its_set_read_the_same_removals() {
    let mut world = World::<Valley>::new();
    world.spawn_batch([1, 2].map(|fog| (Fog(fog), Sun(10 * fog))));
    world.step(|step| step.execute_systems_from::<(Clear,)>()).unwrap();
    let all: Vec<Entity> = world.iter::<Entity>().collect();
    world.despawn(all[1]);
    world.tick().unwrap();
    assert!(world.outputs_of::<Clear>().flatten().eq([&3]));
    assert!(world.outputs_of::<Shine>().flatten().eq([&23]));
}
