//! A system as a kernel or with a body for each entity, and its loop by hand over flat slices.

use ecs_core::{Data, System, Threads, World, world};

/// A position on a line.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub f32);

/// A change of position.
#[derive(Clone, Copy, Debug)]
pub struct Speed(pub f32);

world! {
    /// Points on a line.
    pub world Line { entity_limit: dynamic(10_000) }
    component Place, Speed;
    system Advance { read: [Speed], write: [Place] }
}

/// The way in which a system iterates over its entities.
#[derive(Clone, Copy, Debug, Default)]
pub enum Form {
    /// `for_runs`: a kernel.
    #[default]
    Runs,
    /// `for_entities`: a body for each.
    Entities,
    /// `iter`, by a `for` loop.
    Loop,
    /// `iter().for_each`.
    Each,
}

/// Moves the points.
#[derive(Debug, Default)]
pub struct Advance(Form);

/// The loop of the kernel, in a function of its own, so that its instructions can be inspected.
#[inline(never)]
fn advance_run(places: &mut [Place], speeds: &[Speed]) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        place.0 += speed.0 * 0.5;
    }
}

/// The same with a body for each entity.
#[inline(never)]
fn advance_entities(data: &mut Data<'_, Line, Advance>) {
    data.own.for_entities(|e| e.place.0 += e.speed.0 * 0.5);
}

/// The same as a `for` loop.
#[inline(never)]
fn advance_loop(data: &mut Data<'_, Line, Advance>) {
    for e in data.own.iter() {
        e.place.0 += e.speed.0 * 0.5;
    }
}

/// The same by a method of the iterator.
#[inline(never)]
fn advance_each(data: &mut Data<'_, Line, Advance>) {
    data.own.iter().for_each(|e| e.place.0 += e.speed.0 * 0.5);
}

impl System<Line> for Advance {
    fn process(&self, data: &mut Data<'_, Line, Self>) {
        match self.0 {
            Form::Runs => data
                .own
                .for_runs::<(&mut Place, &Speed)>(|(places, speeds)| advance_run(places, speeds)),
            Form::Entities => advance_entities(data),
            Form::Loop => advance_loop(data),
            Form::Each => advance_each(data),
        }
    }
}

/// The same by hand.
#[inline(never)]
pub fn advance_by_hand(places: &mut [f32], speeds: &[f32]) {
    for (place, speed) in places.iter_mut().zip(speeds) {
        *place += speed * 0.5;
    }
}

/// A world of `entities` points on the calling thread, which a system of the given form moves.
///
/// # Panics
/// If memory runs out.
#[must_use]
pub fn filled(entities: usize, form: Form) -> World<Line> {
    let mut world = World::<Line>::on(Threads::Inline);
    world.system_mut::<Advance>().0 = form;
    let filled = world.step(|step| {
        (0..entities).for_each(|_| {
            step.spawn((Place(0.0), Speed(1.0)));
        });
    });
    filled.expect("nothing is staged");
    world
}

/// The same system with its code in the declaration.
pub mod declared {
    use super::{Place, Speed};
    use ecs_core::{Threads, World, world};

    world! {
        /// Points that `each` moves.
        pub world Each { entity_limit: dynamic(10_000) }
        component Place, Speed;
        system AdvanceEach {
            read: [Speed],
            write: [Place],
            each: |e| e.place.0 += e.speed.0 * 0.5,
        }
    }

    world! {
        /// Points that `run` moves.
        pub world Run { entity_limit: dynamic(10_000) }
        component Place, Speed;
        system AdvanceRun {
            read: [Speed],
            write: [Place],
            run: |data| data.own.for_entities(|e| e.place.0 += e.speed.0 * 0.5),
        }
    }

    world! {
        /// Points that `each` moves, by parameters with types.
        pub world Typed { entity_limit: dynamic(10_000) }
        component Place, Speed;
        system AdvanceTyped { each: |place: &mut Place, speed: &Speed| place.0 += speed.0 * 0.5 }
    }

    /// What a speed is multiplied by.
    #[derive(Clone, Copy, Debug)]
    pub struct Factor(pub f32);

    world! {
        /// Points that `each` moves, with a resource as a parameter.
        pub world Scaled { entity_limit: dynamic(10_000) }
        component Place, Speed;
        resource Factor = Factor(0.5);
        system AdvanceScaled {
            each: |place: &mut Place, speed: &Speed, factor: &Factor| place.0 += speed.0 * factor.0,
        }
    }

    world! {
        /// The same, through `Data`.
        pub world ScaledRun { entity_limit: dynamic(10_000) }
        component Place, Speed;
        resource Factor = Factor(0.5);
        system AdvanceScaledRun {
            read: [Speed],
            write: [Place],
            read_resources: [Factor],
            run: |data| {
                let factor = data.resources.get::<Factor>();
                data.own.for_entities(|e| e.place.0 += e.speed.0 * factor.0);
            },
        }
    }

    macro_rules! filled {
        ($($function:ident: $World:ident),+ $(,)?) => {$(
            /// A world of `entities` points on the calling thread.
            #[must_use]
            pub fn $function(entities: usize) -> World<$World> {
                let mut world = World::on(Threads::Inline);
                world.spawn_batch((0..entities).map(|_| (Place(0.0), Speed(1.0))));
                world
            }
        )+};
    }

    filled! { each: Each, run: Run, typed: Typed, scaled: Scaled, scaled_run: ScaledRun }
}
