//! Worlds that part, by a fault of one of their systems: which step, which system, what value.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::desync::{Culprit, Desync, find, find_between};
use ecs_core::scheduler::Shuffled;
use ecs_core::settings::{Config, Disallow, Fixed, Scheduled, Sequential, Settings};
use ecs_core::{
    Combine, Declaration, Entity, Part, StateHash, Step, Stream, System, SystemSelection, World,
    world,
};

use crate::threads;

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Place(u32);

/// Not `Debug`.
#[derive(Clone, StateHash)]
struct Fuel(u32);

#[derive(Clone, Debug, StateHash)]
struct Mark(u32);

#[derive(Clone, Debug, StateHash)]
struct Egg;

#[derive(Clone, Debug, Default, StateHash)]
struct Heard(u32);

#[derive(Clone, Combine, Debug, Default, StateHash)]
struct Total(u32);

#[derive(Clone, Debug, Default, StateHash)]
struct Taken(u32);

#[derive(Clone, Debug, Default, StateHash)]
struct Entered(u32);

#[derive(Clone, Debug, Default, StateHash)]
struct Input(u32);

#[derive(Clone, Debug, StateHash)]
struct Hit(u32);

/// What differs between two machines, and is no state: which fault this one has.
#[derive(Clone, Default)]
struct Machine(u32);

impl Machine {
    /// 1 if this machine has the fault.
    fn has(&self, fault: u32) -> u32 {
        u32::from(self.0 == fault)
    }
}

world! {
    world Game { staged_changes: refresh_before_dependents, seed: 1 }
    component Place, Fuel, Mark;
    component Egg: empty;
    resource Heard, Taken, Entered, Input;
    resource Total: sum;
    resource Machine: transient;
    event Hit;
    state Mode { Run, Pause }

    // After all the others, though it is declared first.
    system Last { dependencies: [Count], each: |place: &mut Place, machine: &Machine| place.0 += machine.has(1) }
    system Move {
        parallelism: split_every(16),
        each: |place: &mut Place, input: &Input, machine: &Machine| place.0 += input.0 + machine.has(2),
    }
    system Burn { dependencies: [Move], each: |fuel: &mut Fuel, machine: &Machine| fuel.0 += machine.has(3) }
    system Label {
        dependencies: [Burn],
        insert: [Mark],
        without: [Mark],
        each: |entity: Entity, place: &Place, machine: &Machine, effects| {
            if place.0 % 7 == 3 {
                effects.insert(entity, Mark(machine.has(4)));
            }
        },
    }
    // It sees what `Label` has inserted, and what comes of it differs, too.
    system Rub { dependencies: [Label], each: |mark: &mut Mark| mark.0 += 1 }
    system Lay {
        dependencies: [Rub],
        spawn: [Egg],
        run: |data| {
            let machine = data.resources.get::<Machine>().has(5);
            (0..=machine).for_each(|_| data.effects.spawn((Egg,)));
        },
        read_resources: [Machine],
    }
    system Break { dependencies: [Lay], despawn, with: [Egg], each: |egg: Entity, machine: &Machine, effects| {
        if machine.has(6) == 0 && egg.index().is_multiple_of(2) {
            effects.despawn(egg);
        }
    } }
    system Shout { dependencies: [Break], emit: [Hit], run: |effects, machine: &Machine| effects.emit(Hit(machine.has(7))) }
    system Hear {
        on: [Hit],
        run: |effects, heard: &mut Heard, machine: &Machine| {
            heard.0 += machine.has(8) + effects.events::<Hit>().map(|hit| hit.0).sum::<u32>();
        },
    }
    system Add { dependencies: [Hear], add: [Total], each: |_: &Place, machine: &Machine, effects| effects.add(Total(1 + machine.has(9))) }
    system Send {
        dependencies: [Add],
        output: Stream<u32>,
        each: |place: &Place, machine: &Machine, effects| effects.stream().send(place.0 + machine.has(10)),
    }
    system Take { dependencies: [Add], streams: [Send], run: |effects, taken: &mut Taken| taken.0 += effects.received::<Send>().sum::<u32>() }
    system Count { dependencies: [Send, Take], read_resources: [Machine], state: Count(0) }
    system Odd { dependencies: [Send, Take], run_if: |machine: &Machine| machine.has(12) == 1, run: |_, input: &mut Input| input.0 += 1 }
    system Switch { dependencies: [Odd], set_state: [Mode], run: |effects, machine: &Machine| {
        if machine.has(13) == 1 {
            effects.set_state(Mode::Pause);
        }
    } }
    system Begin { on_enter: Mode::Run, run: |_, entered: &mut Entered, machine: &Machine| entered.0 += machine.has(14) }
    system Chance { random, dependencies: [Switch], run: |effects, heard: &mut Heard, machine: &Machine| {
        heard.0 = heard.0.wrapping_add(effects.random_of_system().u32()) + machine.has(15);
    } }
}

#[derive(Clone, Debug, StateHash)]
struct Count(u32);

