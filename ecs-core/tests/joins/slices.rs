//! The members of a query as slices: all of them in the order of rows, or none where there is a gap.

use ecs_core::{Data, Entity, PAGE_ROWS, World, world};

use crate::{every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum(u64);
struct Other;

world! {
    world Board;
    component Number, Sum;
    component Other: empty;
    resource Seen;
    query Numbers { read: [Number] }
    query Others { with: [Other], read: [Number] }
    system Add {
        read: [Number],
        write: [Sum],
        queries: [Numbers],
        parallelism: split_every(700),
        run: add,
    }
    system Look { dependencies: [Add], queries: [Numbers, Others], write_resources: [Seen], run: look }
}

#[derive(Debug, Default, PartialEq)]
struct Seen {
    numbers: Option<Vec<u64>>,
    entities: Option<Vec<Entity>>,
    others: Option<usize>,
}

/// Adds the number of the member whose index follows from an entity's own.
fn add(data: &mut Data<'_, Board, Add>) {
    let Some(all) = data.effects.slices::<Numbers, &Number>() else { return };
    data.own.for_entities(|e| {
        e.sum.0 = e.number.0 + all[(mix(e.number.0) % all.len() as u64) as usize].0;
    });
}

fn look(data: &mut Data<'_, Board, Look>) {
    let seen = data.resources.get_mut::<Seen>();
    let both = data.effects.slices::<Numbers, (Entity, &Number)>();
    seen.entities = both.map(|(entities, _)| entities.to_vec());
    seen.numbers = both.map(|(_, numbers)| numbers.iter().map(|number| number.0).collect());
    seen.others = data.effects.slices::<Others, &Number>().map(<[_]>::len);
}

/// More than two pages, of which the last one is not full.
const COUNT: u64 = 2 * PAGE_ROWS as u64 + 100;

#[test]
fn members_lie_in_the_order_of_spawns() {
    for threads in every_kind() {
        let mut world = World::<Board>::on(threads);
        // Rows before those of members.
        world.spawn_batch((0..70).map(|_| (Other,)));
        let entities = world.spawn_batch((0..COUNT).map(|n| (Number(n), Sum(0))));
        world.tick().unwrap();
        let seen = world.resource::<Seen>();
        assert_eq!(seen.entities.as_deref(), Some(&entities[..]));
        assert!(seen.numbers.iter().flatten().copied().eq(0..COUNT));
        for (n, &entity) in (0..).zip(&entities) {
            assert_eq!(world.get(entity), Some(&Sum(n + mix(n) % COUNT)));
        }
    }
}

#[test]
fn a_query_without_members_has_empty_slices() {
    let mut world = World::<Board>::new();
    world.tick().unwrap();
    let seen = world.resource::<Seen>();
    assert_eq!(*seen, Seen { numbers: Some(vec![]), entities: Some(vec![]), others: Some(0) });
}

#[test]
fn there_are_no_slices_over_a_gap() {
    let mut world = World::<Board>::new();
    let entities = world.spawn_batch((0..COUNT).map(|n| (Number(n), Sum(0))));
    // It is no member any more, but its row is in use.
    world.remove::<Number>(entities[PAGE_ROWS]);
    world.tick().unwrap();
    assert_eq!(world.resource::<Seen>().numbers, None);
    world.insert(entities[PAGE_ROWS], Number(9)).unwrap();
    world.tick().unwrap();
    assert_eq!(world.resource::<Seen>().numbers.as_ref().map(Vec::len), Some(COUNT as usize));
    // At either end there is no gap.
    for end in [0, COUNT as usize - 1] {
        world.remove::<Number>(entities[end]);
    }
    world.tick().unwrap();
    let numbers = world.resource::<Seen>().numbers.as_ref().unwrap();
    assert_eq!((numbers.len() as u64, numbers[0]), (COUNT - 2, 1));
}

#[test]
fn members_that_leave_within_a_step_are_not_shown() {
    let mut world = World::<Board>::new();
    let entities = world.spawn_batch((0..300).map(|n| (Number(n), Sum(0))));
    world
        .step(|step| {
            step.execute_systems();
            step.remove::<Number>(entities[150]);
            step.execute_systems();
        })
        .unwrap();
    assert_eq!(world.resource::<Seen>().numbers, None);
}
