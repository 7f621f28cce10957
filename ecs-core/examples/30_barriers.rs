//! A refresh in mid-execution lets systems go on that neither cause nor see it, and a description explains each one.
//!
//! Run it: `cargo run -p ecs-core --example 30_barriers`

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ecs_core::description::Description;
use ecs_core::{Entity, Threads, World, world};
use rayon::ThreadPoolBuilder;

struct Heat(u32);
struct Burning;
struct Water(u32);
/// When each system began and ended.
struct Log(Instant, Mutex<Vec<(&'static str, [u128; 2])>>);

impl Default for Log {
    fn default() -> Self {
        Self(Instant::now(), Mutex::default())
    }
}

impl Log {
    /// Works for some time, as one system.
    fn work(&self, system: &'static str, millis: u64) {
        let begin = self.0.elapsed().as_millis();
        std::thread::sleep(Duration::from_millis(millis));
        let span = [begin, self.0.elapsed().as_millis()];
        self.1.lock().expect("no system panics").push((system, span));
    }
}

world! {
    // (Ignite ⨟ Burn) ∥ Flow
    world Village { staged_changes: refresh_before_dependents }
    component Heat, Water;
    component Burning: empty;
    resource Log;
    system Ignite {
        insert: [Burning],
        each: |house: Entity, _: &Heat, log: &Log, effects| {
            log.work("Ignite", 20);
            effects.insert(house, Burning);
        },
    }
    system Burn {
        with: [Burning],
        dependencies: [Ignite],
        each: |heat: &mut Heat, log: &Log| {
            log.work("Burn", 60);
            heat.0 += 1;
        },
    }
    system Flow {
        each: |water: &mut Water, log: &Log| {
            log.work("Flow", 80);
            water.0 /= 2;
        },
    }
}

/// One house and one river: `Burn` runs behind the refresh, and beside `Flow`.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", Description::of::<Village>().barriers()[0]);
    let pool = ThreadPoolBuilder::new().num_threads(2).build()?;
    let mut world = World::<Village>::on(Threads::Eager(Arc::new(pool)));
    let (house, river) = (world.spawn((Heat(0),)), world.spawn((Water(8),)));
    world.resource_mut::<Log>().0 = Instant::now();
    world.tick()?;
    let log = world.resource::<Log>().1.lock().expect("no system panics");
    println!("{:8}{:>6}{:>6}", "system", "begin", "end");
    log.iter().for_each(|(system, [begin, end])| println!("{system:8}{begin:>6}{end:>6}"));
    assert_eq!([world.get::<Heat>(house).unwrap().0, world.get::<Water>(river).unwrap().0], [1, 4]);
    Ok(())
}
