//! Two worlds of one declaration, on one thread and on eight, that must do the same.

use std::panic;

use attacks::support::{caught, fresh};
use ecs_core::events::Events;
use ecs_core::{Entity, Snapshot, Threads, World};

use super::churn::{Churn, Clock, Fly, Load, Serial, Tally, mix, ship};
use super::faults::{self, Fault};

/// The steps of a wave: its first half has many entities, its second half few.
pub(crate) const WAVE: u64 = 128;

/// The entities at the bottom and at the top of a wave.
const FEW: usize = 2_000;
const MANY: usize = 5_000;
/// The top of the first waves: a world with capacity for it need not grow later.
const PEAK: usize = 8_000;

/// The number of snapshots of each world.
const SNAPSHOTS: usize = 4;

/// A world with its snapshots.
struct Side {
    world: World<Churn>,
    snapshots: [Snapshot<Churn>; SNAPSHOTS],
    /// Taken before a panic.
    before: Snapshot<Churn>,
}

impl Side {
    fn new(threads: Threads) -> Self {
        let world = World::<Churn>::on(threads);
        let snapshots = [(); SNAPSHOTS].map(|()| world.snapshot());
        let before = world.snapshot();
        Self { world, snapshots, before }
    }

    /// Steps the world. Returns the number of entities, or the message of a panic or an error.
    fn step(&mut self, number: u64, target: usize, has_events: bool) -> Result<usize, String> {
        let world = &mut self.world;
        world.resource_mut::<Clock>().0 = number;
        let work = move |step: &mut ecs_core::Step<'_, Churn, _>| {
            let missing = target.saturating_sub(step.entity_count()) as u64;
            let bundles = (0..missing).map(|n| ship(mix(number << 20 | n)));
            step.spawn_batch(bundles).for_each(drop);
            step.execute_systems();
            faults::at_call(Fault::Closure);
        };
        let mut outcome = None;
        let panic = caught(|| {
            outcome = Some(if has_events {
                let events = Events::new()
                    .on_reclaim(|event| {
                        faults::at_call(Fault::Event);
                        let key = u64::from(event.entity().index());
                        event.resource_mut::<Tally>().add(key);
                    })
                    .on_subscribe::<Fly>(|event| {
                        if let Some(serial) = event.get::<Serial>().copied() {
                            event.resource_mut::<Tally>().add(serial.0);
                        }
                    });
                world.step_with(events, work)
            } else {
                world.step(work)
            });
        });
        match (panic, outcome) {
            (Some(panic), _) => Err(panic),
            (None, Some(Err(error))) => Err(error.to_string()),
            (None, _) => Ok(self.world.entity_count()),
        }
    }
}

/// How often each operation was done.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    /// The panics of each [`Fault`], in the order of `Fault::ALL`.
    pub(crate) panics: [u64; Fault::ALL.len()],
    pub(crate) snapshots: u64,
    pub(crate) restores: u64,
    pub(crate) clones: u64,
}

/// The two worlds, and the number of the next step.
pub(crate) struct Pair {
    one: Side,
    eight: Side,
    seed: u64,
    pub(crate) number: u64,
    pub(crate) hash: u64,
    pub(crate) counts: Counts,
}

impl Pair {
    pub(crate) fn new(seed: u64) -> Self {
        let (one, eight) = (Side::new(Threads::Inline), Side::new(fresh(8)));
        Self { one, eight, seed, number: 0, hash: 0, counts: Counts::default() }
    }

    pub(crate) fn entity_count(&self) -> usize {
        self.one.world.entity_count()
    }

    /// Performs the next step of both, and the operations that belong to it.
    ///
    /// # Errors
    /// If the worlds differ.
    pub(crate) fn step(&mut self) -> Result<(), String> {
        let number = self.number;
        let key = mix(self.seed ^ mix(number));
        let (phase, wave) = (number % WAVE, number / WAVE);
        let fault = if number >= WAVE && phase % 8 == 3 {
            let next = wave.wrapping_mul(5) + phase / 8;
            Some(Fault::ALL[next as usize % Fault::ALL.len()])
        } else {
            None
        };
        if phase % 16 == 7 {
            self.snapshot(phase == 23);
        }
        match fault {
            Some(Fault::Snapshot) => self.fail_snapshot(key)?,
            Some(Fault::Restore) => self.fail_restore(key)?,
            _ => {}
        }
        self.advance(
            fault.filter(|fault| !matches!(fault, Fault::Snapshot | Fault::Restore)),
            key,
        )?;
        self.compare("the step")?;
        if phase % 32 == 21 {
            // The same ones in each wave, so that waves are alike.
            self.restore((phase / 32) as usize % SNAPSHOTS, key)?;
        }
        if phase == 70 {
            self.duplicate();
        }
        self.compare("what followed the step")?;
        self.number += 1;
        Ok(())
    }

    /// The value or call at which the panic is to happen; `None` if no entity qualifies.
    fn target(&self, fault: Fault, key: u64) -> Option<u64> {
        if !fault.is_by_value() {
            // A step has always more calls than this, except of its closure, which is called once.
            return Some(if fault == Fault::Closure { 0 } else { key % 16 });
        }
        let mut serials = Vec::new();
        if fault.is_of_load() {
            for (serial, load) in self.one.world.iter::<(&Serial, &Load)>() {
                if serial.0 == load.owner {
                    serials.push(serial.0);
                }
            }
        } else {
            for (_, serial, asleep) in
                self.one.world.iter::<(Entity, &Serial, Option<&super::churn::Asleep>)>()
            {
                if asleep.is_none() {
                    serials.push(serial.0);
                }
            }
        }
        (!serials.is_empty()).then(|| serials[key as usize % serials.len()])
    }

