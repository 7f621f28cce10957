//! Which system of a step gives different results.

use core::panic::AssertUnwindSafe;
use ecs_core::Snapshot;
use std::panic::catch_unwind;

use ecs_core::SystemSelection;
use ecs_core::settings::Settings;
use ggrs::InputStatus;

use crate::check::{Hashes, systems_in_order};
use crate::error::Divergence;
use crate::inputs::Input;
use crate::replica::{Playable, Replica};

/// How often a part of a step is computed. A system that reads a clock may read the same several times.
const RUNS: usize = 8;

impl<D: Playable<I>, S: Settings, I: Input> Replica<D, S, I> {
    /// Looks for the system that makes a step differ, and enters it, and what differs after it.
    ///
    /// The systems are put in an order in which they may run. The first of them are executed again and again from the state
    /// before the step, first one of them, then two, and so on: the last one of the first lot with different results is the
    /// cause. The world has another state afterwards.
    ///
    /// O(systems²), as long as no result differs. It does nothing if the step is the program's own.
    pub(crate) fn find_system(
        &mut self,
        divergence: &mut Divergence,
        before: &Snapshot<D>,
        inputs: &[(I, InputStatus)],
    ) {
        if !self.ticks {
            return;
        }
        let names = systems_in_order::<D>();
        let mut complete = 0;
        for count in 1..=names.len() {
            let results =
                (0..RUNS).map_while(|_| self.execute_first(&names[..count], before, inputs));
            let results: Vec<Hashes> = results.collect();
            let Some(first) = results.first() else { continue };
            if let Some(other) = results.iter().find(|other| other.hash != first.hash) {
                divergence.parts = self.differing(&first.parts, &other.parts);
                divergence.systems = names[complete..count].to_vec();
                return;
            }
            complete = count;
        }
    }

    /// The hashes after the first system of a step, after two, and so on. `None` where they cannot be executed without others.
    /// The world has another state afterwards.
    pub(crate) fn hashes_after_systems(
        &mut self,
        before: &Snapshot<D>,
        inputs: &[(I, InputStatus)],
    ) -> Vec<Option<u64>> {
        let names = systems_in_order::<D>();
        let hash = |count| Some(self.execute_first(&names[..count], before, inputs)?.hash);
        (1..=names.len()).map(hash).collect()
    }

    /// The hashes after some systems of a step. `None` if they cannot be executed without others: one that sends a stream
    /// needs its receiver.
    fn execute_first(
        &mut self,
        systems: &[&str],
        before: &Snapshot<D>,
        inputs: &[(I, InputStatus)],
    ) -> Option<Hashes> {
        let systems = SystemSelection::named(systems).ok()?;
        self.world.restore(before).ok()?;
        self.assign(inputs);
        // A body may expect a system that is left out. The world is whole after a panic, and is restored.
        let step = || self.world.step(|step| step.execute_selected(&systems));
        match catch_unwind(AssertUnwindSafe(step)) {
            Err(_) | Ok(Ok(Err(_))) => None,
            // An error of the step is that of the whole one, and the state is compared all the same.
            Ok(Ok(Ok(())) | Err(_)) => Some(self.hashes()),
        }
    }
}
