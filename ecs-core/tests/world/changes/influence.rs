//! Staged changes of one component: that of the later system counts, wherever the systems are declared.
//! Changes that commute need no order.

use ecs_core::description::Description;
use ecs_core::{Data, System, World, world};

use crate::support::every_kind;

struct Number(u32);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark(&'static str);

world! {
    world Backwards { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    component Mark: contiguous_buffer;

    system Last {
        dependencies: [Middle],
        parallelism: split_every(64),
        read: [Number],
        insert: [Mark],
    }
    system Middle { inputs: [First], parallelism: split_every(64), read: [Number], remove: [Mark] }
    system First { parallelism: split_every(64), read: [Number], insert: [Mark] }
    system Despawn { parallelism: split_every(64), read: [Number], despawn }
    system Reap { read: [Number], despawn }
}

/// A system that applies `$effect` to the entities with a multiple of `$number`.
macro_rules! system {
    ($S:ident, $number:literal, |$effects:ident, $entity:ident| $effect:expr) => {
        #[derive(Default)]
        struct $S;

        impl System<Backwards> for $S {
            fn process(&self, data: &mut Data<'_, Backwards, Self>) {
                let (own, $effects) = (&mut data.own, &mut data.effects);
                own.for_entities(|e| {
                    let $entity = e.entity;
                    if e.number.0.is_multiple_of($number) {
                        $effect;
                    }
                });
            }
        }
    };
}

system! { First, 1, |effects, entity| effects.insert(entity, Mark("first")) }
system! { Middle, 2, |effects, entity| effects.remove::<Mark>(entity) }
system! { Last, 4, |effects, entity| effects.insert(entity, Mark("last")) }
system! { Despawn, 3, |effects, entity| effects.despawn(entity) }
system! { Reap, 9, |effects, entity| effects.despawn(entity) }

#[test]
fn the_change_of_the_later_system_counts() {
    for threads in every_kind() {
        let mut world = World::<Backwards>::on(threads);
        let entities: Vec<_> =
            world.step(|step| (0..600).map(|n| step.spawn((Number(n),))).collect()).unwrap();
        world.tick().unwrap();
        for (number, &entity) in entities.iter().enumerate() {
            let expected = match number {
                n if n % 4 == 0 => Some(Mark("last")),
                n if n % 2 == 0 => None,
                _ => Some(Mark("first")),
            };
            let alive = number % 3 != 0;
            assert_eq!(world.is_alive(entity), alive);
            assert_eq!(world.get::<Mark>(entity).copied(), expected.filter(|_| alive), "{number}");
        }
    }
}

#[test]
fn influence_is_what_a_system_can_change() {
    let world = Description::of::<Backwards>();
    let of = |name| world.system(name).unwrap().influence();
    assert_eq!(of("First"), ["Mark"]);
    assert_eq!(of("Middle"), ["Mark"]);
    // A system that despawns influences every component.
    assert_eq!(of("Despawn"), ["Number", "Mark"]);
    assert_eq!(of("Reap"), ["Number", "Mark"]);
}