    /// Steps both worlds, with a panic if there is a fault.
    fn advance(&mut self, fault: Option<Fault>, key: u64) -> Result<(), String> {
        let (phase, wave) = (self.number % WAVE, self.number / WAVE);
        let target = match (phase < WAVE / 2, wave) {
            (true, 0..4) => PEAK,
            (true, _) => MANY,
            (false, _) => FEW,
        };
        let fault = fault.and_then(|fault| Some((fault, self.target(fault, key)?)));
        let has_events = key.is_multiple_of(8) || matches!(fault, Some((Fault::Event, _)));
        let number = self.number;
        let [one, eight] = [&mut self.one, &mut self.eight].map(|side| {
            if let Some((fault, target)) = fault {
                side.world.snapshot_into(&mut side.before);
                faults::arm(fault, target);
            }
            let outcome = side.step(number, target, has_events);
            faults::disarm();
            outcome
        });
        if one != eight {
            return Err(format!("one thread: {one:?}, eight threads: {eight:?}"));
        }
        match (fault, one) {
            (None, Ok(_)) => Ok(()),
            (Some((fault, _)), Err(message)) if message == fault.message() => {
                self.counts.panics[fault as usize] += 1;
                if fault.is_beside_others() {
                    for side in [&mut self.one, &mut self.eight] {
                        side.world.restore(&side.before).map_err(|error| error.to_string())?;
                    }
                    self.counts.restores += 1;
                }
                Ok(())
            }
            (fault, outcome) => Err(format!("with the fault {fault:?}: {outcome:?}")),
        }
    }

    /// Replaces the oldest snapshot, in its memory or in new one.
    fn snapshot(&mut self, is_new: bool) {
        let slot = self.counts.snapshots as usize % SNAPSHOTS;
        for side in [&mut self.one, &mut self.eight] {
            if is_new {
                side.snapshots[slot] = side.world.snapshot();
            } else {
                side.world.snapshot_into(&mut side.snapshots[slot]);
            }
        }
        self.counts.snapshots += 1;
    }

    /// Takes a snapshot that panics. The world is unchanged; the snapshot cannot be restored.
    fn fail_snapshot(&mut self, key: u64) -> Result<(), String> {
        let Some(target) = self.target(Fault::Snapshot, key) else { return Ok(()) };
        let slot = self.counts.snapshots as usize % SNAPSHOTS;
        for side in [&mut self.one, &mut self.eight] {
            faults::arm(Fault::Snapshot, target);
            let Side { world, snapshots, .. } = side;
            // An old value in the same row is replaced by `clone_from`, which calls `clone`.
            let panic = caught(|| world.snapshot_into(&mut snapshots[slot]));
            faults::disarm();
            if panic.as_deref() != Some(Fault::Snapshot.message()) {
                return Err(format!("a snapshot that should have panicked: {panic:?}"));
            }
            // This panic is the library's, and has a message.
            let hook = panic::take_hook();
            panic::set_hook(Box::new(|_| {}));
            let refusal = caught(|| world.restore(&snapshots[slot]));
            panic::set_hook(hook);
            if !refusal.as_ref().is_some_and(|message| message.contains("incomplete")) {
                return Err(format!("a restoration of half a snapshot: {refusal:?}"));
            }
            world.snapshot_into(&mut snapshots[slot]);
        }
        self.counts.panics[Fault::Snapshot as usize] += 1;
        self.compare("a snapshot that panicked")
    }

    /// Restores a snapshot with a panic, steps the partly restored world, and restores it again. Which values are
    /// missing in between depends on the threads, so the worlds are compared after the second restoration.
    fn fail_restore(&mut self, key: u64) -> Result<(), String> {
        let Some(target) = self.target(Fault::Restore, key) else { return Ok(()) };
        let number = self.number;
        for side in [&mut self.one, &mut self.eight] {
            side.world.snapshot_into(&mut side.before);
            faults::arm(Fault::Restore, target);
            let panic = caught(|| side.world.restore(&side.before));
            faults::disarm();
            if panic.as_deref() != Some(Fault::Restore.message()) {
                return Err(format!("a restoration that should have panicked: {panic:?}"));
            }
            side.step(number, FEW, false)?;
            side.world.restore(&side.before).map_err(|error| error.to_string())?;
        }
        self.counts.panics[Fault::Restore as usize] += 1;
        self.counts.restores += 1;
        self.compare("a restoration that panicked")
    }

    /// Restores an older snapshot, at times the other world's.
    fn restore(&mut self, slot: usize, key: u64) -> Result<(), String> {
        let (one, eight) = (&mut self.one, &mut self.eight);
        let (ours, theirs) = if key.is_multiple_of(3) {
            (&eight.snapshots[slot], &one.snapshots[slot])
        } else {
            (&one.snapshots[slot], &eight.snapshots[slot])
        };
        one.world.restore(ours).map_err(|error| error.to_string())?;
        eight.world.restore(theirs).map_err(|error| error.to_string())?;
        self.counts.restores += 1;
        Ok(())
    }

    /// Replaces both worlds by their clones.
    fn duplicate(&mut self) {
        for side in [&mut self.one, &mut self.eight] {
            side.world = side.world.clone();
        }
        self.counts.clones += 1;
    }

    /// Compares the hashes.
    fn compare(&mut self, what: &str) -> Result<(), String> {
        let [one, eight] = [&self.one, &self.eight].map(|side| side.world.state_hash());
        self.hash = one;
        if one == eight {
            return Ok(());
        }
        Err(format!("{what} has left {one:016x} on one thread, and {eight:016x} on eight"))
    }
}
