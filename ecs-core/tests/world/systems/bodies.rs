//! Bodies that are called with each entity, over rows with and without gaps: which entities they reach, and
//! that references outlive the call.

use ecs_core::{Data, Entity, PAGE_ROWS, System, World, world};

use crate::support::three;

#[derive(Clone, Copy)]
struct Number(u32);
#[derive(Clone, Copy)]
struct Half(u16);
#[derive(Clone, Copy)]
struct Other(u64);
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Wide(u8);
#[derive(Clone, Copy)]
struct Nothing;
#[derive(Clone, Copy)]
struct Mark(u32);

world! {
    world Bodies { entity_limit: dynamic(10) }
    component Number: contiguous_buffer;
    // Interleaved.
    component (Half, Other): contiguous_buffer;
    component Wide: contiguous_buffer;
    component Nothing: contiguous_buffer;
    component Mark: contiguous_buffer;

    system Call {
        read: [Mark],
        write: [Number, Half, Other, Wide, Nothing],
        parallelism: split_evenly(3),
    }
    system Keep: Call {
        write: [Number, Half, Other, Wide, Nothing],
        with: [Mark],
        parallelism: split_evenly(2),
        dependencies: [Call],
    }
}

#[derive(Default)]
struct Call;

impl System<Bodies> for Call {
    fn process(&self, data: &mut Data<'_, Bodies, Self>) {
        data.own.for_entities(|e| {
            e.number.0 += e.mark.0;
            e.half.0 = e.half.0.wrapping_add(e.mark.0 as u16);
            e.other.0 += u64::from(e.number.0);
            e.wide.0 = e.wide.0.wrapping_add(e.mark.0 as u8);
            *e.nothing = Nothing;
        });
    }
}

impl System<Bodies, Keep> for Call {
    fn process(&self, data: &mut Data<'_, Bodies, Keep>) {
        type All<'a> =
            (Entity, (&'a mut Number, &'a mut Half, &'a mut Other), &'a mut Wide, &'a mut Nothing);
        let mut kept: Vec<All<'_>> = Vec::new();
        data.own.query::<All<'_>>().for_each(|all| kept.push(all));
        // All references are held at once, and the last one is written first.
        for (n, (_, (number, half, other), wide, nothing)) in kept.iter_mut().rev().enumerate() {
            number.0 += 1;
            half.0 = half.0.wrapping_add(2);
            other.0 += 3;
            wide.0 = wide.0.wrapping_add(4);
            **nothing = Nothing;
            assert!(n <= 2 * PAGE_ROWS);
        }
        assert!(kept.is_sorted_by_key(|all| all.0.index()), "rows ascend");
    }
}

/// More entities than fit into two pages.
const ENTITIES: usize = 2 * PAGE_ROWS + 333;

#[test]
fn bodies_reach_the_entities_of_the_system_only() {
    let patterns: [fn(usize) -> bool; 6] = [
        |_| true,
        |n| n >= 100,
        |n| n % 3 > 0,
        // Blocks of 64 rows: full, empty, with gaps.
        |n| [true, false, n.is_multiple_of(2), true][n / 64 % 4],
        |n| n == PAGE_ROWS - 1,
        |n| (n * 2_654_435_761) >> 7 & 3 > 0,
    ];
    for has_mark in patterns {
        let mut world = World::<Bodies>::on(three());
        let spawned = world.step(|step| {
            let spawn = |n: usize| {
                let all = (Number(n as u32), Half(n as u16), Other(n as u64), Wide(n as u8));
                let entity = step.spawn((all.0, all.1, all.2, all.3, Nothing));
                if has_mark(n) {
                    step.insert(entity, Mark(n as u32 % 7)).unwrap();
                }
                entity
            };
            (0..ENTITIES).map(spawn).collect::<Vec<_>>()
        });
        world.tick().unwrap();
        for (n, &entity) in spawned.unwrap().iter().enumerate() {
            let found = (
                world.get::<Number>(entity).unwrap().0,
                world.get::<Half>(entity).unwrap().0,
                world.get::<Other>(entity).unwrap().0,
                world.get::<Wide>(entity).unwrap().0,
            );
            let (mark, number) = (n as u32 % 7, n as u32);
            let expected = if has_mark(n) {
                (
                    number + mark + 1,
                    (n as u16).wrapping_add(mark as u16 + 2),
                    (n as u64) + u64::from(number + mark) + 3,
                    (n as u8).wrapping_add(mark as u8 + 4),
                )
            } else {
                (number, n as u16, n as u64, n as u8)
            };
            assert_eq!(found, expected, "entity {n}");
        }
    }
}

world! {
    world Borrows;
    component Mark, Number;
    system Borrow { read: [Mark], run: borrow }
}

/// Borrows a component that the system does not declare, and does nothing with it.
fn borrow(data: &mut Data<'_, Borrows, Borrow>) {
    data.own.for_entities(|e| {
        let _: &_ = &e.number;
    });
}

#[test]
#[should_panic(expected = "[ECS0113] the code borrows a field of an entry")]
fn nothing_is_lent_in_the_place_of_an_undeclared_component() {
    let mut world = World::<Borrows>::new();
    world.spawn((Mark(1),));
    let _ = world.tick();
}
