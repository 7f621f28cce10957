//! Single operations on entities by handle: outside of a step, in one, and by a system.

use std::hint::black_box;

use benches::bundle::Position;
use ecs_core::{Data, Entity, Step, Threads, World, world};

use super::{anew, shuffled, steadily};

/// The number of entities.
const ENTITIES: usize = 1_000;

struct Mark(u32);

world! {
    world Singles;
    component Position, Mark;
    resource Order, Total;
    system Spawn {
        spawn: [(Position,)],
        run: |data| (0..ENTITIES).for_each(|_| data.effects.spawn((Position([1.0; 3]),))),
    }
    system Despawn {
        despawn,
        run: |effects, order: &Order| order.0.iter().for_each(|&entity| effects.despawn(entity)),
    }
    system Insert {
        insert: [Mark],
        run: |effects, order: &Order| order.0.iter().for_each(|&entity| effects.insert(entity, Mark(1))),
    }
    system Remove {
        remove: [Mark],
        dependencies: [Insert],
        run: |effects, order: &Order| order.0.iter().for_each(|&entity| effects.remove::<Mark>(entity)),
    }
    system Get {
        read_any: [Position],
        run: |effects, order: &Order, total: &mut Total| {
            let any = effects.read_any::<Position>();
            total.0 = order.0.iter().filter_map(|&entity| any.get(entity)).map(|p| p.0[0]).sum();
        },
    }
    system GetMut {
        exclusive,
        write: [Position],
        read_resources: [Order],
        dependencies: [Get],
        run: |Data { own, resources, .. }| {
            let mut any = own.any_mut::<&mut Position>();
            for &entity in &resources.get::<Order>().0 {
                if let Some(position) = any.get_mut(entity) {
                    position.0[0] += 1.0;
                }
            }
        },
    }
}

#[derive(Default)]
struct Order(Vec<Entity>);
#[derive(Default)]
struct Total(f32);

/// A world, and its entities in random order.
fn filled() -> (World<Singles>, Vec<Entity>) {
    let mut world = World::<Singles>::on(Threads::Inline);
    let entities: Vec<Entity> =
        world.spawn_batch((0..ENTITIES).map(|n| (Position([n as f32; 3]),)));
    let order: Vec<Entity> = shuffled(ENTITIES).into_iter().map(|n| entities[n]).collect();
    world.resource_mut::<Order>().0.clone_from(&order);
    (world, order)
}

