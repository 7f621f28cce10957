//! Worlds with a past, beside worlds of the same entities without.

use ecs_core::settings::{Allow, AtomicCounter, ByKind, Config, Dynamic, Settings};
use ecs_core::{Data, Entity, LimitReached, Step, System, Threads, World, world};

use crate::memory::measured;
use crate::{Dice, best_of, is_test};

/// How many kinds of entities there are.
const KINDS: usize = 100;

#[derive(Clone, Copy)]
struct Kind(u8);
struct Position([f32; 3]);
struct Velocity([f32; 3]);

/// Rows in the order of births.
type InOrder = Config<Dynamic<1024>, Allow, AtomicCounter>;
/// Rows by kind.
type Sorted = Config<ByKind<1024>, Allow, AtomicCounter>;

/// Parts, of which each kind has some.
macro_rules! parts {
    ($($part:ident)*) => {
        $(
            #[expect(clippy::allow_attributes, reason = "one of them is read")]
            #[allow(dead_code, reason = "one of them is read")]
            struct $part(f32);
        )*

        world! {
            world Kinds;
            component Kind: contiguous_buffer;
            component Position: contiguous_buffer;
            component Velocity: contiguous_buffer;
            $(component $part: contiguous_buffer;)*
            system Move { read: [Velocity], write: [Position] }
            system Turn { read: [Velocity], write: [P0] }
        }

        /// Gives the entity its parts: a quarter of all, others for each kind.
        fn equip<S: Settings>(step: &mut Step<'_, Kinds, S>, entity: Entity, kind: u8) -> Result<(), LimitReached> {
            let mut part = 0;
            $(
                if (usize::from(kind) * 37 + part * 11) % KINDS < 25 {
                    step.add_component(entity, $part(1.0)).expect("it lives");
                }
                part += 1;
            )*
            assert!(part > 0);
            Ok(())
        }
    };
}

parts!(P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15);

#[derive(Default)]
struct Move;
#[derive(Default)]
struct Turn;

impl System<Kinds> for Move {
    fn process(&self, data: &mut Data<'_, Kinds, Self>) {
        data.for_entities(|e| {
            for axis in 0..3 {
                e.position.0[axis] += e.velocity.0[axis];
            }
        });
    }
}

impl System<Kinds> for Turn {
    fn process(&self, data: &mut Data<'_, Kinds, Self>) {
        data.for_entities(|e| e.p0.0 += e.velocity.0[0]);
    }
}

fn spawn<S: Settings>(step: &mut Step<'_, Kinds, S>, kind: u8) -> Entity {
    let entity = step
        .spawn((Kind(kind), Position([0.0; 3]), Velocity([1.0; 3])))
        .expect("the limit is dynamic");
    equip(step, entity, kind).expect("the limit is dynamic");
    entity
}

/// A world that never saw anything but these entities, in this order.
fn fresh<S: Settings>(kinds: &[u8]) -> World<Kinds, S> {
    let mut world = World::on(Threads::Inline);
    let filled = world.step(|step| {
        for &kind in kinds {
            spawn(step, kind);
        }
    });
    filled.expect("nothing is staged");
    world
}

/// A world of so many entities in steps of births and deaths that chance chooses, in memory of its own.
fn after_steps<S: Settings>(entities: usize, steps: usize, most: usize) -> World<Kinds, S> {
    let mut dice = Dice(1);
    let mut world = World::<Kinds, S>::on(Threads::Inline);
    let mut living = Vec::new();
    for n in 0..=steps {
        let (births, deaths) =
            if n == 0 { (entities, 0) } else { (dice.roll(most), dice.roll(most)) };
        let done = world.step(|step| {
            for _ in 0..deaths.min(living.len()) {
                let dead = living.swap_remove(dice.roll(living.len()));
                step.kill_entity(dead);
            }
            for _ in 0..births {
                living.push(spawn(step, dice.roll(KINDS) as u8));
            }
        });
        done.expect("nothing is staged");
    }
    world
}

/// A world of which one of ten entities is left, whom chance chooses.
fn after_deaths<S: Settings>(entities: usize) -> World<Kinds, S> {
    let mut dice = Dice(2);
    let mut world = World::<Kinds, S>::on(Threads::Inline);
    let filled = world.step(|step| {
        (0..entities).map(|_| spawn(step, dice.roll(KINDS) as u8)).collect::<Vec<_>>()
    });
    let mut living = filled.expect("nothing is staged");
    let killed = world.step(|step| {
        for _ in 0..entities - entities / 10 {
            let dead = living.swap_remove(dice.roll(living.len()));
            step.kill_entity(dead);
        }
    });
    killed.expect("nothing is staged");
    assert_eq!(world.entity_count(), entities / 10);
    world
}

/// Executes `Move`, or else `Turn`, many times in one step.
fn execute<S: Settings>(world: &mut World<Kinds, S>, all: bool) {
    let times = (2_000_000 / world.entity_count()).max(1);
    let executed = world.step(|step| {
        for _ in 0..times {
            if all {
                step.execute_systems_from::<(Move,)>().run();
            } else {
                step.execute_systems_from::<(Turn,)>().run();
            }
        }
    });
    executed.expect("nothing is staged");
}

/// Compares a world with fresh ones of the same entities: as they lie, and kind by kind.
fn compare<S: Settings>(title: &str, make: impl FnOnce() -> World<Kinds, S>) {
    let rounds = if is_test() { 1 } else { 15 };
    let (mut worn, worn_bytes) = measured(make);
    let mut kinds = Vec::new();
    worn.for_each::<&Kind>(|kind| kinds.push(kind.0));
    let (mut fresh_one, fresh_bytes) = measured(|| fresh::<S>(&kinds));
    kinds.sort_unstable();
    let mut sorted = fresh::<InOrder>(&kinds);
    let entities = kinds.len();
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
    println!("ns for an entity of the world, best of rounds in turns; {KINDS} kinds of entities\n");
    println!(
        "| | worn | fresh, in the same order | fresh, kind by kind | worn / fresh | worn / kind by kind |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let (left, changing) = ("one in ten is left", "births and deaths");
    compare(left, || after_deaths::<InOrder>(10 * entities));
    compare(changing, || after_steps::<InOrder>(entities, steps, entities / 250));
    compare(&format!("by kind: {left}"), || after_deaths::<Sorted>(10 * entities));
    compare(&format!("by kind: {changing}"), || {
        after_steps::<Sorted>(entities, steps, entities / 250)
    });
    println!();
}
