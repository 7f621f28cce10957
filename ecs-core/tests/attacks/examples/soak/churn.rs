//! The declaration of the worlds: every storage, every effect, a stream, a sequential system, and two phases.

use ecs_core::{Data, Entity, StateHash, Stream, System, world};

use super::faults::{self, Fault};

/// A number unique to the entity, which determines all its values.
#[derive(Clone, Copy, StateHash)]
pub(crate) struct Serial(pub(crate) u64);
#[derive(Clone, StateHash)]
pub(crate) struct Place(pub(crate) f32);
#[derive(Clone, StateHash)]
pub(crate) struct Speed(pub(crate) f32);
/// Updated by two unordered systems.
#[derive(Clone, StateHash)]
pub(crate) struct Level(pub(crate) u32);
#[derive(Clone, StateHash)]
pub(crate) struct Mark(pub(crate) u64);
#[derive(Clone, StateHash)]
pub(crate) struct Asleep;

/// A component that allocates, whose clone and destructor may panic.
#[derive(StateHash)]
pub(crate) struct Load {
    pub(crate) owner: u64,
    items: Box<[u64]>,
}

impl Load {
    fn new(owner: u64, key: u64) -> Self {
        Self { owner, items: (0..=key % 24).map(|n| mix(key ^ n)).collect() }
    }
}

impl Clone for Load {
    fn clone(&self) -> Self {
        faults::at_value(Fault::Snapshot, self.owner);
        faults::at_value(Fault::Restore, self.owner);
        Self { owner: self.owner, items: self.items.clone() }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        faults::at_value(Fault::Drop, self.owner);
    }
}

/// The number of the step.
#[derive(Clone, Default, StateHash)]
pub(crate) struct Clock(pub(crate) u64);
/// Accumulates what consumers, deferred functions and events add, and depends on their order.
#[derive(Clone, Default, StateHash)]
pub(crate) struct Tally(pub(crate) u64);

impl Tally {
    pub(crate) fn add(&mut self, value: u64) {
        self.0 = mix(self.0 ^ value);
    }
}

/// The components of a spawned entity.
pub(crate) type ShipBundle = (Serial, Place, Speed, Level);

pub(crate) fn ship(serial: u64) -> ShipBundle {
    let unit = (serial % 1_000) as f32 / 1_000.0;
    (Serial(serial), Place(unit), Speed(unit - 0.5), Level((serial % 100) as u32))
}

/// Mixes the bits of `n` (the finisher of `SplitMix64`).
pub(crate) fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

world! {
    pub(crate) world Churn {
        entity_limit: dynamic(1_024),
        staged_changes: refresh_before_dependents,
    }

    component Serial: contiguous_buffer;
    component (Place, Speed): contiguous_buffer;
    component Level: contiguous_buffer;
    component Load: hash_map;
    component Mark: sparse_set;
    component Asleep: empty;

    resource Clock;
    resource Tally;

    system Fly {
        parallelism: split_evenly(8),
        read: [Serial, Speed],
        write: [Place],
        without: [Asleep],
    }
    system Live {
        dependencies: [Fly],
        parallelism: split_every(500),
        read: [Serial, Place],
        read_resources: [Clock],
        despawn,
        spawn: [ShipBundle],
    }
    system Dress {
        dependencies: [Live],
        parallelism: split_evenly(5),
        read: [Serial],
        read_resources: [Clock],
        insert: [Load, Mark, Asleep],
        remove: [Load, Mark, Asleep],
    }
    system Rise {
        dependencies: [Dress],
        parallelism: split_evenly(3),
        read: [Serial],
        update: [Level],
    }
    system Fall {
        dependencies: [Dress],
        parallelism: split_evenly(4),
        read: [Serial],
        update: [Level],
    }
    system Send {
        dependencies: [Rise, Fall],
        parallelism: split_every(300),
        read: [Serial, Level],
        read_optional: [Load],
        output: Stream<(u64, Vec<u32>)>,
    }
    // It reads the components that `Send` reads, so both are in one phase.
    system Receive {
        dependencies: [Rise, Fall],
        read: [Serial, Level],
        read_optional: [Load],
        streams: [Send],
        write_resources: [Tally],
    }
    system Note {
        dependencies: [Rise, Fall],
        parallelism: split_evenly(6),
        read: [Serial, Place],
        with: [Load],
        read_resources: [Clock],
        output: Vec<(Entity, u64)>,
    }
    system Answer { inputs: [Note], dependencies: [Receive], write_resources: [Tally], defer }
    system Meet {
        sequential,
        dependencies: [Answer, Send],
        write: [Mark],
        read: [Serial],
        despawn,
        spawn: [ShipBundle],
        insert: [Asleep],
        remove: [Mark],
    }
}

