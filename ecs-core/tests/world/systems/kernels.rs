//! Kernels: slices of columns, over full pages, gaps, and slices of entities.

use std::sync::Mutex;

use ecs_core::{Data, Entity, PAGE_ROWS, System, World, world};

use crate::support::every_kind;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place(f32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Speed(f32);

struct Odd;

world! {
    world Runs { entity_limit: dynamic(16) }
    component Place: contiguous_buffer;
    component Speed: contiguous_buffer;
    component Odd: contiguous_buffer;
    system Advance { parallelism: split_evenly(3), read: [Speed], write: [Place] }
    system Even { parallelism: split_every(700), read: [Place], without: [Odd], dependencies: [Advance] }
    system OddOnly { read: [Place], with: [Odd], dependencies: [Advance] }
}

#[derive(Default)]
struct Advance;

impl System<Runs> for Advance {
    fn process(&self, data: &mut Data<'_, Runs, Self>) {
        data.own.for_runs::<(&Speed, &mut Place)>(|(speeds, places)| {
            assert_eq!(speeds.len(), places.len());
            assert!(!speeds.is_empty() && speeds.len() <= PAGE_ROWS);
            for (place, speed) in places.iter_mut().zip(speeds) {
                place.0 += speed.0;
            }
        });
    }
}

/// The entities of each subtask as an iteration and as runs show them, and the lengths of the runs.
type Seen = (Vec<Entity>, Vec<Entity>, Vec<usize>);

#[derive(Default)]
struct Even(Mutex<Vec<Seen>>);

impl System<Runs> for Even {
    fn process(&self, data: &mut Data<'_, Runs, Self>) {
        let expected: Vec<(Entity, Place)> = data
            .own
            .query::<(Entity, &Place)>()
            .into_iter()
            .map(|(e, place)| (e, *place))
            .collect();
        let (mut entities, mut places, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        data.own.for_runs::<(Entity, &Place)>(|(run, values)| {
            entities.extend_from_slice(run);
            places.extend_from_slice(values);
            lengths.push(run.len());
        });
        let (iterated, values): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
        assert_eq!(places, values);
        self.0.lock().unwrap().push((iterated, entities, lengths));
    }
}

#[derive(Default)]
struct OddOnly;

impl System<Runs> for OddOnly {
    fn process(&self, data: &mut Data<'_, Runs, Self>) {
        let mut count = 0;
        data.own.for_runs::<Entity>(|run| count += run.len());
        assert_eq!(count, data.own.all_entity_count());
    }
}

/// Which entities are odd, and so gaps for `Even`.
const PATTERNS: [fn(usize) -> bool; 6] = [
    |_| false,
    |_| true,
    |i| i % 2 == 1,
    |i| i % 64 == 63,
    |i| i % 97 < 40,
    |i| (PAGE_ROWS - 3..PAGE_ROWS + 70).contains(&i),
];

#[test]
fn runs_are_what_iteration_sees() {
    for threads in every_kind() {
        for (number, odd) in PATTERNS.iter().enumerate() {
            let entities = PAGE_ROWS + 1_000 + number;
            let mut world = World::<Runs>::on(threads.clone());
            let filled = world.step(|step| {
                for i in 0..entities {
                    let (place, speed) = (Place(i as f32), Speed(0.5));
                    if odd(i) {
                        step.spawn((place, speed, Odd));
                    } else {
                        step.spawn((place, speed));
                    }
                }
            });
            filled.unwrap();
            world.tick().unwrap();
            let mut place = 0.5;
            for found in world.iter::<&Place>() {
                assert_eq!(*found, Place(place));
                place += 1.0;
            }
            let seen = std::mem::take(world.system_mut::<Even>().0.get_mut().unwrap());
            let mut total = 0;
            for (iterated, run, lengths) in seen {
                assert_eq!(iterated, run);
                assert!(lengths.iter().all(|len| (1..=PAGE_ROWS).contains(len)));
                if number == 2 {
                    assert!(lengths.iter().all(|len| *len == 1));
                }
                total += run.len();
            }
            assert_eq!(total, (0..entities).filter(|i| !odd(*i)).count());
        }
    }
}

#[test]
fn without_gaps_a_slice_is_few_runs() {
    let mut world = World::<Runs>::on(ecs_core::Threads::Inline);
    let filled = world.step(|step| {
        for _ in 0..PAGE_ROWS + 100 {
            step.spawn((Place(0.0), Speed(1.0)));
        }
    });
    filled.unwrap();
    world.tick().unwrap();
    for (_, _, lengths) in world.system_mut::<Even>().0.get_mut().unwrap() {
        assert!(lengths.len() <= 2, "one run on either side of the page's end: {lengths:?}");
    }
}
