//! The work of several threads during a refresh gives the same result as that of one thread.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::sleep;
use std::time::Duration;

use ecs_core::{Data, Entity, System, Threads, World, world};

use crate::support::every_kind;

/// Panics with its number when it is dropped, if it is armed. The first one panics late.
struct Mine {
    number: usize,
    armed: bool,
}

impl Drop for Mine {
    fn drop(&mut self) {
        if self.armed {
            if self.number == 0 {
                sleep(Duration::from_millis(30));
            }
            resume_unwind(Box::new(self.number));
        }
    }
}

world! {
    world Field { entity_limit: dynamic(16) }
    component Mine: contiguous_buffer;
    system Sweep { with: [Mine], remove: [Mine] }
}

#[derive(Default)]
struct Sweep;

impl System<Field> for Sweep {
    fn process(&self, data: &mut Data<'_, Field, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.remove::<Mine>(e.entity));
    }
}

/// Enough entities for several chunks.
const MINES: usize = 40_000;

fn mined(threads: Threads) -> (World<Field>, Vec<Entity>) {
    let mut world = World::<Field>::on(threads);
    let spawned = world.step(|step| {
        let armed = |number| number == 0 || number == 20_000;
        let mine = |number| (Mine { number, armed: armed(number) },);
        (0..MINES).map(|number| step.spawn(mine(number))).collect()
    });
    (world, spawned.unwrap())
}

fn payload<R>(f: impl FnOnce() -> R) -> usize {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    *payload.downcast().expect("a number")
}

#[test]
fn of_several_panics_that_of_the_lowest_rows_is_passed_on() {
    for threads in every_kind() {
        let (mut world, _) = mined(threads.clone());
        assert_eq!(payload(|| world.tick()), 0);
        let (mut world, mines) = mined(threads);
        let despawn = |world: &mut World<Field>| {
            world.step(|step| mines.iter().for_each(|&mine| step.despawn(mine)))
        };
        assert_eq!(payload(|| despawn(&mut world)), 0);
        assert_eq!(world.entity_count(), 0);
    }
}