#[derive(Default)]
pub(crate) struct Fly;
#[derive(Default)]
pub(crate) struct Live;
#[derive(Default)]
pub(crate) struct Dress;
#[derive(Default)]
pub(crate) struct Rise;
#[derive(Default)]
pub(crate) struct Fall;
#[derive(Default)]
pub(crate) struct Send;
#[derive(Default)]
pub(crate) struct Receive;
#[derive(Default)]
pub(crate) struct Note;
#[derive(Default)]
pub(crate) struct Answer;
/// Counts the members that it has met; the state takes part in snapshots and hashes.
#[derive(Clone, Default, StateHash)]
pub(crate) struct Meet {
    met: u64,
}

impl System<Churn> for Fly {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        data.own.for_entities(|e| {
            faults::at_value(Fault::System, e.serial.0);
            e.place.0 = (e.place.0 * 1.25 + e.speed.0).fract();
        });
    }
}

impl System<Churn> for Live {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let clock = data.resources.get::<Clock>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let key = mix(clock ^ mix(e.serial.0) ^ u64::from(e.place.0.to_bits()));
            if faults::is_target(Fault::Drop, e.serial.0) {
                effects.despawn(e.entity);
                return;
            }
            match key % 64 {
                0 | 1 if !faults::is_any_target(e.serial.0) => effects.despawn(e.entity),
                2 => effects.spawn(ship(key)),
                _ => {}
            }
        });
    }
}

impl System<Churn> for Dress {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let clock = data.resources.get::<Clock>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let key = mix(!clock ^ mix(e.serial.0));
            match key % 128 {
                0..=3 => effects.insert(e.entity, Load::new(e.serial.0, key >> 8)),
                4..=9 if !faults::is_any_target(e.serial.0) => effects.remove::<Load>(e.entity),
                10 | 11 => effects.insert(e.entity, Mark(key)),
                12..=15 => effects.remove::<Mark>(e.entity),
                16 => effects.insert(e.entity, Asleep),
                17..=20 => effects.remove::<Asleep>(e.entity),
                _ => {}
            }
        });
    }
}

impl System<Churn> for Rise {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Entity, &Serial, &Level)>().for_each(|(entity, serial, level)| {
            if serial.0.is_multiple_of(2) && level.0 < 100 {
                effects.update(entity, Level(level.0 + 3));
            }
        });
    }
}

impl System<Churn> for Fall {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Entity, &Serial, &Level)>().for_each(|(entity, serial, level)| {
            if !serial.0.is_multiple_of(2) && level.0 > 0 {
                effects.update(entity, Level(level.0 / 2));
            }
        });
    }
}

impl System<Churn> for Send {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let items = e.load.map_or(0, |load| load.items.len() as u32);
            // Some items own memory.
            let more = if items > 0 { vec![items, e.level.0] } else { Vec::new() };
            effects.stream().send((e.serial.0, more));
        });
    }
}

impl System<Churn> for Receive {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        for (serial, more) in data.effects.received::<Send>() {
            faults::at_value(Fault::Consumer, serial);
            let sum = more.iter().fold(serial, |sum, n| sum.wrapping_add(u64::from(*n)));
            data.resources.get_mut::<Tally>().add(sum);
        }
    }
}

impl System<Churn> for Note {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let clock = data.resources.get::<Clock>().0;
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let key = mix(clock.rotate_left(32) ^ e.serial.0 ^ u64::from(e.place.0.to_bits()));
            if key.is_multiple_of(4) {
                effects.output().push((e.entity, key >> 2));
            }
        });
    }
}

impl System<Churn> for Answer {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        let noted = data.effects.outputs_of::<Note>();
        for &(entity, key) in noted.flatten() {
            data.resources.get_mut::<Tally>().add(key);
            let words = [key; 3];
            data.effects.defer(move |defer| {
                faults::at_call(Fault::Deferred);
                match words[key as usize % 3] % 8 {
                    0 => defer.despawn(entity),
                    1 => drop(defer.spawn(ship(mix(key)))),
                    2 => drop(defer.insert(entity, Mark(key))),
                    3 => drop(defer.remove::<Load>(entity)),
                    4 => drop(defer.insert(entity, Load::new(key, key >> 8))),
                    _ => defer.resource_mut::<Tally>().add(words[0]),
                }
            });
        }
    }
}

impl System<Churn> for Meet {
    fn process(&self, data: &mut Data<'_, Churn, Self>) {
        data.roll(|mut found| {
            faults::at_call(Fault::Sequential);
            let entity = found.entity();
            let entry = found.entry();
            entry.mark.0 = mix(entry.mark.0 ^ self.met);
            let (serial, key) = (entry.serial.0, entry.mark.0);
            let mut now = found.now();
            match key % 16 {
                0 => now.despawn(entity),
                1 => drop(now.spawn(ship(mix(key ^ serial)))),
                2 => drop(now.insert(entity, Asleep)),
                3 => drop(now.remove::<Mark>(entity)),
                _ => {}
            }
        });
    }

    fn execute(&mut self, executor: &mut ecs_core::Executor<'_, Churn, Self>) {
        let this = &*self;
        executor.for_subtasks(|data| this.process(data));
        self.met += 1;
    }
}
