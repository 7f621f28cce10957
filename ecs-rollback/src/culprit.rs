//! Which system of a step gives different results.

use core::panic::AssertUnwindSafe;
use ecs_core::Snapshot;
use std::panic::catch_unwind;

use ecs_core::SystemSelection;
use ecs_core::description::{Description, SystemDescription};
use ecs_core::settings::Settings;
use ggrs::InputStatus;

use crate::check::{self, Hashes};
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
    /// O(systems²), as long as no result differs.
    pub(crate) fn find_system(
        &mut self,
        divergence: &mut Divergence,
        before: &Snapshot<D>,
        inputs: &[(I, InputStatus)],
    ) {
        let names = systems_in_order::<D>();
        let mut complete = 0;
        for count in 1..=names.len() {
            let first = SystemSelection::<D>::named(&names[..count]);
            let Ok(first) = first else { return };
            let results = (0..RUNS).map_while(|_| self.execute(&first, before, inputs));
            let results: Vec<Hashes> = results.collect();
            // A system that sends a stream is executed with its receiver only.
            if results.is_empty() {
                continue;
            }
            if let Some(other) = results.iter().find(|other| other.hash != results[0].hash) {
                let differing = check::differing(&results[0].parts, &other.parts);
                let parts = self.names(differing).map(|name| check::suspects::<D>(name));
                divergence.parts = parts.collect();
                divergence.systems = names[complete..count].to_vec();
                return;
            }
            complete = count;
        }
    }

    /// The hashes after some systems of a step. `None` if they cannot be executed without others.
    fn execute(
        &mut self,
        systems: &SystemSelection<D>,
        before: &Snapshot<D>,
        inputs: &[(I, InputStatus)],
    ) -> Option<Hashes> {
        self.world.restore(before).ok()?;
        self.assign(inputs);
        // A body may expect a system that is left out. The world is whole after a panic, and is restored.
        let step = || self.world.step(|step| step.execute_selected(systems));
        match catch_unwind(AssertUnwindSafe(step)) {
            Err(_) | Ok(Ok(Err(_))) => None,
            // An error of the step is that of the whole one, and the state is compared all the same.
            Ok(Ok(Ok(())) | Err(_)) => Some(self.hashes()),
        }
    }
}

/// The names of the systems, each after all that it waits for.
fn systems_in_order<D: ecs_core::Declaration>() -> Vec<&'static str> {
    let description = Description::of::<D>();
    let is_executed = |system: &&SystemDescription| !system.is_query() || system.is_indexed();
    let mut systems: Vec<_> = description.systems().iter().filter(is_executed).collect();
    systems.sort_by_key(|system| (system.phase(), system.level(), system.index()));
    systems.into_iter().map(|system| system.name()).collect()
}