fn step<R>(world: &mut World<Singles>, f: impl FnOnce(&mut Step<'_, Singles>) -> R) -> R {
    world.step(f).expect("there is room")
}

/// Executes a system alone.
macro_rules! execute {
    ($world:expr, $system:ident) => {
        step($world, |step| step.execute_only::<($system,)>())
    };
}

/// Despawns all entities, so that the next ones come into a world with memory.
fn clear(world: &mut World<Singles>) {
    let entities: Vec<Entity> = world.iter::<Entity>().collect();
    step(world, |step| entities.iter().for_each(|&entity| step.despawn(entity)));
}

/// Counts `spawn` in a world that has had as many entities before.
fn spawn(mut spawn: impl FnMut(&mut World<Singles>)) {
    let emptied = || {
        let (mut world, _) = filled();
        clear(&mut world);
        world
    };
    anew(emptied, |world| {
        spawn(world);
        assert_eq!(world.entity_count(), ENTITIES);
    });
}

pub(super) fn spawn_outside() {
    spawn(|world| {
        (0..ENTITIES).for_each(|_| {
            world.spawn((Position([1.0; 3]),));
        });
    });
}

pub(super) fn spawn_in_step() {
    spawn(|world| {
        step(world, |step| {
            (0..ENTITIES).for_each(|_| {
                step.spawn((Position([1.0; 3]),));
            });
        });
    });
}

pub(super) fn spawn_in_system() {
    spawn(|world| execute!(world, Spawn));
}

/// Counts `despawn` in a full world.
fn despawn(mut despawn: impl FnMut(&mut World<Singles>, &[Entity])) {
    anew(filled, |(world, order)| {
        despawn(world, order);
        assert_eq!(world.entity_count(), 0);
    });
}

pub(super) fn despawn_outside() {
    despawn(|world, order| order.iter().for_each(|&entity| assert!(world.despawn(entity))));
}

/// The first thousand of a million, each execution the next ones: what it takes does not depend on how many there are.
pub(super) fn despawn_outside_of_a_million() {
    let mut world = World::<Singles>::on(Threads::Inline);
    let all = world.spawn_batch((0..1_000_000).map(|_| (Position([1.0; 3]),)));
    let mut order = all.into_iter();
    steadily(|| order.by_ref().take(ENTITIES).for_each(|entity| assert!(world.despawn(entity))));
}

pub(super) fn despawn_in_step() {
    despawn(|world, order| {
        step(world, |step| order.iter().for_each(|&entity| step.despawn(entity)));
    });
}

pub(super) fn despawn_in_system() {
    despawn(|world, _| execute!(world, Despawn));
}

fn insert_all(world: &mut World<Singles>, order: &[Entity]) {
    let inserted =
        step(world, |step| order.iter().filter(|&&e| step.insert(e, Mark(1)).is_ok()).count());
    assert_eq!(inserted, ENTITIES);
}

/// Counts `insert` in a world whose entities had the component before.
fn insert(mut insert: impl FnMut(&mut World<Singles>, &[Entity])) {
    let without = || {
        let (mut world, order) = filled();
        insert_all(&mut world, &order);
        step(&mut world, |step| step.remove_batch::<Mark>(order.iter().copied()));
        (world, order)
    };
    anew(without, |(world, order)| {
        insert(world, order);
        assert!(world.contains::<Mark>(order[7]));
    });
}

pub(super) fn insert_outside() {
    insert(|world, order| {
        for &entity in order {
            assert!(world.insert(entity, Mark(1)).is_ok());
        }
    });
}

pub(super) fn insert_in_step() {
    insert(insert_all);
}

pub(super) fn insert_in_system() {
    insert(|world, _| execute!(world, Insert));
}

/// Counts `remove` in a world whose entities have the component.
fn remove(mut remove: impl FnMut(&mut World<Singles>, &[Entity])) {
    let with = || {
        let (mut world, order) = filled();
        insert_all(&mut world, &order);
        (world, order)
    };
    anew(with, |(world, order)| {
        remove(world, order);
        assert!(!world.contains::<Mark>(order[7]));
    });
}

pub(super) fn remove_outside() {
    remove(|world, order| {
        let marks = order.iter().filter_map(|&entity| world.remove::<Mark>(entity));
        assert_eq!(marks.map(|mark| mark.0).sum::<u32>() as usize, ENTITIES);
    });
}

pub(super) fn remove_in_step() {
    remove(|world, order| {
        let marks = step(world, |step| {
            order
                .iter()
                .filter_map(|&entity| step.remove::<Mark>(entity))
                .map(|mark| mark.0)
                .sum::<u32>()
        });
        assert_eq!(marks as usize, ENTITIES);
    });
}

pub(super) fn remove_in_system() {
    remove(|world, _| execute!(world, Remove));
}

pub(super) fn get_outside() {
    let (world, order) = filled();
    steadily(|| {
        let positions = order.iter().filter_map(|&entity| world.get::<Position>(entity));
        black_box(positions.map(|position| position.0[0]).sum::<f32>());
    });
}

pub(super) fn get_in_step() {
    let (mut world, order) = filled();
    steadily(|| {
        let sum = step(&mut world, |step| {
            let positions = order.iter().filter_map(|&entity| step.get::<Position>(entity));
            positions.map(|position| position.0[0]).sum::<f32>()
        });
        black_box(sum);
    });
}

pub(super) fn get_in_system() {
    let (mut world, _) = filled();
    steadily(|| execute!(&mut world, Get));
}

pub(super) fn get_mut_outside() {
    let (mut world, order) = filled();
    steadily(|| {
        for &entity in &order {
            if let Some(position) = world.get_mut::<Position>(entity) {
                position.0[0] += 1.0;
            }
        }
    });
}

pub(super) fn get_mut_in_step() {
    let (mut world, order) = filled();
    steadily(|| {
        step(&mut world, |step| {
            for &entity in &order {
                if let Some(position) = step.get_mut::<Position>(entity) {
                    position.0[0] += 1.0;
                }
            }
        });
    });
}

pub(super) fn get_mut_in_system() {
    let (mut world, _) = filled();
    steadily(|| execute!(&mut world, GetMut));
}
