//! What the driver does with the names of one of the worlds.

use ecs_core::settings::Settings;
use ecs_core::signature::Phases;
use ecs_core::{Declaration, Defer, Entity, Step, World};

use super::changes::full;
use super::*;
use crate::driver::{Everything, OUTPUTS};

impl Everything for Tested {
    const PHASED: &'static Phases = &Phases::of::<Self>();

    fn run<S: Settings>(step: &mut Step<'_, Self, S>, run: Run) {
        match run {
            Run::All => step.execute_systems(),
            Run::FromBack => step.execute_systems_from::<(Back,)>(),
            Run::FromReceive => step.execute_systems_from::<(Receive,)>(),
            Run::FromAlter => step.execute_systems_from::<(Alter,)>(),
            Run::OnlyReaders => step.execute_only::<(Hear, Watch, Losses, Report)>(),
            Run::OnlyWriters => step.execute_only::<(Write, Fresh, Replies)>(),
        }
    }

    fn spawn(defer: &mut Defer<'_, Self>, bundle: usize, id: u64, batch: bool) {
        let (heat, grade) = (Heat(value_of(id, 1)), Grade(value_of(id, 2)));
        match (bundle, batch) {
            (0, false) => drop(defer.spawn((Id(id), heat))),
            (0, true) => drop(defer.spawn_batch([(heat, Id(id))])),
            (1, _) => drop(defer.spawn((Id(id), heat, grade))),
            (2, _) => drop(defer.spawn((Id(id), Tag, grade, label_of(id)))),
            (3, false) => drop(defer.spawn(full(id))),
            (3, true) => drop(defer.spawn_batch([full(id)])),
            (_, false) => drop(defer.spawn(stock().with((Id(id),)))),
            (_, true) => drop(defer.spawn_batch([stock().with((Id(id),))])),
        }
    }

    fn subscribe(defer: &mut Defer<'_, Self>, entity: Entity, on: bool) {
        let _ = if on {
 defer.subscribe::<Chosen>(entity)
 } else {
 defer.unsubscribe::<Chosen>(entity)
 };
    }

    fn outputs<S: Settings>(world: &World<Self, S>) -> [Vec<u64>; OUTPUTS.len()] {
        [
            world.outputs_of::<Write>().flatten().copied().collect(),
            world.outputs_of::<Hear>().flatten().copied().collect(),
            world.outputs_of::<Watch>().flatten().copied().collect(),
            world.outputs_of::<Receive>().flatten().copied().collect(),
            world.outputs_of::<Fresh>().flatten().copied().collect(),
            world.outputs_of::<Stale>().flatten().copied().collect(),
            world.outputs_of::<Late>().flatten().copied().collect(),
            world.outputs_of::<Losses>().flatten().copied().collect(),
            world.outputs_of::<LateLosses>().flatten().copied().collect(),
            world.outputs_of::<Answer>().flatten().copied().collect(),
            world.outputs_of::<Bind>().flatten().copied().collect(),
        ]
    }

    fn names() -> Vec<&'static str> {
        Self::SYSTEMS.iter().map(|system| system.name()).collect()
    }
}
