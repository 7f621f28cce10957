//! Each part of a state has a hash of its own.

use ecs_core::{Entity, PAGE_ROWS, Part, StateHash, StateHashes, System, World, world};

use crate::threads;

#[derive(Clone, Debug, StateHash)]
struct Place([f32; 2]);

#[derive(Clone, Debug, StateHash)]
struct Fuel(u32);

#[derive(Clone, Debug, Default, StateHash)]
struct Score(u64);

#[derive(Clone, Debug, Default)]
struct Scratch(Vec<u8>);

#[derive(Clone, Debug, StateHash)]
struct Burst(u8);

struct Follows;

world! {
    world Game { seed: 3 }
    component Place, Fuel;
    resource Score;
    resource Scratch: transient;
    event Burst;
    relation Follows: one_to_many, on_despawn: detach;
    state Mode { Run, Pause }
    system Count { state: Count { sum: 0 }, read: [Place] }
    system Look { opt_in, read: [Place], run: |_| {} }
    system Draw { random, run: |_| {} }
    system Watch { on: [Burst], run: |_| {} }
    system Refuel { read: [Fuel], changed: [Fuel], run: |_| {} }
    system Bury { removed: [Place], run: |_| {} }
}

#[derive(Clone, Debug, StateHash)]
struct Count {
    sum: u32,
}

impl System<Game> for Count {
    fn process(&self, _: &mut ecs_core::Data<'_, Game, Self>) {}
}

/// Two pages of entities.
fn game() -> (World<Game>, Vec<Entity>) {
    let mut world = World::<Game>::new();
    let all = (0..6000_u32).map(|n| (Place([n as f32, 0.5]), Fuel(n)));
    let all = world.spawn_batch(all);
    world.tick().unwrap();
    (world, all)
}

/// The parts that differ after a change.
fn parts(change: impl FnOnce(&mut World<Game>, &[Entity])) -> Vec<String> {
    let (mut world, all) = game();
    let before = world.state_hashes();
    assert_eq!(before, world.state_hashes());
    assert_eq!(before.differences(&before.clone()), []);
    change(&mut world, &all);
    let after = world.state_hashes();
    assert_eq!(after.state_hash(), world.state_hash());
    assert_eq!(before == after, before.state_hash() == after.state_hash());
    let differences = before.differences(&after);
    assert_eq!(after.differences(&before), differences);
    // From a slice, everything is known but the rows.
    let sent = StateHashes::<Game>::from_slice(after.as_slice()).unwrap();
    assert_eq!((&sent, sent.state_hash()), (&after, after.state_hash()));
    for (known, sent) in differences.iter().zip(before.differences(&sent)) {
        assert_eq!((known.part, None), (sent.part, sent.rows));
    }
    differences.iter().map(ToString::to_string).collect()
}

#[test]
fn each_part_by_itself() {
    let fuel = |world: &mut World<Game>, entity| world.get_mut::<Fuel>(entity).unwrap().0 += 1;
    let page = format!("component `Fuel`, from row {PAGE_ROWS} on");
    assert_eq!(parts(|_, _| {}), [""; 0]);
    assert_eq!(parts(|world, all| fuel(world, all[5000])), [page.as_str()]);
    assert_eq!(parts(|world, all| fuel(world, all[0])), ["component `Fuel`, from row 0 on"]);
    assert_eq!(parts(|world, _| world.resource_mut::<Score>().0 += 1), ["resource `Score`"]);
    assert_eq!(parts(|world, _| world.resource_mut::<Scratch>().0.push(1)), [""; 0]);
    assert_eq!(
        parts(|world, _| world.system_mut::<Count>().sum += 1),
        ["state of the system `Count`"]
    );
    assert_eq!(parts(|world, _| world.set_seed(4)), ["random numbers"]);
    assert_eq!(parts(|world, _| world.set_state(Mode::Pause)), ["states"]);
    assert_eq!(parts(|world, _| world.emit(Burst(1))), ["resource `Burst`"]);
    let link = |world: &mut World<Game>, all: &[Entity]| {
        world.link::<Follows>(all[1], all[2]).unwrap();
    };
    assert_eq!(parts(link), ["resource `Follows`"]);
    let subscribe = |world: &mut World<Game>, all: &[Entity]| {
        world.step(|step| step.subscribe::<Look>(all[3])).unwrap().unwrap();
    };
    assert_eq!(parts(subscribe), ["subscriptions to the system `Look`"]);
    // The value leaves its page, and waits for `Bury`.
    let remove = |world: &mut World<Game>, all: &[Entity]| world.remove_many::<(Place,)>(all[7]);
    assert_eq!(parts(remove), ["component `Place`, from row 0 on"]);
    // A value that is written as it was is marked as changed for `Refuel`; pages are as before.
    let touch = |world: &mut World<Game>, all: &[Entity]| drop(world.get_mut::<Fuel>(all[9]));
    assert_eq!(parts(touch), ["component `Fuel`"]);
    let spawn = |world: &mut World<Game>, _: &[Entity]| {
        world.spawn((Fuel(1),));
    };
    assert_eq!(parts(spawn), ["entities, from row 4096 on", page.as_str()]);
}

#[test]
fn pages_that_only_one_has() {
    let (mut world, _) = game();
    let before = world.state_hashes();
    let _ = world.spawn_batch((0..6000).map(|n| (Fuel(n),)));
    let differences = world.state_hashes().differences(&before);
    assert_eq!(differences[0].part, Part::Entities);
    assert_eq!(differences[0].rows, Some(PAGE_ROWS..2 * PAGE_ROWS));
    // Of `Place` only the marks and the number of pages differ.
    assert_eq!(differences[1].part, Part::Component("Place"));
    assert_eq!(differences[1].rows, Some(2 * PAGE_ROWS..3 * PAGE_ROWS));
    assert_eq!(World::<Game>::new().state_hashes().differences(&before)[0].part, Part::Entities);
}

#[test]
fn threads_make_no_difference() {
    let (world, _) = game();
    for threads in threads() {
        let mut other = World::<Game>::on(threads);
        other.restore(&world.snapshot()).unwrap();
        assert_eq!(other.state_hashes(), world.state_hashes());
    }
}

#[test]
fn a_slice_of_another_declaration_is_refused() {
    let (world, _) = game();
    let hashes = world.state_hashes();
    let all = hashes.as_slice();
    assert_eq!(all.len(), hashes.parts().count());
    assert!(StateHashes::<Game>::from_slice(&all[1..]).is_none());
    assert!(StateHashes::<Game>::from_slice(&[]).is_none());
    let debug = format!("{hashes:?}");
    assert!(debug.contains("Resource(\"Score\"): \"") && debug.contains("Entities"), "{debug}");
}
