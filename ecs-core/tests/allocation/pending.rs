//! Pending entities: the memory of what is staged for them is reused.

use ecs_core::{Entity, Threads, World, world};

use super::heap::ALLOCATIONS;

struct Age(u32);
struct Next(#[expect(dead_code, reason = "only its place counts")] Entity);
struct Latest(#[expect(dead_code, reason = "only its place counts")] Entity);
struct Note(Entity);

world! {
    world Nursery {}
    component Age, Next, Latest;
    event Note: addressed;
    system Renew {
        parallelism: split_every(64),
        spawn: [Age, (Age, Next)],
        insert: [Latest, Next],
        remove: [Next],
        emit: [Note],
        despawn,
        each: |entity: Entity, age: &mut Age, effects| {
            age.0 += 1;
            if age.0 >= 9 {
                effects.despawn(entity);
            } else if age.0 == 4 {
                let one = effects.spawn_pending((Age(0),));
                let two = effects.spawn_with([one], |[one]| (Age(6), Next(one)));
                effects.insert_with(one, two, Next);
                effects.remove::<Next>(two);
                effects.insert_with(entity, one, Latest);
                effects.send(one, Note(entity));
                effects.send_with(entity, one, Note);
            }
        },
    }
    system Read {
        on: [Note],
        write: [Age],
        run: |data| data.for_messages::<Note>(|one, notes, _| {
            let others = notes.filter(|note| note.0 != one.entity).count();
            assert_eq!(others, 1);
        }),
    }
}

#[test]
fn nor_does_work_for_pending_entities() {
    let mut world = World::<Nursery>::on(Threads::Inline);
    world.spawn_batch((0..900).map(|n| (Age(n % 9),)));
    let mut step = || world.tick().unwrap();
    // Parts of queues go round until each is large enough.
    (0..180).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..36).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 36 steps");
    assert!(world.entity_count() > 500);
}
