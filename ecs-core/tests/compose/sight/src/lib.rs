//! A library of one set, which needs another library's places.

use ecs_core::{Data, System, set};

/// What a thing has seen in all steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eyes {
    /// The highest place where anything was.
    pub highest: f32,
}

/// Looks around.
#[derive(Debug, Default)]
pub struct Look;

set! {
    /// Entities with eyes see all positions.
    pub set Sight;

    include compose_motion::space::Space;

    component Eyes: contiguous_buffer;
    system Look { write: [Eyes], with: [Position], read: [], read_any: [Position], spawn: [Eyes] }
}

impl<D: SightWorld> System<D> for Look {
    fn process(&self, data: &mut Data<'_, D, Self>) {
        let mut all = Vec::new();
        data.own.for_all_entities(|entity| all.push(entity));
        let places = data.effects.read_any::<compose_motion::space::Position>();
        let heights = all.iter().filter_map(|entity| places.get(*entity));
        let highest = heights.fold(0.0_f32, |highest, place| highest.max(place.0));
        data.own.for_entities(|e| e.eyes.highest = e.eyes.highest.max(highest));
    }
}
