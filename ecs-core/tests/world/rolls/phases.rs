//! Phases of sequential systems. The state must not depend on how the other systems are scheduled and split.

use ecs_core::description::{Description, Flag};
use ecs_core::scheduler::{AtomicCounter, Delayed, Sequential, Shuffled};
use ecs_core::settings::{Allow, Config, Disallow, Dynamic, Fixed, Settings};
use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, StateHash, System, Threads, World, world};

use crate::support::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Energy(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Shield(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Heat(u64);
#[derive(Clone, Debug, Default, StateHash)]
struct Turns(u64);

world! {
    world Arena { entity_limit: dynamic(16), staged_changes: refresh_before_dependents }
    component Energy: contiguous_buffer;
    component Shield: sparse_set;
    component Heat: contiguous_buffer;
    resource Turns;

    // Declared first, and runs last: the order of declaration does not matter.
    system Transfer { sequential, dependencies: [Warm], write: [Energy, Heat] }
    system Charge { parallelism: split_every(64), write: [Energy] }
    system Fight {
        sequential,
        dependencies: [Charge],
        write: [Energy],
        without: [Shield],
        insert: [Shield],
        spawn: [(Energy, Heat)],
        despawn,
        write_resources: [Turns],
    }
    system Cool { dependencies: [Fight], parallelism: split_every(64), write: [Heat] }
    system Warm { dependencies: [Fade], parallelism: split_every(64), write: [Heat] }
    system Fade {
        dependencies: [Cool],
        parallelism: split_every(64),
        with: [Energy],
        write: [Shield],
        remove: [Shield],
    }
    // Uses none of the components.
    system Tick { write_resources: [Turns], dependencies: [Fight] }
}

#[derive(Clone, Default)]
struct Charge;
#[derive(Clone, Default)]
struct Fight;
#[derive(Clone, Default)]
struct Cool;
#[derive(Clone, Default)]
struct Warm;
#[derive(Clone, Default)]
struct Fade;
#[derive(Clone, Default)]
struct Transfer;
#[derive(Clone, Default)]
struct Tick;

impl System<Arena> for Charge {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.own.for_entities(|e| e.energy.0 = mix(e.energy.0) % 1_000);
    }
}

/// Each entity strikes the entity that its energy selects. A target with no more energy than the attacker is
/// despawned; if it had more than 300, a new entity replaces it.
impl System<Arena> for Fight {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        let mut all: Vec<Entity> = data.now().query::<Entity>().collect();
        all.reverse();
        data.roll(|mut found| {
            let (own, energy) = (found.entity(), found.entry().energy.0);
            let now = &mut found.now();
            now.resource_mut::<Turns>().0 += 1;
            let victim = all[(energy % all.len() as u64) as usize];
            let Some(other) = now.get_mut::<&mut Energy>(victim) else { return };
            if victim == own {
                now.insert(own, Shield(energy));
            } else if other.0 <= energy {
                let won = core::mem::take(&mut other.0);
                now.despawn(victim);
                if won > 300 {
                    now.spawn((Energy(won), Heat(energy)));
                }
            } else {
                other.0 -= energy;
            }
        });
    }
}

impl System<Arena> for Cool {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.own.for_entities(|e| e.heat.0 /= 2);
    }
}

impl System<Arena> for Warm {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.own.for_entities(|e| e.heat.0 += 10);
    }
}

impl System<Arena> for Fade {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.shield.0 /= 3;
            if e.shield.0 < 10 {
                effects.remove::<Shield>(e.entity);
            }
        });
    }
}

impl System<Arena> for Transfer {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        let mut rest = 0;
        data.roll(|mut found| {
            let e = found.entry();
            rest += e.heat.0 % 7;
            e.energy.0 += rest % 5;
        });
    }
}

impl System<Arena> for Tick {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.resources.get_mut::<Turns>().0 += 1;
    }
}

#[test]
fn each_has_a_phase_to_itself() {
    const PHASES: Phases = Phases::of::<Arena>();
    let phases = [
        PHASES.phase_of::<Arena, Charge>(),
        PHASES.phase_of::<Arena, Fight>(),
        // A refresh is needed before the systems that read shields or spawned entities.
        PHASES.phase_of::<Arena, Tick>(),
        PHASES.phase_of::<Arena, Cool>(),
        PHASES.phase_of::<Arena, Fade>(),
        PHASES.phase_of::<Arena, Warm>(),
        PHASES.phase_of::<Arena, Transfer>(),
    ];
    assert_eq!((phases, PHASES.count()), ([0, 1, 2, 3, 3, 3, 4], 5));
    let begins: Vec<bool> = (0..5).map(|phase| PHASES.begins_with_refresh(phase)).collect();
    assert_eq!(begins, [false, false, false, true, false]);
}

#[test]
fn a_description_says_so() {
    let arena = Description::of::<Arena>();
    let fight = arena.system("Fight").unwrap();
    assert!(
        fight.has(Flag::Sequential) && fight.is_single_subtask() && !fight.has(Flag::Exclusive)
    );
    assert_eq!((fight.phase(), arena.phase_count()), (1, 5));
    assert!(!arena.system("Cool").unwrap().has(Flag::Sequential));
    for text in [arena.to_string(), arena.to_dot(), arena.to_mermaid()] {
        assert_eq!(text.matches("sequential").count(), 2, "{text}");
    }
}

fn arena<S: Settings>(mut world: World<Arena, S>) -> Vec<u64> {
    world
        .step(|step| {
            for n in 0..700 {
                step.spawn((Energy(n), Heat(n % 13)));
            }
        })
        .unwrap();
    let mut hashes = vec![world.state_hash()];
    for frame in 0..6 {
        world
            .step(|step| {
                step.execute_systems();
                if frame % 2 == 1 {
                    step.execute_systems_from::<(Fight,)>();
                    step.execute_systems_from::<(Transfer, Tick)>();
                }
            })
            .unwrap();
        hashes.push(world.state_hash());
        if frame == 3 {
            let snapshot = world.snapshot();
            world.tick().unwrap();
            world.restore(&snapshot).unwrap();
            assert_eq!(world.clone().state_hash(), world.state_hash());
        }
    }
    assert!(world.entity_count() > 30, "entities are left: {}", world.entity_count());
    hashes
}

#[test]
fn threads_schedulers_and_splits_do_not_show() {
    let expected =
        arena(World::<Arena, Config<Dynamic<16>, Disallow, Sequential>>::on(Threads::Inline));
    for threads in every_kind() {
        let on = || threads.clone();
        let all = [
            arena(World::<Arena, Config<Dynamic<16>, Allow, AtomicCounter>>::on(on())),
            arena(World::<Arena, Config<Fixed<4_096>, Allow, Sequential>>::on(on())),
            arena(World::<Arena, Config<Dynamic<5_000>, Allow, Delayed>>::on(on())),
            arena(World::<Arena, Config<Fixed<2_000>, Disallow, AtomicCounter>>::on(on())),
        ];
        for hashes in all {
            assert_eq!(hashes, expected);
        }
        for seed in 0..4 {
            type Shuffling = Config<Dynamic<16>, Allow, Shuffled>;
            let shuffled =
                World::<Arena, Shuffling>::with_scheduler(on(), |dag| Shuffled::seeded(dag, seed));
            assert_eq!(arena(shuffled), expected, "{seed}");
        }
    }
}