impl System<Game> for Count {
    fn process(&self, _: &mut ecs_core::Data<'_, Game, Self>) {}

    fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Game, Self>) {
        self.0 += executor.resources.get::<Machine>().has(11);
    }
}

fn game() -> World<Game> {
    let mut world = World::<Game>::new();
    world.spawn_batch((0..50).map(|n| (Place(n), Fuel(n))));
    world
}

/// Two worlds, of which the second has the fault.
fn pair(fault: u32) -> [World<Game>; 2] {
    let one = game();
    let mut other = one.clone();
    other.resource_mut::<Machine>().0 = fault;
    [one, other]
}

fn tick<D: Declaration, S: Settings>(
    world: &mut World<D, S>,
    _: usize,
    systems: &SystemSelection<D>,
) {
    world.step(|step| step.execute_selected(systems)).unwrap().unwrap();
}

#[test]
fn each_fault_is_found_at_its_system() {
    let expected = [
        (1, "Last", "component `Place`"),
        (2, "Move", "component `Place`"),
        (3, "Burn", "component `Fuel`"),
        (4, "Label", "component `Mark`"),
        (5, "Lay", "entities"),
        (6, "Break", "entities"),
        (7, "Shout", "resource `Hit`"),
        (8, "Hear", "resource `Heard`"),
        (9, "Add", "resource `Total`"),
        (11, "Count", "state of the system `Count`"),
        (12, "Odd", "resource `Input`"),
        (13, "Switch", "states"),
        (15, "Chance", "resource `Heard`"),
    ];
    for (fault, system, part) in expected {
        let [mut one, mut other] = pair(fault);
        let found = find(&mut one, &mut other, 30, tick).unwrap_or_else(|| panic!("{system}"));
        assert_eq!(found.culprit, Culprit::System(system), "{found}");
        let parts: Vec<_> = found.differences.iter().map(|one| one.part.to_string()).collect();
        assert!(parts.iter().any(|other| other == part), "{found}");
    }
    let [mut one, mut other] = pair(10);
    let found = find(&mut one, &mut other, 30, tick).unwrap();
    assert_eq!(found.culprit, Culprit::SenderOrReceiver("Send", "Take"));
    // It runs at a transition, which no selection leaves out.
    let [mut one, mut other] = pair(14);
    let found = find(&mut one, &mut other, 30, tick).unwrap();
    assert_eq!(found.culprit, Culprit::BesideSystems);
    assert!(found.to_string().contains("resource `Entered`"), "{found}");
    let [mut one, mut other] = pair(16);
    assert_eq!(find(&mut one, &mut other, 30, tick), None);
    assert_eq!(one.state_hash(), other.state_hash());
}

#[test]
fn the_step_the_entity_and_both_values() {
    // No place is 3 modulo 7 with an entity that has no mark, until the input moves them.
    let mut one = World::<Game>::new();
    let all = one.spawn_batch([0, 1, 0].map(|n| (Place(n), Fuel(0))));
    let mut other = one.clone();
    other.resource_mut::<Machine>().0 = 4;
    let step = |world: &mut World<Game>, number, systems: &_| {
        world.resource_mut::<Input>().0 = u32::from(number == 5) * 2;
        tick(world, number, systems);
    };
    let expected = {
        let mut world = one.clone();
        for number in 0..=5 {
            world.resource_mut::<Input>().0 = u32::from(number == 5) * 2;
            world.tick().unwrap();
        }
        world.state_hash()
    };
    let found = find(&mut one, &mut other, 100, step).unwrap();
    assert_eq!((found.world, found.step), ("Game", Some(5)));
    assert_eq!(found.culprit, Culprit::System("Label"));
    let text = "\
the worlds of `Game` differ after step 5: the system `Label` makes the difference
part              rows  entity  one      other
component `Mark`  1     1v1     Mark(0)  Mark(1)
";
    assert_eq!(found.to_string(), text);
    let first = found.differences.iter().next().unwrap();
    assert_eq!((first.part, first.row, first.rows), (Part::Component("Mark"), Some(1), 1));
    assert_eq!(first.entity, Some(all[1]));
    // The worlds are as the step has left them, and go on.
    assert_eq!(one.state_hash(), expected);
    assert_eq!(other.get::<Mark>(all[1]).unwrap().0, 2);
    one.tick().unwrap();
    other.tick().unwrap();
}

#[test]
fn worlds_that_differ_at_the_start_or_by_their_input() {
    let [mut one, mut other] = pair(0);
    other.resource_mut::<Total>().0 = 3;
    let found = find(&mut one, &mut other, 1, tick).unwrap();
    assert_eq!((found.step, &found.culprit), (None, &Culprit::Start));
    let text = "\
the worlds of `Game` differ before the first step
part              rows  entity  one       other
resource `Total`                Total(0)  Total(3)
";
    assert_eq!(found.to_string(), text);

    let [mut one, mut other] = pair(16);
    let step = |world: &mut World<Game>, number: usize, systems: &_| {
        world.resource_mut::<Input>().0 = number as u32 / 3 * world.resource::<Machine>().has(16);
        tick(world, number, systems);
    };
    let found = find(&mut one, &mut other, 10, step).unwrap();
    assert_eq!((found.step, &found.culprit), (Some(3), &Culprit::BesideSystems));
    assert!(found.to_string().contains("beside executing systems"), "{found}");
}

