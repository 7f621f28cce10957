//! Worlds with a history, compared with new worlds of the same entities.

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Settings};
use ecs_core::{Entity, Step, Threads, World, world};

use crate::memory::measured;
use crate::{Dice, best_of, is_test};

/// The number of archetypes.
const ARCHETYPES: usize = 100;

#[derive(Clone, Copy)]
struct Archetype(u8);
struct Position([f32; 3]);
struct Velocity([f32; 3]);

/// Rows in the order of spawning.
type InOrder = Config<Dynamic<1024>, Allow, AtomicCounter>;
/// Rows by archetype.
type Sorted = Config<ByArchetype<1024>, Allow, AtomicCounter>;

/// Components, of which each archetype has some.
macro_rules! parts {
    ($($part:ident)*) => {
        $(
            #[expect(clippy::allow_attributes, reason = "one of them is read")]
            #[allow(dead_code, reason = "one of them is read")]
            struct $part(f32);
        )*

        world! {
            world Archetypes;
            component Archetype, Position, Velocity;
            $(component $part;)*
            system Move { each: |position: &mut Position, velocity: &Velocity| advance(position, velocity) }
            system Turn { each: |part: &mut P0, velocity: &Velocity| part.0 += velocity.0[0] }
        }

        /// Inserts the further components: a quarter of all, others for each archetype.
        fn equip<S: Settings>(step: &mut Step<'_, Archetypes, S>, entity: Entity, archetype: u8) {
            let mut part = 0;
            $(
                if (usize::from(archetype) * 37 + part * 11) % ARCHETYPES < 25 {
                    step.insert(entity, $part(1.0)).expect("it lives");
                }
                part += 1;
            )*
            assert!(part > 0);
        }
    };
}

parts!(P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15);

fn advance(position: &mut Position, velocity: &Velocity) {
    for axis in 0..3 {
        position.0[axis] += velocity.0[axis];
    }
}

fn spawn<S: Settings>(step: &mut Step<'_, Archetypes, S>, archetype: u8) -> Entity {
    let entity = step.spawn((Archetype(archetype), Position([0.0; 3]), Velocity([1.0; 3])));
    equip(step, entity, archetype);
    entity
}

/// A new world with entities of these archetypes, in this order.
fn fresh<S: Settings>(archetypes: &[u8]) -> World<Archetypes, S> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        for &archetype in archetypes {
            spawn(step, archetype);
        }
    });
    filled.expect("nothing is staged");
    world
}

/// A world that begins with `entities` entities, after steps of random spawns and despawns.
fn after_steps<S: Settings>(entities: usize, steps: usize, most: usize) -> World<Archetypes, S> {
    let mut dice = Dice(1);
    let mut world = World::<Archetypes, S>::on(Threads::Inline);
    let mut living = Vec::new();
    for n in 0..=steps {
        let (spawns, despawns) =
            if n == 0 { (entities, 0) } else { (dice.roll(most), dice.roll(most)) };
        let done = world.step(|step| {
            for _ in 0..despawns.min(living.len()) {
                let entity = living.swap_remove(dice.roll(living.len()));
                step.despawn(entity);
            }
            for _ in 0..spawns {
                living.push(spawn(step, dice.roll(ARCHETYPES) as u8));
            }
        });
        done.expect("nothing is staged");
    }
    world
}

/// A world in which a random tenth of its entities is left.
fn after_despawns<S: Settings>(entities: usize) -> World<Archetypes, S> {
    let mut dice = Dice(2);
    let mut world = World::<Archetypes, S>::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..entities).map(|_| spawn(step, dice.roll(ARCHETYPES) as u8)).collect::<Vec<_>>()
    });
    let mut living = filled.expect("nothing is staged");
    let despawned = world.step(|step| {
        for _ in 0..entities - entities / 10 {
            let entity = living.swap_remove(dice.roll(living.len()));
            step.despawn(entity);
        }
    });
    despawned.expect("nothing is staged");
    assert_eq!(world.entity_count(), entities / 10);
    world
}

/// Executes `Move`, or else `Turn`, many times in one step.
fn execute<S: Settings>(world: &mut World<Archetypes, S>, all: bool) {
    let times = (2_000_000 / world.entity_count()).max(1);
    let executed = world.step(|step| {
        for _ in 0..times {
            if all {
                step.execute_systems_from::<(Move,)>();
            } else {
                step.execute_systems_from::<(Turn,)>();
            }
        }
    });
    executed.expect("nothing is staged");
}

/// Compares a world with new ones of the same entities: in the same order, and sorted by archetype.
fn compare<S: Settings>(title: &str, make: impl FnOnce() -> World<Archetypes, S>) {
    let rounds = if is_test() { 1 } else { 15 };
    let (mut worn, worn_bytes) = measured(make);
    let mut archetypes = Vec::new();
    for archetype in worn.iter::<&Archetype>() {
        archetypes.push(archetype.0);
    }
    let (mut fresh_one, fresh_bytes) = measured(|| fresh::<S>(&archetypes));
    archetypes.sort_unstable();
    let mut sorted = fresh::<InOrder>(&archetypes);
    let entities = archetypes.len();
    for (name, all) in [("all", true), ("a quarter", false)] {
        let [w, f, s] = best_of(
            rounds,
            [
                &mut || {
                    execute(&mut worn, all);
                },
                &mut || {
                    execute(&mut fresh_one, all);
                },
                &mut || execute(&mut sorted, all),
            ],
        );
        let times = (2_000_000 / entities).max(1);
        let ns = |time: std::time::Duration| time.as_secs_f64() * 1e9 / (times * entities) as f64;
        println!(
            "| {title}, {name} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} |",
            ns(w),
            ns(f),
            ns(s),
            ns(w) / ns(f),
            ns(w) / ns(s),
        );
    }
    println!(
        "| {title}, bytes an entity | {:.1} | {:.1} | | {:.2} | |",
        worn_bytes as f64 / entities as f64,
        fresh_bytes as f64 / entities as f64,
        worn_bytes as f64 / fresh_bytes as f64
    );
}

pub(crate) fn tables() {
    let (entities, steps) = if is_test() { (10_000, 20) } else { (100_000, 10_000) };
    println!(
        "ns for an entity of the world, best of rounds in turns; {ARCHETYPES} archetypes of entities\n"
    );
    println!(
        "| | worn | fresh, in the same order | fresh, archetype by archetype | worn / fresh | worn / archetype by archetype |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let (left, changing) = ("one in ten is left", "spawns and despawns");
    compare(left, || after_despawns::<InOrder>(10 * entities));
    compare(changing, || after_steps::<InOrder>(entities, steps, entities / 250));
    compare(&format!("by archetype: {left}"), || after_despawns::<Sorted>(10 * entities));
    compare(&format!("by archetype: {changing}"), || {
        after_steps::<Sorted>(entities, steps, entities / 250)
    });
    println!();
}
