//! Prefabs of three entities with two components, spawned a thousand times, beside the same batch of tuples with links by hand; with
//! links and without.

use benches::beside::{best_of, report};
use criterion::{Criterion, criterion_group, criterion_main};
use ecs_core::{Entity, Prefab, Template, Threads, World, world};

/// How many prefabs are spawned in a step.
const COUNT: usize = 1000;

/// The entities of a prefab.
const LEN: usize = 3;

#[derive(Clone, Copy)]
struct Position([f32; 3]);
#[derive(Clone, Copy)]
struct Velocity([f32; 3]);
struct PartOf;

world! {
    world Field;
    component Position, Velocity;
    relation PartOf: one_to_many, on_despawn: despawn;
}

/// The components of each entity.
fn values() -> (Position, Velocity) {
    (Position([1.0; 3]), Velocity([0.5; 3]))
}

/// A world in which memory for the entities is there.
fn filled() -> World<Field> {
    let mut world = World::on(Threads::Inline);
    let _ = world.spawn_batch((0..COUNT * LEN).map(|_| values()));
    let position = world.iter::<(&Position, &Velocity)>().next().map(|(at, by)| at.0[0] + by.0[0]);
    assert_eq!(position, Some(1.5));
    world
}

fn spawns(_: &mut Criterion) {
    for is_linked in [true, false] {
        let mut prefab = Prefab::<Field>::new();
        for number in 0..LEN {
            prefab.push(Template::new(values()));
            if is_linked && number > 0 {
                prefab.link::<PartOf>(number, 0).expect("a tree");
            }
        }
        let (mut by_prefab, mut by_hand) = (filled(), filled());
        let (before, mut spawned) = (by_prefab.snapshot(), 0);
        let (library, hand) = best_of(
            100,
            || {
                by_prefab.restore(&before).expect("the same limit");
                spawned = by_prefab.spawn_prefabs(&prefab, COUNT).len();
            },
            || {
                by_hand.restore(&before).expect("the same limit");
                let linked = by_hand.step(|step| {
                    let bundles = (0..COUNT * LEN).map(|_| values());
                    let all: Vec<Entity> = step.spawn_batch(bundles).collect();
                    for entities in all.chunks(LEN).filter(|_| is_linked) {
                        for &child in &entities[1..] {
                            step.link::<PartOf>(child, entities[0]);
                        }
                    }
                });
                linked.expect("new entities");
            },
        );
        assert_eq!(spawned, COUNT * LEN);
        assert_eq!(by_prefab.entity_count(), by_hand.entity_count());
        let title =
            format!("{spawned} entities, {}", if is_linked { "linked" } else { "without links" });
        report(&title, ("prefabs", library), ("by hand", hand));
    }
}

criterion_group!(benches, spawns);
criterion_main!(benches);