#[test]
fn several_executions_in_a_step() {
    let [mut one, mut other] = pair(3);
    let found = find(&mut one, &mut other, 2, |world, _, systems| {
        let step = |step: &mut Step<'_, Game>| {
            step.execute_selected(systems).unwrap();
            step.execute_selected(systems).unwrap();
        };
        world.step(step).unwrap();
        // As fewer systems have run, it may panic when the step is repeated.
        assert!(world.resource::<Total>().0 >= 100);
    });
    assert_eq!(found.map(|found| found.culprit), Some(Culprit::System("Burn")));
}

#[test]
fn a_fault_that_does_not_show_again() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    world! {
        world Clock;
        component Place, Fuel;
        system Wait { each: |fuel: &mut Fuel| fuel.0 += 1 }
        system Read { each: |place: &mut Place| place.0 += u32::from(CALLS.fetch_add(1, Relaxed) == 20) }
        system Drop { dependencies: [Read], remove: [Place], run: |_| {} }
    }
    let mut one = World::<Clock>::new();
    one.spawn((Place(0), Fuel(0)));
    let mut other = one.clone();
    let found = find(&mut one, &mut other, 100, tick).unwrap();
    assert_eq!(found.step, Some(10));
    assert_eq!(found.culprit, Culprit::Unknown(vec!["Read", "Drop"]));
    assert_eq!(one.get::<Place>(one.iter::<Entity>().next().unwrap()), Some(&Place(1)));
    let text = "when the step was repeated, the fault did not show each time; what differs can be changed by `Read`, `Drop`";
    assert!(found.to_string().contains(text), "{found}");
}

#[test]
fn a_fault_that_reads_a_global_counter() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    world! {
        world Clock;
        component Place;
        system Wait { each: |place: &mut Place| place.0 += 1 }
        system Read { dependencies: [Wait], each: |place: &mut Place| place.0 += CALLS.fetch_add(1, Relaxed) / 5 }
        system Double { dependencies: [Read], each: |place: &mut Place| place.0 *= 2 }
    }
    for threads in threads() {
        let mut one = World::<Clock>::on(threads);
        one.spawn_batch((0..7).map(|n| (Place(n),)));
        let mut other = one.clone();
        let Some(Desync { culprit, .. }) = find(&mut one, &mut other, 100, tick) else {
            panic!("they differ");
        };
        assert_eq!(culprit, Culprit::System("Read"));
    }
}

#[test]
fn other_settings_are_the_same() {
    type Other = Config<Fixed<500>, Disallow, Sequential>;
    for fault in [0, 4] {
        let mut one = game();
        let mut shuffled = World::<Game, Scheduled<Game, Shuffled>>::new();
        let mut other = World::<Game, Other>::new();
        shuffled.restore(&one.snapshot()).unwrap();
        other.restore(&one.snapshot()).unwrap();
        other.resource_mut::<Machine>().0 = fault;
        assert_eq!(find_between((&mut one, tick), (&mut shuffled, tick), 10), None);
        let found = find_between((&mut shuffled, tick), (&mut other, |_, _, _| {}), 0);
        assert_eq!(found.map(|found| found.culprit), Some(Culprit::Start));
        let mut one = game();
        let found = find_between((&mut one, tick), (&mut other, tick), 10);
        let culprit = (fault == 4).then_some(Culprit::System("Label"));
        assert_eq!(found.map(|found| found.culprit), culprit);
    }
}

#[test]
fn a_world_and_a_snapshot() {
    let mut world = game();
    let before = world.snapshot();
    assert!(world.differences_from(&before).unwrap().is_empty());
    let all: Vec<Entity> = world.iter::<Entity>().collect();
    world.get_mut::<Fuel>(all[30]).unwrap().0 = 99;
    world.get_mut::<Fuel>(all[40]).unwrap().0 = 99;
    // The last entity moves to its row, and its own row is that of the egg.
    world.despawn(all[0]);
    world.spawn((Egg,));
    let hash = world.state_hash();
    let text = world.differences_from(&before).unwrap().to_string();
    assert_eq!(world.state_hash(), hash);
    // A type without `Debug` is shown by the hash of the value.
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].starts_with("entities           "), "{text}");
    assert!(lines[2].starts_with("component `Place`  0 and 1 more  49v1    Place(49) "), "{text}");
    assert!(lines[3].starts_with("component `Fuel`   0 and 3 more"), "{text}");
    assert!(!lines[3].contains("Fuel("), "{text}");
    assert!(lines[4].contains("Egg"), "{text}");
    // A world that has no room for the snapshot.
    let small = World::<Game, Config<Fixed<3>, Disallow, Sequential>>::new();
    assert!(small.differences_from(&before).is_err());
    assert_eq!(small.differences(&World::<Game>::new()).to_string(), "");
}
